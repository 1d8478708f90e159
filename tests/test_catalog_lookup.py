"""The built-in definitions are found by kind and by word, and only the wanted one is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from kartatest import catalog
from kartatest.definition.model import ComponentDef, Definition, Gvk
from kartatest.errors import NothingFoundError

TEXT = """
apiVersion: run.ai/v1alpha1
kind: Karta
metadata: {{name: {name}}}
spec: {{structureDefinition: {{rootComponent: {{name: root, kind: {{group: "{0}", version: {1}, kind: {2}}}}}}}}}
"""
KINDS = [
    ("apps", "v1", "Deployment"),
    ("", "v1", "Pod"),
    ("jobset.x-k8s.io", "v1alpha2", "JobSet"),
    ("serving.kserve.io", "v1alpha1", "LLMInferenceService"),
    ("serving.kserve.io", "v1alpha2", "LLMInferenceService"),
    ("serving.kserve.io", "v1", "LLMInferenceService"),
    ("serving.knative.dev", "v1", "Service"),
    ("policy.example", "v1beta1", "Policy"),
]


@pytest.fixture
def built_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A catalog of our own, and one file in it that nobody may read."""
    for kind in KINDS:
        name = catalog.name_of(Gvk(*kind))
        (tmp_path / f"{name}.yaml").write_text(TEXT.format(*kind, name=name), "utf-8")
    (tmp_path / "broken-thing-v1.yaml").write_text("[", "utf-8")
    monkeypatch.setattr(catalog, "folder", lambda _: tmp_path)
    return tmp_path


def found(token: str) -> list[str]:
    return [loaded.definition.name for loaded in catalog.named(token)]


@pytest.mark.usefixtures("built_in")
@pytest.mark.parametrize("kind", KINDS, ids=lambda k: f"{k[2]}-{k[1]}")
def test_find_by_kind(kind: tuple[str, str, str]) -> None:
    definition = catalog.find(Gvk(*kind))
    assert definition is not None
    assert definition.root.kind == Gvk(*kind)


@pytest.mark.usefixtures("built_in")
@pytest.mark.parametrize(
    "gvk",
    [
        Gvk("apps", "v2", "Deployment"),
        Gvk("", "v1", "Deployment"),
        Gvk("jobset-x-k8s.io", "v1alpha2", "JobSet"),  # the same file name, another group
        Gvk("apps", "v1", "deployment"),
        Gvk("..", "/etc", "passwd"),
        Gvk("", "", ""),
    ],
)
def test_find_is_exact(gvk: Gvk) -> None:
    assert catalog.find(gvk) is None


@pytest.mark.usefixtures("built_in")
@pytest.mark.parametrize(
    ("token", "wanted"),
    [
        ("jobset", ["jobset-x-k8s-io-jobset-v1alpha2"]),
        ("JobSets", ["jobset-x-k8s-io-jobset-v1alpha2"]),
        ("jobsets.jobset.x-k8s.io", ["jobset-x-k8s-io-jobset-v1alpha2"]),
        ("jobsets.v1alpha2.jobset.x-k8s.io", ["jobset-x-k8s-io-jobset-v1alpha2"]),
        ("jobset-x-k8s-io-jobset-v1alpha2", ["jobset-x-k8s-io-jobset-v1alpha2"]),
        ("jobsets.other.io", []),
        ("jobsets.v1.jobset.x-k8s.io", []),
        ("deploy", ["apps-deployment-v1"]),
        ("po", ["core-pod-v1"]),
        ("pods.v1", ["core-pod-v1"]),
        ("policies", ["policy-example-policy-v1beta1"]),
        ("ksvc", ["serving-knative-dev-service-v1"]),
        (
            "llminferenceservices",
            [
                "serving-kserve-io-llminferenceservice-v1",
                "serving-kserve-io-llminferenceservice-v1alpha2",
                "serving-kserve-io-llminferenceservice-v1alpha1",
            ],
        ),
        ("llminferenceservices.v1alpha1.serving.kserve.io", ["serving-kserve-io-llminferenceservice-v1alpha1"]),
        ("", []),
        ("s", []),
        ("../x", []),
    ],
)
def test_words_of_the_command_line(token: str, wanted: list[str]) -> None:
    assert found(token) == wanted


