"""What a definition reads in an object.

The face of the package:

    tree.resolve(definition, obj, pods=, owners=) -> Tree      never raises
    requests.pod_request(PodShape) -> PodRequest               effective request of one pod
    totals.totals(Tree) -> Totals                              pods and requests of the whole workload
    quantity.parse(value), quantity.to_text(resource, amount)  Kubernetes quantities, exact
    selectors.matches_type(...), selectors.single(...)         how pods are read
"""
