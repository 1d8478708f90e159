"""What a definition reads in an object.

The face of the package:

    tree.resolve(definition, obj, pods=, owners=) -> Tree      never raises
    requests.pod_request(PodShape) -> PodRequest               effective request of one pod
    totals.totals(Tree) -> Totals                              pods and requests of the whole workload
    quantity.parse(value), quantity.to_text(resource, amount)  Kubernetes quantities, exact
    selectors.matches_type(...), selectors.single(...)         how pods are read
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kartatest.resolve.tree import resolve

__all__ = ["resolve"]


def __getattr__(name: str) -> Any:
    if name == "resolve":
        from kartatest.resolve.tree import resolve

        return resolve
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
