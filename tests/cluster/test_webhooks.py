"""Manifests of operators as the lab puts them in: no prose, no conversion, webhooks that lead to 127.0.0.1."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from kartatest.cluster import webhooks
from kartatest.cluster.operators.model import Operator, Webhooks
from kartatest.errors import ClusterError

CRDS = """
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  conversion: {strategy: Webhook, webhook: {clientConfig: {service: {name: x}}}}
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        description: prose
        type: object
        properties:
          description: {type: string, description: prose}
          deep:
            type: array
            description: prose
            items:
              type: object
              description: prose
              additionalProperties: {type: string, description: prose}
              anyOf: [{description: prose, required: [a]}]
          preset: {type: object, default: {description: a value}, enum: [{description: a value}]}
status: {conditions: []}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: others.example.com}
spec: {versions: []}
"""
HOOKS = """
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: mutating-webhook-configuration, annotations: {x: y}}
webhooks:
- {name: pod.x, clientConfig: {service: {name: s, namespace: system, path: /mutate-pod}}, sideEffects: None}
- {name: other.x, clientConfig: {caBundle: Cg==, service: {path: /other}}, failurePolicy: Fail}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: validating-webhook-configuration}
webhooks:
- {name: unwanted.x, clientConfig: {service: {path: /v}}}
---
apiVersion: v1
kind: Service
metadata: {name: s}
"""
SELECTOR = {"matchLabels": {"a": "b"}}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "crds").mkdir()
    (tmp_path / "crds" / "all.yaml").write_text(CRDS, "utf-8")
    (tmp_path / "crds" / "kustomization.yaml").write_text("kind: Kustomization\nresources: [all.yaml]\n", "utf-8")
    (tmp_path / "crds" / "notes.txt").write_text("kind: No\n", "utf-8")
    (tmp_path / "hooks.yaml").write_text(HOOKS, "utf-8")
    return tmp_path


def operator(way: str, **more: object) -> Operator:
    hooks = Webhooks(way, ("hooks.yaml",), **{"left_out": ("unwanted.x",), **more})  # type: ignore[arg-type]
    return Operator("widget", crds=("crds",), without=("others.example.com",), namespace="w", webhooks=hooks)


def test_crds_lose_prose_status_and_conversion_and_nothing_else(folder: Path) -> None:
    (found,) = webhooks.crds(operator("url"), folder)
    assert found["metadata"]["name"] == "widgets.example.com"
    assert found["spec"]["conversion"] == {"strategy": "None"}
    assert "status" not in found
    assert found["spec"]["versions"][0]["schema"]["openAPIV3Schema"] == {
        "type": "object",
        "properties": {
            "description": {"type": "string"},
            "deep": {
                "type": "array",
                "items": {
                    "type": "object",
                    "additionalProperties": {"type": "string"},
                    "anyOf": [{"required": ["a"]}],
                },
            },
            "preset": {
                "type": "object",
                "default": {"description": "a value"},
                "enum": [{"description": "a value"}],
            },
        },
    }


def test_webhooks_by_address(folder: Path) -> None:
    chosen = operator("url", selectors={"pod.x": SELECTOR}, names={"mutating-webhook-configuration": "mine"})
    (found,) = webhooks.configurations(chosen, folder, 4711, b"CA")
    ca = base64.b64encode(b"CA").decode()
    assert found["metadata"] == {"name": "mine"}
    assert found["webhooks"] == [
        {
            "name": "pod.x",
            "clientConfig": {"url": "https://127.0.0.1:4711/mutate-pod", "caBundle": ca},
            "sideEffects": "None",
            "objectSelector": SELECTOR,
        },
        {
            "name": "other.x",
            "clientConfig": {"url": "https://127.0.0.1:4711/other", "caBundle": ca},
            "failurePolicy": "Fail",
        },
    ]
    assert webhooks.service(chosen) is None


def test_webhooks_by_a_service_of_the_operators_name(folder: Path) -> None:
    chosen = operator("service", service="svc", left_out=())
    mutating, validating = webhooks.configurations(chosen, folder, 4711, b"CA")
    assert mutating["metadata"]["name"] == "widget-mutating-webhook-configuration"
    there = {"name": "svc", "namespace": "w", "path": "/v", "port": 4711}
    assert validating["webhooks"][0]["clientConfig"] == {"service": there}
    service = webhooks.service(chosen)
    assert service is not None
    assert service["spec"] == {"type": "ExternalName", "externalName": "127.0.0.1"}


def test_what_is_not_there_or_no_yaml_is_told(folder: Path) -> None:
    with pytest.raises(ClusterError, match=r"holds no away\.yaml, which the operator's data file names"):
        list(webhooks.manifests(folder, ["away.yaml"]))
    (folder / "bad.yaml").write_text("a: [", "utf-8")
    with pytest.raises(ClusterError, match=r"cannot read .*bad\.yaml:2:1: did not find"):
        list(webhooks.manifests(folder, ["bad.yaml"]))
