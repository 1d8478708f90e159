"""What one pod asks of a cluster: its effective request (semantics 8.5, and Kubernetes where that is finer).

Kubernetes runs ordinary init containers one after another, each beside the sidecars started before it. The largest such
moment and the sum of all containers with all sidecars: the greater counts, per resource.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from kartatest.resolve.model import PodShape, Quantities
from kartatest.resolve.quantity import QuantityError, parse
from kartatest.source import Json, JsonObject
from kartatest.value import value

_ZERO = Fraction(0)


@value
class Claim:
    """A device claim of dynamic resource allocation, kept apart from quantities: what it allocates is not in the pod.

    template: made anew for each pod from this template; claim: one existing claim that pods share. One of them is set.
    """

    name: str
    template: str = ""
    claim: str = ""


@value
class PodRequest:
    """Request of one pod. problems: amounts that could not be read, and therefore do not count."""

    quantities: Quantities
    claims: tuple[Claim, ...] = ()
    problems: tuple[str, ...] = ()


def pod_request(shape: PodShape | None) -> PodRequest:
    """The request of a pod of this shape: of its template, else its spec, else its fragments. Empty without any."""
    if shape is None:
        return PodRequest({})
    if shape.template is not None:
        return spec_request(shape.template.get("spec"))
    if shape.spec is not None:
        return spec_request(shape.spec)
    if shape.fragments is not None:
        return _fragments_request(shape.fragments)
    return PodRequest({})


_FURTHER = frozenset(("initContainers", "resources", "overhead", "resourceClaims"))
_MOST_KEPT = 1024
_LONGEST_KEPT = 4000
_kept: dict[str, PodRequest] = {}


def spec_request(spec: Json) -> PodRequest:
    """The request of a pod with this spec, which may be any JSON value.

    Pods of a role mostly ask for the same, so that what was worked out is kept for the next one. The result is shared.
    """
    spec = _object(spec)
    try:
        key = repr([(c.get("name"), c.get("resources")) for c in _list(spec.get("containers"))])
        if not _FURTHER.isdisjoint(spec):
            first = [
                (c.get("name"), c.get("restartPolicy"), c.get("resources")) for c in _list(spec.get("initContainers"))
            ]
            key += repr((first, [spec.get(name) for name in ("resources", "overhead", "resourceClaims")]))
    except (RecursionError, ValueError):  # too deep, or a number too long to print
        return _spec_request(spec)
    found = _kept.get(key)
    if found is None:
        found = _spec_request(spec)
        if len(key) <= _LONGEST_KEPT:
            if len(_kept) >= _MOST_KEPT:
                _kept.clear()
            _kept[key] = found
    return found


def _spec_request(spec: JsonObject) -> PodRequest:
    problems: list[str] = []
    total: dict[str, Fraction] = {}
    for container in _list(spec.get("containers")):
        _add(total, _declared(container, problems))
    sidecars: dict[str, Fraction] = {}
    starting: dict[str, Fraction] = {}
    for container in _list(spec.get("initContainers")):
        own = dict(_declared(container, problems))
        if container.get("restartPolicy") == "Always":
            _add(total, own)
            _add(sidecars, own)
            own = dict(sidecars)
        else:
            _add(own, sidecars)
        _most(starting, own)
    _most(total, starting)
    _pod_level(total, _object(spec.get("resources")), problems)
    _add(total, _amounts(spec.get("overhead"), "overhead", problems))
    return PodRequest(total, claims(spec.get("resourceClaims")), tuple(problems))


def claims(value: Json) -> tuple[Claim, ...]:
    """The claims of a pod's `resourceClaims`; entries that name neither a claim nor a template are left out."""
    found = []
    for entry in _list(value):
        template, claim = entry.get("resourceClaimTemplateName"), entry.get("resourceClaimName")
        if isinstance(template, str) and template:
            found.append(Claim(str(entry.get("name", "")), template=template))
        elif isinstance(claim, str) and claim:
            found.append(Claim(str(entry.get("name", "")), claim=claim))
    return tuple(found)


def _fragments_request(fragments: Mapping[str, Json]) -> PodRequest:
    """containers + container; where that is nothing at all, `resources`."""
    problems: list[str] = []
    total: dict[str, Fraction] = {}
    container = fragments.get("containerPath")
    for each in (*_list(fragments.get("containersPath")), *([container] if isinstance(container, dict) else ())):
        _add(total, _declared(each, problems))
    if not any(total.values()):
        total = dict(_declared({"resources": fragments.get("resourcesPath")}, problems))
    return PodRequest(total, claims(fragments.get("resourceClaimsPath")), tuple(problems))


def _pod_level(total: dict[str, Fraction], resources: JsonObject, problems: list[str]) -> None:
    """A pod's own request replaces the containers' sum; its limit counts where no container asks (Kubernetes 1.34)."""
    requests = _amounts(resources.get("requests"), "resources.requests", problems)
    limits = _amounts(resources.get("limits"), "resources.limits", problems)
    for name in (*requests, *limits):
        if name not in ("cpu", "memory") and not name.startswith("hugepages-"):
            continue
        if name in requests:
            total[name] = requests[name]
        elif name not in total:
            total[name] = limits[name]


def _declared(container: JsonObject, problems: list[str]) -> Quantities:
    """Per resource the container's request, else its limit; an explicit zero is a request."""
    resources = _object(container.get("resources"))
    if not resources:
        return {}
    name = container.get("name")
    where = f"container {name!r}" if isinstance(name, str) else "a container"
    return {
        **_amounts(resources.get("limits"), where, problems),
        **_amounts(resources.get("requests"), where, problems),
    }


def _amounts(value: Json, where: str, problems: list[str]) -> dict[str, Fraction]:
    found = {}
    for name, amount in sorted(_object(value).items(), key=lambda entry: entry[0]):
        if amount is None:
            continue
        try:
            found[name] = parse(amount)
        except QuantityError as error:
            problems.append(f"{where}: {name}: {error}")
    return found


def _add(total: dict[str, Fraction], more: Quantities) -> None:
    for name, amount in more.items():
        total[name] = total.get(name, _ZERO) + amount


def _most(total: dict[str, Fraction], other: Quantities) -> None:
    for name, amount in other.items():
        if name not in total or total[name] < amount:
            total[name] = amount


def _object(value: Json) -> JsonObject:
    return value if isinstance(value, dict) else {}


def _list(value: Json) -> Iterable[JsonObject]:
    return [v for v in value if isinstance(v, dict)] if isinstance(value, list) else []
