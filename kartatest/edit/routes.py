"""Where the parts of a pod patch go in one component: a template, a pod spec with metadata, or fragments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from kartatest.definition.model import ComponentDef, Expr, SpecDef, Use
from kartatest.source import DocPath, Json


class Route(NamedTuple):
    """A part of a patch and the expression it goes through. at: what the expression's value is in a template.

    whole: the value must be there already, as a template must; else a missing value is made.
    """

    expr: Expr
    patch: Json
    at: DocPath
    whole: bool = False


class Lost(NamedTuple):
    """A part of a patch that the definition has no path for, as a place in a PodTemplateSpec."""

    at: DocPath
    why: str = "the definition has no path for it"


Present = Callable[[Expr], bool]


def routes(component: ComponentDef, patch: Mapping[str, Json], present: Present) -> list[Route | Lost]:
    """Where each part of the patch goes. The first of template, pod spec and fragments that is defined counts.

    present tells whether the object has something where an expression looks.
    """
    spec = component.spec
    if spec is None:
        return [Lost((key,)) for key in patch]
    if spec.pod_template is not None:
        return [Route(spec.pod_template, dict(patch), (), whole=True)]
    if spec.pod_spec is not None:
        return list(_of_pod_spec(spec, spec.pod_spec, patch))
    return list(_of_fragments(spec, patch, present))


def _of_pod_spec(spec: SpecDef, expr: Expr, patch: Mapping[str, Json]) -> Iterator[Route | Lost]:
    if "spec" in patch:
        yield Route(expr, patch["spec"], ("spec",), whole=True)
    if "metadata" in patch:
        if spec.metadata is not None:
            yield Route(spec.metadata, patch["metadata"], ("metadata",))
        else:
            yield from (Lost(("metadata", key)) for key in patch["metadata"])


_PLACES: dict[DocPath, Use] = {
    ("metadata", "labels"): Use.LABELS,
    ("metadata", "annotations"): Use.ANNOTATIONS,
    ("spec", "schedulerName"): Use.SCHEDULER_NAME,
    ("spec", "priorityClassName"): Use.PRIORITY_CLASS_NAME,
    ("spec", "resourceClaims"): Use.RESOURCE_CLAIMS,
    ("spec", "affinity", "podAffinity"): Use.POD_AFFINITY,
    ("spec", "affinity", "nodeAffinity"): Use.NODE_AFFINITY,
}


_ALONE = {"image": Use.IMAGE, "resources": Use.RESOURCES}


def _of_fragments(spec: SpecDef, patch: Mapping[str, Json], present: Present) -> Iterator[Route | Lost]:
    exprs = spec.fragments or {}
    parts = [((top, key), part) for top, below in patch.items() for key, part in below.items()]
    for at, part in parts:
        if at == ("spec", "containers"):
            for entry in part:
                yield from _of_container(exprs, entry, present)
        elif at == ("spec", "affinity") and isinstance(part, dict):
            for key, affinity in part.items():
                yield _fragment(exprs, spec, (*at, key), affinity)
        else:
            yield _fragment(exprs, spec, at, part)


def _fragment(exprs: Mapping[Use, Expr], spec: SpecDef, at: DocPath, part: Json) -> Route | Lost:
    use = _PLACES.get(at)
    if use is not None and use in exprs:
        return Route(exprs[use], part, at)
    if spec.metadata is not None and at[0] == "metadata":
        return Route(spec.metadata, {at[1]: part}, ("metadata",))
    return Lost(at)


def _of_container(exprs: Mapping[Use, Expr], entry: dict[str, Json], present: Present) -> Iterator[Route | Lost]:
    """An entry of the containers: by name in the list, to the one container, or its image and resources alone.

    Consumers take the containers where there are any, and the resources of the pod only where there are none
    (semantics 8.5); so does this.
    """
    at: DocPath = ("spec", "containers")
    parts = [(key, part, exprs.get(use)) for key, part in entry.items() if (use := _ALONE.get(key)) is not None]
    alone = len(parts) == len(entry) and all(expr is not None for _, _, expr in parts)
    for use, patch, where in ((Use.CONTAINERS, [entry], at), (Use.CONTAINER, entry, ("container",))):
        if use in exprs and (present(exprs[use]) or not (alone or _other(use, exprs))):
            yield Route(exprs[use], patch, where, whole=True)
            return
    if "name" in entry:
        yield Lost(at, f"the definition has no path for containers by name, and the patch names {entry['name']!r}")
        return
    for key, part in entry.items():
        use_alone = _ALONE.get(key)
        known = use_alone is not None and use_alone in exprs
        yield Route(exprs[use_alone], part, ("container", key)) if use_alone and known else Lost((*at, key))


def _other(use: Use, exprs: Mapping[Use, Expr]) -> bool:
    """Whether the one container is still to be looked at."""
    return use is Use.CONTAINERS and Use.CONTAINER in exprs
