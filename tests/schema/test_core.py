"""The kinds that Kubernetes brings, as the models of its Python client have them."""

from __future__ import annotations

import pytest

from kartatest.definition.model import Gvk
from kartatest.schema import Base, part, schema_for, tags
from kartatest.schema.core import KINDS, PARTS, main
from kartatest.schema.model import Schema


def kind(name: str) -> Schema:
    group, _, version = KINDS[name].rpartition("/")
    schema = schema_for(Gvk(group, version, name))
    assert schema is not None
    return schema


@pytest.mark.parametrize("name", KINDS)
def test_kind(name: str) -> None:
    schema = kind(name)
    assert schema.crd == "core"
    assert schema.root.fields["kind"].enum == (name,)
    assert schema.root.fields["apiVersion"].enum == (KINDS[name],)
    assert tags(schema) == (schema.tag,)


@pytest.mark.parametrize("name", PARTS)
def test_part(name: str) -> None:
    assert part(name).base is Base.OBJECT
    assert part(name).fields


@pytest.mark.parametrize("name", ["DaemonSet", "Deployment", "Job", "PodTemplate", "ReplicaSet", "StatefulSet"])
def test_templates_are_one_type(name: str) -> None:
    path = ("template",) if name == "PodTemplate" else ("spec", "template")
    assert kind(name).at(path) is part("PodTemplateSpec")


@pytest.mark.parametrize("name", ["DaemonSet", "Deployment", "Job", "ReplicaSet", "StatefulSet"])
def test_no_stored_workload_is_without_containers(name: str) -> None:
    spec = kind(name).root.fields["spec"]
    assert "spec" in kind(name).root.required
    assert "template" in spec.required
    assert "spec" in spec.fields["template"].required


def test_facts() -> None:
    spec = part("PodSpec")
    assert spec.required == {"containers"}
    assert spec.fields["containers"].list_map_keys == ("name",)
    assert spec.fields["overhead"].additional is not None
    assert spec.fields["overhead"].additional.format == "quantity"
    deployment = kind("Deployment")
    assert deployment.root.fields["spec"].fields["replicas"].default == (1,)
    surge = deployment.at(("spec", "strategy", "rollingUpdate", "maxSurge"))
    assert surge is not None
    assert surge.base is Base.INT_OR_STRING
    metadata = part("ObjectMeta")
    assert metadata.fields["creationTimestamp"].nullable
    assert not metadata.required, "a template's metadata needs no name"
    assert deployment.root.fields["metadata"].required == {"name"}
    started = kind("Job").at(("status", "startTime"))
    assert started is not None
    assert started.format == "date-time"


def test_index_is_what_the_models_say(capsys: pytest.CaptureFixture[str]) -> None:
    if f"v1.{__import__('kubernetes').__version__.split('.')[0]}" != kind("Pod").tag:
        pytest.skip("the client is of another release than the index")
    assert main(["--check"]) == 0, capsys.readouterr().out
