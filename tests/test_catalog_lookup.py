"""The built-in definitions are found by kind and by word, and only the wanted one is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from kartatest import catalog
from kartatest.definition.model import Gvk

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
    loaded = catalog.find(Gvk(*kind))
    assert loaded is not None
    assert loaded.definition.root.kind == Gvk(*kind)


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
        assert catalog.find(kind) is loaded
        assert loaded in catalog.named(kind.kind)