@pytest.mark.usefixtures("built_in")
def test_other_versions() -> None:
    assert catalog.other_versions(Gvk("serving.kserve.io", "v1alpha1", "LLMInferenceService")) == (
        "serving-kserve-io-llminferenceservice-v1",
        "serving-kserve-io-llminferenceservice-v1alpha2",
    )
    assert catalog.other_versions(Gvk("apps", "v1", "Deployment")) == ()


@pytest.mark.usefixtures("built_in")
def test_a_broken_built_in_definition_is_our_fault() -> None:
    with pytest.raises(ValueError, match="broken-thing-v1"):
        catalog.by_name("broken-thing-v1")


def test_the_catalog_is_found_by_its_own_names() -> None:
    assert catalog.names()
    for name in catalog.names():
        loaded = catalog.by_name(name)
        assert loaded is not None
        kind = loaded.definition.root.kind
        assert kind is not None
        assert catalog.find(kind) is loaded.definition
        assert loaded in catalog.named(kind.kind)


def described(kind: tuple[str, str, str], name: str = "", file: str = "x.yaml") -> Definition:
    return Definition(file, 0, name, {}, ComponentDef((), "root", Gvk(*kind)))


DEPLOYMENT = ("apps", "v1", "Deployment")
LLM = "LLMInferenceService"
OLD, NEW = described(("a.io", "v1beta1", "A"), "old", "some/old-a.yaml"), described(("a.io", "v2", "A"), "new")
OWN = described(DEPLOYMENT, "mine")


@pytest.mark.usefixtures("built_in")
@pytest.mark.parametrize(
    ("gvk", "given", "name", "wanted"),
    [
        (DEPLOYMENT, [], "", "apps-deployment-v1"),
        (DEPLOYMENT, [OLD, OWN], "", "mine"),
        (DEPLOYMENT, [OLD, OWN], "nothing", "mine"),
        (("a.io", "v1", "A"), [OLD, NEW], "", "new"),
        (("a.io", "v1", "A"), [OLD, NEW], "old", "old"),
        (("a.io", "v1", "A"), [NEW, OLD], "old-a", "old"),
        (("a.io", "v1beta1", "A"), [NEW, OLD], "", "old"),
        (("serving.kserve.io", "v9", LLM), [], "", "serving-kserve-io-llminferenceservice-v1"),
        (DEPLOYMENT, [], "core-pod-v1", "core-pod-v1"),
        (DEPLOYMENT, [OWN], "core-pod-v1", "mine"),  # what is given by hand comes before a built-in name
        (("", "", ""), [described(("", "", ""))], "core-pod-v1", "core-pod-v1"),
    ],
)
def test_one_way_to_choose(gvk: tuple[str, str, str], given: list[Definition], name: str, wanted: str) -> None:
    choice = catalog.definition_for(Gvk(*gvk), given, name=name)
    assert choice.definition.name == wanted
    kind = choice.definition.root.kind
    assert choice.warning == (
        ""
        if kind == Gvk(*gvk)
        else f"{wanted!r} describes {kind}, but the object is {Gvk(*gvk)}; what it reads may be wrong"
    )


@pytest.mark.usefixtures("built_in")
@pytest.mark.parametrize(
    ("gvk", "near"),
    [
        (("apps", "v2", "Deploiment"), "; near are apps-deployment-v1"),
        (("demo.io", "v1", "Zzz"), ""),
    ],
)
def test_what_is_near_is_named(gvk: tuple[str, str, str], near: str) -> None:
    with pytest.raises(NothingFoundError) as caught:
        catalog.definition_for(Gvk(*gvk))
    assert str(caught.value) == f"there is no definition for {Gvk(*gvk)}{near}"
    with pytest.raises(NothingFoundError, match="an object without a kind"):
        catalog.definition_for(Gvk("", "v1", ""), [OWN])


@pytest.mark.parametrize(
    ("obj", "wanted"),
    [
        ({"apiVersion": "apps/v1", "kind": "Deployment"}, ("apps", "v1", "Deployment")),
        ({"apiVersion": "v1", "kind": "Pod"}, ("", "v1", "Pod")),
        ({}, ("", "", "")),
        ({"apiVersion": 1, "kind": True}, ("", "", "")),
        ({"apiVersion": 10**5000, "kind": {"a": 1}}, ("", "", "")),
        ({"apiVersion": ["a/b"], "kind": None}, ("", "", "")),
    ],
)
def test_an_object_says_its_kind_in_text_or_not_at_all(obj: dict[str, object], wanted: tuple[str, str, str]) -> None:
    assert Gvk.of(obj) == Gvk(*wanted)
