"""karta set: a workload with other pods: scheduler, labels, images, requests, through its definition."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from kartatest.cli import edits, objects
from kartatest.edit.model import CLEAR, PodPatch
from kartatest.errors import UsageError
from kartatest.source import Json

_CLEARED = {
    "scheduler-name": "scheduler_name",
    "priority-class": "priority_class",
    "node-affinity": "node_affinity",
    "pod-affinity": "pod_affinity",
}


@click.command("set", epilog="Example: karta set -f jobset.yaml --scheduler-name kai-scheduler --label team=vision")
@edits.options
@click.option("--instance", "instances", multiple=True, metavar="ID", help="Only this instance. Repeatable.")
@click.option("--scheduler-name", metavar="NAME")
@click.option("--priority-class", metavar="NAME")
@click.option("--label", "labels", multiple=True, metavar="K=V", help="A label; K- takes it out. Repeatable.")
@click.option("--annotation", "annotations", multiple=True, metavar="K=V", help="An annotation, likewise. Repeatable.")
@click.option(
    "--image", "images", multiple=True, metavar="[C=]IMAGE", help="The image of container C, or of the only one."
)
@click.option("--request", "requests", multiple=True, metavar="R=Q", help="A request; R- takes it out. Repeatable.")
@click.option("--limit", "limits", multiple=True, metavar="R=Q", help="A limit, likewise. Repeatable.")
@click.option("--container", default="", metavar="C", help="The container that requests and limits are of.")
@click.option("--node-affinity", metavar="FILE", help="A file with a NodeAffinity.")
@click.option("--pod-affinity", metavar="FILE", help="A file with a PodAffinity.")
@click.option("--patch", metavar="FILE", help="A file with a patch in the form of a PodTemplateSpec.")
@click.option("--clear", "cleared", multiple=True, type=click.Choice(list(_CLEARED)), help="Take it out. Repeatable.")
def command(
    *,
    component: str | None,
    instances: tuple[str, ...],
    scheduler_name: str | None,
    priority_class: str | None,
    labels: tuple[str, ...],
    annotations: tuple[str, ...],
    images: tuple[str, ...],
    requests: tuple[str, ...],
    limits: tuple[str, ...],
    container: str,
    node_affinity: str | None,
    pod_affinity: str | None,
    patch: str | None,
    cleared: tuple[str, ...],
    **rest: Any,
) -> int:
    """Show what setting fields of a workload's pods changes in its file.

    All components and instances are meant unless --component and --instance say which. Maps merge, lists and scalars
    are replaced, containers go by name. Where the definition has no way to write a part, nothing is changed.
    """
    from kartatest import edit

    fields: dict[str, Any] = {"scheduler_name": scheduler_name, "priority_class": priority_class}
    fields |= {"node_affinity": _object(node_affinity), "pod_affinity": _object(pod_affinity)}
    for name in cleared:
        if fields[_CLEARED[name]] is not None:
            raise UsageError(f"--clear {name} and --{name} contradict each other")
        fields[_CLEARED[name]] = CLEAR
    wanted = PodPatch(
        **fields,
        labels=_pairs("--label", labels),
        annotations=_pairs("--annotation", annotations),
        images=_images(images),
        requests=_pairs("--request", requests),
        limits=_pairs("--limit", limits),
        container=container,
        template=_object(patch),
    )
    only = instances or None
    return edits.run(
        lambda definition, obj: edit.set_pods(definition, obj, wanted, component=component, instances=only), **rest
    )


def _pairs(option: str, given: Sequence[str]) -> dict[str, Any] | None:
    """K=V as a key and its value, K- as a key to take out; None when none was given."""
    found: dict[str, Any] = {}
    for text in given:
        key, equals, rest = text.partition("=")
        value: Any = rest
        if not equals and text.endswith("-"):
            key, value = text[:-1], CLEAR
        elif not equals:
            raise UsageError(f"{option} {text!r} is no K=V, nor K- to take it out")
        if not key or (key in found and found[key] != value):
            raise UsageError(f"{option} {text!r} has no key" if not key else f"{option} gives {key!r} twice")
        found[key] = value
    return found or None


def _images(given: Sequence[str]) -> dict[str, str] | None:
    """Container to image; "" for the only container."""
    found: dict[str, str] = {}
    for text in given:
        name, equals, image = text.partition("=")
        name, image = (name, image) if equals else ("", text)
        if not image or (equals and not name) or name in found:
            raise UsageError(f"--image {text!r} is no [CONTAINER=]IMAGE, or its container is given twice")
        found[name] = image
    return found or None


def _object(file: str | None) -> dict[str, Json] | None:
    """The one object in a YAML file. Raises UsageError for anything else."""
    if file is None:
        return None
    from kartatest.yamlpos import documents

    source = objects.text(file)
    read = documents(source)
    if len(read.documents) != 1 or read.diagnostics or not isinstance(read.documents[0].value, dict):
        why = f": {read.diagnostics[0].message}" if read.diagnostics else ""
        raise UsageError(f"{Path(source.name)} does not hold one object{why}")
    value: dict[str, Json] = read.documents[0].value
    return value
