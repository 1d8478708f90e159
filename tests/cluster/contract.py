"""What every provider's cluster must do. Each case gets a cluster and a namespace in which nobody else works."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from kartatest.cluster.model import ApiError, Cluster, Event
from kartatest.cluster.waits import CRD, established, until
from kartatest.definition.model import Gvk
from kartatest.errors import ClusterError
from kartatest.source import JsonObject

CONFIG = Gvk("", "v1", "ConfigMap")
NAMESPACE = Gvk("", "v1", "Namespace")
EXACT = 2**53 + 1


def config(namespace: str, name: str, labels: dict[str, str] | None = None, **data: str) -> dict[str, Any]:
    metadata = {"name": name, "namespace": namespace, **({"labels": labels} if labels else {})}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}


def crd(group: str) -> dict[str, Any]:
    spec = {
        "type": "object",
        "required": ["size"],
        "properties": {
            "size": {"type": "integer", "format": "int64", "minimum": 0},
            "colour": {"type": "string", "default": "blue"},
            "mode": {"type": "string", "enum": ["slow", "fast"]},
            "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
        },
    }
    status = {"type": "object", "properties": {"phase": {"type": "string"}, "seen": {"type": "integer"}}}
    schema = {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec, "status": status}}}
    version = {"name": "v1", "served": True, "storage": True, "schema": schema, "subresources": {"status": {}}}
    names = {
        "plural": "widgets",
        "singular": "widget",
        "kind": "Widget",
        "listKind": "WidgetList",
        "shortNames": ["wd"],
    }
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"widgets.{group}"},
        "spec": {"group": group, "scope": "Namespaced", "names": names, "versions": [version]},
    }


def widgets(cluster: Cluster) -> Gvk:
    """A kind of its own, established; its CRD goes with the cluster, or with the run of `without_crds`."""
    group = f"w{uuid4().hex[:8]}.contract.test"
    cluster.create(crd(group))
    established(cluster, [f"widgets.{group}"], timeout_seconds=60)
    return Gvk(group, "v1", "Widget")


def widget(kind: Gvk, namespace: str, name: str = "one", **rest: Any) -> dict[str, Any]:
    made = {"apiVersion": kind.api_version, "kind": kind.kind, "metadata": {"name": name, "namespace": namespace}}
    return {**made, "spec": {"size": 1}, **rest}


def gone(cluster: Cluster, kind: Gvk) -> None:
    cluster.delete(CRD, f"widgets.{kind.group}")


def kinds_are_listed(cluster: Cluster, namespace: str) -> None:
    listed = {resource.gvk: resource for resource in cluster.resources()}
    pods = listed[Gvk("", "v1", "Pod")]
    assert (pods.plural, pods.namespaced, "status" in pods.subresources) == ("pods", True, True)
    assert {"list", "watch"} <= pods.verbs
    assert "po" in pods.short_names
    assert not cluster.resource(NAMESPACE).namespaced
    assert cluster.resource(Gvk("apps", "v1", "Deployment")).plural == "deployments"
    with pytest.raises(ClusterError, match=r"serves no nowhere\.test/v1 Nothing"):
        cluster.resource(Gvk("nowhere.test", "v1", "Nothing"))


def objects_come_back_as_written(cluster: Cluster, namespace: str) -> None:
    made = cluster.create(config(namespace, "one", a="1"))
    metadata = made["metadata"]
    assert {"uid", "resourceVersion", "creationTimestamp"} <= metadata.keys()
    found = cluster.get(CONFIG, "one", namespace)
    assert found is not None
    assert (found["kind"], found["apiVersion"], found["data"]) == ("ConfigMap", "v1", {"a": "1"})
    assert found["metadata"]["uid"] == metadata["uid"]


def what_is_not_there_is_none(cluster: Cluster, namespace: str) -> None:
    assert cluster.get(CONFIG, "absent", namespace) is None
    assert cluster.delete(CONFIG, "absent", namespace) is False
    with pytest.raises(ApiError) as caught:
        cluster.patch(CONFIG, "absent", namespace, {"data": {"a": "1"}})
    assert (caught.value.code, caught.value.reason) == (404, "NotFound")


def a_name_is_given_once(cluster: Cluster, namespace: str) -> None:
    cluster.create(config(namespace, "one"))
    with pytest.raises(ApiError, match="already exists") as caught:
        cluster.create(config(namespace, "one"))
    assert (caught.value.code, caught.value.reason) == (409, "AlreadyExists")
    assert cluster.delete(CONFIG, "one", namespace) is True
    cluster.create(config(namespace, "one"))


def a_namespace_must_be_there(cluster: Cluster, namespace: str) -> None:
    with pytest.raises(ApiError) as caught:
        cluster.create(config("absent-namespace", "one"))
    assert caught.value.code == 404
    with pytest.raises(ClusterError, match="needs a namespace"):
        cluster.get(CONFIG, "one")


def lists_are_whole_and_by_label(cluster: Cluster, namespace: str) -> None:
    for number in range(5):
        cluster.create(config(namespace, f"c{number}", {"parity": "odd" if number % 2 else "even", "mine": namespace}))

    def names(namespace: str, labels: str) -> list[str]:
        return sorted(found["metadata"]["name"] for found in cluster.list(CONFIG, namespace, labels=labels, page=2))

    every = ["c0", "c1", "c2", "c3", "c4"]
    assert [name for name in names(namespace, "") if name.startswith("c")] == every + names(namespace, "x=y")
    assert names(namespace, "parity=odd") == ["c1", "c3"]
    assert names(namespace, "mine,parity!=odd") == ["c0", "c2", "c4"]
    assert names("", f"mine={namespace}") == every
    listed = next(cluster.list(CONFIG, namespace, labels="parity=odd"))
    assert (listed["apiVersion"], listed["kind"]) == ("v1", "ConfigMap")


def a_crd_brings_its_kind(cluster: Cluster, namespace: str) -> None:
    kind = widgets(cluster)
    resource = cluster.resource(kind)
    assert (resource.plural, resource.namespaced, resource.short_names) == ("widgets", True, ("wd",))
    assert "status" in resource.subresources
    cluster.create(widget(kind, namespace))
    gone(cluster, kind)
    until(
        lambda: kind not in {found.gvk for found in cluster.resources()} or None,
        waiting_for="that the kind is gone",
        timeout_seconds=30,
    )


def integers_are_exact(cluster: Cluster, namespace: str) -> None:
    kind = widgets(cluster)
    cluster.create(widget(kind, namespace, spec={"size": EXACT, "free": {"big": EXACT, "half": 0.5}}))
    found = cluster.get(kind, "one", namespace)
    assert found is not None
    assert found["spec"]["size"] == EXACT
    assert found["spec"]["free"] == {"big": EXACT, "half": 0.5}
    gone(cluster, kind)


def unknown_fields_go_and_defaults_come(cluster: Cluster, namespace: str) -> None:
    kind = widgets(cluster)
    free = {"any": [{"thing": None}]}
    made = cluster.create(widget(kind, namespace, spec={"size": 1, "nothing": 2, "free": free}, more=1))
    assert made["spec"] == {"size": 1, "colour": "blue", "free": free}
    assert "more" not in made
    gone(cluster, kind)


def what_does_not_fit_is_refused_with_its_place(cluster: Cluster, namespace: str) -> None:
    kind = widgets(cluster)
    for spec, field in (
        ({}, "spec"),
        ({"size": -1}, "spec.size"),
        ({"size": 1, "mode": "other"}, "spec.mode"),
        ({"size": 1, "colour": 5}, "spec.colour"),
    ):
        with pytest.raises(ApiError) as caught:
            cluster.create(widget(kind, namespace, spec=spec))
        assert caught.value.code == 422
        assert caught.value.reason == "Invalid"
        assert any(path.startswith(field) for path, _ in caught.value.causes), (spec, caught.value.causes)
    gone(cluster, kind)


def status_is_written_apart(cluster: Cluster, namespace: str) -> None:
    kind = widgets(cluster)
    made = cluster.create(widget(kind, namespace, status={"phase": "ignored"}))
    assert "status" not in made
    assert made["metadata"]["generation"] == 1
    written = cluster.replace({**made, "spec": {"size": 7}, "status": {"phase": "Up"}}, subresource="status")
    assert (written["spec"]["size"], written["status"]) == (1, {"phase": "Up"})
    assert written["metadata"]["generation"] == 1
    patched = cluster.patch(kind, "one", namespace, {"status": {"seen": 3}}, subresource="status")
    assert patched["status"] == {"phase": "Up", "seen": 3}
    changed = cluster.patch(kind, "one", namespace, {"spec": {"size": 2}, "status": {"phase": "ignored"}})
    assert (changed["spec"]["size"], changed["status"]) == (2, {"phase": "Up", "seen": 3})
    assert changed["metadata"]["generation"] == 2
    labelled = cluster.patch(kind, "one", namespace, {"metadata": {"labels": {"a": "b"}}})
    assert labelled["metadata"]["generation"] == 2
    gone(cluster, kind)


def patches_do_what_they_say(cluster: Cluster, namespace: str) -> None:
    cluster.create(config(namespace, "one", a="1", b="2"))
    merged = cluster.patch(
        CONFIG, "one", namespace, {"data": {"a": None, "c": "3"}, "metadata": {"annotations": {"a": "b"}}}
    )
    assert merged["data"] == {"b": "2", "c": "3"}
    steps = [
        {"op": "test", "path": "/data/b", "value": "2"},
        {"op": "add", "path": "/metadata/annotations/x.y~1z", "value": "4"},
    ]
    stepped = cluster.patch(CONFIG, "one", namespace, steps, kind="json")
    assert stepped["metadata"]["annotations"] == {"a": "b", "x.y/z": "4"}
    steps = [{"op": "remove", "path": "/data/absent"}]
    with pytest.raises(ApiError) as caught:
        cluster.patch(CONFIG, "one", namespace, steps, kind="json")
    assert caught.value.code == 422
    cluster.create(deployment(namespace, image="a"))
    containers = [{"name": "main", "image": "b"}]
    patch = {"spec": {"template": {"spec": {"containers": containers}}}}
    patched = cluster.patch(Gvk("apps", "v1", "Deployment"), "web", namespace, patch, kind="strategic")
    (main, side) = patched["spec"]["template"]["spec"]["containers"]
    assert (main["image"], side["image"]) == ("b", "side")


def deployment(namespace: str, image: str) -> dict[str, Any]:
    labels = {"app": "web"}
    containers = [{"name": "main", "image": image}, {"name": "side", "image": "side"}]
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web", "namespace": namespace},
        "spec": {
            "replicas": 0,
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": {"containers": containers}},
        },
    }


def a_dry_run_leaves_nothing(cluster: Cluster, namespace: str) -> None:
    made = cluster.create(config(namespace, "one", a="1"), dry_run=True)
    assert made["data"] == {"a": "1"}
    assert cluster.get(CONFIG, "one", namespace) is None
    cluster.create(config(namespace, "one", a="1"))
    assert cluster.patch(CONFIG, "one", namespace, {"data": {"a": "2"}}, dry_run=True)["data"] == {"a": "2"}
    assert cluster.apply(config(namespace, "one", b="3"), dry_run=True)["data"] == {"a": "1", "b": "3"}
    found = cluster.get(CONFIG, "one", namespace)
    assert found is not None
    assert found["data"] == {"a": "1"}


def a_stale_write_is_refused(cluster: Cluster, namespace: str) -> None:
    old = cluster.create(config(namespace, "one", a="1"))
    cluster.patch(CONFIG, "one", namespace, {"data": {"a": "2"}})
    with pytest.raises(ApiError) as caught:
        cluster.replace({**old, "data": {"a": "3"}})
    assert (caught.value.code, caught.value.reason) == (409, "Conflict")


def applied_fields_have_owners(cluster: Cluster, namespace: str) -> None:
    first = cluster.apply(config(namespace, "one", a="1", b="2"), manager="first")
    assert first["data"] == {"a": "1", "b": "2"}
    with pytest.raises(ApiError) as caught:
        cluster.apply(config(namespace, "one", a="9"), manager="second")
    assert caught.value.code == 409
    assert [path.strip(".") for path, _ in caught.value.causes] == ["data.a"]
    forced = cluster.apply(config(namespace, "one", a="9", c="3"), manager="second", force=True)
    assert forced["data"] == {"a": "9", "b": "2", "c": "3"}
    less = cluster.apply(config(namespace, "one"), manager="first")
    assert less["data"] == {"a": "9", "c": "3"}


def finalizers_hold_an_object(cluster: Cluster, namespace: str) -> None:
    obj = config(namespace, "one")
    obj["metadata"]["finalizers"] = ["contract.test/hold"]
    cluster.create(obj)
    assert cluster.delete(CONFIG, "one", namespace) is True
    held = cluster.get(CONFIG, "one", namespace)
    assert held is not None
    assert held["metadata"]["deletionTimestamp"]
    cluster.patch(CONFIG, "one", namespace, {"metadata": {"finalizers": None}})
    assert cluster.get(CONFIG, "one", namespace) is None


def watching_tells_what_happens(cluster: Cluster, namespace: str) -> None:
    cluster.create(config(namespace, "one", step="0"))
    seen: list[Event] = []

    def look() -> None:
        for event in cluster.watch(CONFIG, namespace, name="one", timeout_seconds=20):
            seen.append(event)
            if event.kind == "DELETED":
                return

    looking = threading.Thread(target=look)
    looking.start()
    until(lambda: bool(seen) or None, waiting_for="the first event", timeout_seconds=10)
    cluster.create(config(namespace, "two"))
    cluster.patch(CONFIG, "one", namespace, {"data": {"step": "1"}})
    cluster.delete(CONFIG, "one", namespace)
    looking.join(20)
    told = [(event.kind, (event.obj.get("data") or {}).get("step")) for event in seen]
    assert told == [("ADDED", "0"), ("MODIFIED", "1"), ("DELETED", "1")]
    assert all(event.obj["kind"] == "ConfigMap" for event in seen)


def watching_goes_on_from_a_version(cluster: Cluster, namespace: str) -> None:
    version = cluster.create(config(namespace, "one", step="0"))["metadata"]["resourceVersion"]
    cluster.patch(CONFIG, "one", namespace, {"data": {"step": "1"}})
    began = time.monotonic()
    events = list(cluster.watch(CONFIG, namespace, name="one", since=version, timeout_seconds=1))
    assert [(event.kind, event.obj["data"]) for event in events] == [("MODIFIED", {"step": "1"})]
    assert time.monotonic() - began < 5


def the_server_tells_its_version(cluster: Cluster, namespace: str) -> None:
    assert cluster.raw("/version")["gitVersion"].startswith("v")
    with pytest.raises(ApiError) as caught:
        cluster.raw("/nothing/here")
    assert caught.value.code == 404


CASES: tuple[Callable[[Cluster, str], None], ...] = (
    kinds_are_listed,
    objects_come_back_as_written,
    what_is_not_there_is_none,
    a_name_is_given_once,
    a_namespace_must_be_there,
    lists_are_whole_and_by_label,
    a_crd_brings_its_kind,
    integers_are_exact,
    unknown_fields_go_and_defaults_come,
    what_does_not_fit_is_refused_with_its_place,
    status_is_written_apart,
    patches_do_what_they_say,
    a_dry_run_leaves_nothing,
    a_stale_write_is_refused,
    applied_fields_have_owners,
    finalizers_hold_an_object,
    watching_tells_what_happens,
    watching_goes_on_from_a_version,
    the_server_tells_its_version,
)


def run(case: Callable[[Cluster, str], None], cluster: Cluster) -> None:
    """One case in a namespace of its own, which is taken away afterwards."""
    name = f"contract-{uuid4().hex[:8]}"
    made: JsonObject = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
    cluster.create(made)
    try:
        case(cluster, name)
    finally:
        cluster.delete(NAMESPACE, name)
