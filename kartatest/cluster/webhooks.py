"""Manifests of an operator as the lab needs them: CRDs without conversion, webhooks that lead to a local process."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from pathlib import Path

from kartatest.cluster.operators.model import Operator, Webhooks
from kartatest.errors import ClusterError
from kartatest.source import Json, JsonObject

_SUFFIXES = (".yaml", ".yml")
_SCHEMAS = ("items", "additionalProperties", "allOf", "anyOf", "oneOf", "not")


def manifests(folder: Path, names: Sequence[str]) -> Iterator[dict[str, Json]]:
    """The objects of files below a folder, in order; a folder means its YAML files by name, but no kustomization.

    Raises ClusterError for what is not there or is no YAML.
    """
    for name in names:
        place = folder / name
        if place.is_dir():
            files = sorted(f for f in place.iterdir() if f.suffix in _SUFFIXES and f.stem != "kustomization")
        elif place.is_file():
            files = [place]
        else:
            raise ClusterError(f"{folder} holds no {name}, which the operator's data file names")
        for file in files:
            yield from _objects(file)


def _objects(file: Path) -> Iterator[dict[str, Json]]:
    import yaml

    try:
        found = list(yaml.load_all(file.read_text("utf-8"), Loader=yaml.CSafeLoader))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = f":{mark.line + 1}:{mark.column + 1}" if mark else ""
        raise ClusterError(f"cannot read {file}{place}: {error.problem or error.context}") from None
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ClusterError(f"cannot read {file}: {' '.join(str(error).split())[:300]}") from None
    for one in found:
        if isinstance(one, dict) and one.get("kind") == "List":
            yield from (item for item in one.get("items") or () if isinstance(item, dict))
        elif isinstance(one, dict) and one.get("kind"):
            yield one


def crds(operator: Operator, folder: Path) -> Iterator[dict[str, Json]]:
    """The CRDs of an operator, without their prose, which is most of their size and of what they cost a server.

    Versions are not converted: no webhook stands behind the conversion.
    """
    for crd in manifests(folder, operator.crds):
        if crd["kind"] != "CustomResourceDefinition" or crd["metadata"]["name"] in operator.without:
            continue
        if (crd["spec"].get("conversion") or {}).get("strategy") == "Webhook":
            crd["spec"]["conversion"] = {"strategy": "None"}
        crd.pop("status", None)
        for version in crd["spec"]["versions"]:
            _without_prose((version.get("schema") or {}).get("openAPIV3Schema"))
        yield crd


def _without_prose(schema: Json) -> None:
    """Take the descriptions out of a schema; a property may be called so as well, and stays."""
    waiting = [schema]
    while waiting:
        node = waiting.pop()
        if isinstance(node, list):
            waiting += node
        elif isinstance(node, dict):
            if isinstance(node.get("description"), str):
                del node["description"]
            for key, below in node.items():
                if key == "properties":
                    waiting += below.values()
                elif key in _SCHEMAS:
                    waiting.append(below)


def configurations(operator: Operator, folder: Path, port: int, ca: bytes) -> Iterator[dict[str, Json]]:
    """The webhook configurations of an operator's manifests, each webhook leading to this port of 127.0.0.1.

    ca: the certificate that the webhooks' own ones are signed with, PEM; not used for way "service".
    """
    hooks = operator.webhooks
    if hooks is None:
        return
    for found in manifests(folder, hooks.files):
        if not found["kind"].endswith("WebhookConfiguration"):
            continue
        name = found["metadata"]["name"]
        kept = [hook for hook in found.get("webhooks") or () if hook["name"] not in hooks.left_out]
        if kept:
            yield {
                "apiVersion": found["apiVersion"],
                "kind": found["kind"],
                "metadata": {"name": hooks.names.get(name, f"{operator.name}-{name}")},
                "webhooks": [_webhook(hook, hooks, operator.namespace, port, ca) for hook in kept],
            }


def _webhook(hook: JsonObject, hooks: Webhooks, namespace: str, port: int, ca: bytes) -> dict[str, Json]:
    path = hook["clientConfig"].get("service", {}).get("path", "/")
    if hooks.way == "url":
        there: dict[str, Json] = {"url": f"https://127.0.0.1:{port}{path}", "caBundle": base64.b64encode(ca).decode()}
    else:
        there = {"service": {"name": hooks.service, "namespace": namespace, "path": path, "port": port}}
    found = {**hook, "clientConfig": there}
    if hook["name"] in hooks.selectors:
        found["objectSelector"] = hooks.selectors[hook["name"]]
    return found


def service(operator: Operator) -> dict[str, Json] | None:
    """The Service that leads to 127.0.0.1 under the name that the operator's certificate is for; None without one.

    The API server dials the external name, and asks for a certificate of <service>.<namespace>.svc.
    """
    hooks = operator.webhooks
    if hooks is None or hooks.way != "service":
        return None
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": hooks.service, "namespace": operator.namespace},
        "spec": {"type": "ExternalName", "externalName": "127.0.0.1"},
    }
