"""Definitions in a cluster: what is applied, what a second call says, what a dry run leaves alone."""

from __future__ import annotations

from kartatest.cluster.fake import FakeCluster
from kartatest.cluster.register import CRD, KARTA, differences, register, registered
from kartatest.source import JsonObject


def _definition(name: str, kind: str = "Widget") -> JsonObject:
    root = {"name": "widget", "kind": {"group": "example.com", "version": "v1", "kind": kind}}
    return {
        "apiVersion": "run.ai/v1alpha1",
        "kind": "Karta",
        "metadata": {"name": name},
        "spec": {"structureDefinition": {"rootComponent": root}},
    }


def _said(cluster: FakeCluster, *definitions: JsonObject, dry_run: bool = False) -> list[tuple[str, str]]:
    return [(applied.name, applied.outcome) for applied in register(cluster, definitions, dry_run=dry_run)]


def test_what_is_new_is_created_and_a_second_call_changes_nothing() -> None:
    cluster = FakeCluster()
    assert _said(cluster, _definition("a")) == [("kartas.run.ai", "created"), ("a", "created")]
    assert _said(cluster, _definition("a"), _definition("b")) == [
        ("kartas.run.ai", "unchanged"),
        ("a", "unchanged"),
        ("b", "created"),
    ]
    assert [obj["metadata"]["name"] for obj in registered(cluster)] == ["a", "b"]


def test_a_change_says_where_it_is() -> None:
    cluster = FakeCluster()
    list(register(cluster, [_definition("a")]))
    *_, applied = register(cluster, [_definition("a", kind="Gadget")])
    assert applied.outcome == "configured"
    assert applied.paths == (".spec.structureDefinition.rootComponent.kind.kind",)


def test_a_dry_run_changes_nothing() -> None:
    cluster = FakeCluster()
    assert _said(cluster, _definition("a"), dry_run=True) == [("kartas.run.ai", "created"), ("a", "created")]
    assert cluster.get(CRD, "kartas.run.ai") is None
    list(register(cluster, []))
    assert _said(cluster, _definition("a"), dry_run=True)[1] == ("a", "created")
    assert cluster.get(KARTA, "a") is None
    assert registered(cluster) == ()


def test_a_cluster_without_our_crd_has_no_definitions() -> None:
    assert registered(FakeCluster()) == ()


def test_differences_name_each_place_once() -> None:
    one = {"a": 1, "b": [1, {"c": 2}], "d": [1]}
    other = {"a": 1, "b": [1, {"c": 3}], "d": [1, 2], "e": None}
    assert list(differences(one, other)) == [".b[1].c", ".d", ".e"]
    assert list(differences(one, one)) == []
