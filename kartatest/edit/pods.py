"""Pod patches on an object: each part at the place that the definition gives it, all or nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from kartatest.definition.model import ComponentDef, Definition, Expr
from kartatest.edit import devices
from kartatest.edit.aligned import aligned
from kartatest.edit.merge import Unmergeable, merged, only_clears
from kartatest.edit.model import ABSENT, CLEAR, Edited, PodPatch
from kartatest.edit.patch import template_patch
from kartatest.edit.places import Refused, check, settled, shown
from kartatest.edit.places import places as places_of
from kartatest.edit.routes import Lost, Route, routes
from kartatest.edit.target import component as component_of
from kartatest.edit.target import fitting, instance_ids, listed
from kartatest.edit.values import at_place, changes, fresh, put
from kartatest.errors import EditError
from kartatest.resolve import resolve
from kartatest.source import DocPath, Json, JsonObject


class _Write(NamedTuple):
    """One part of the patch at one place. shared: the place is there only by a fallback, and may be another's."""

    component: ComponentDef
    id: str
    route: Route
    at: DocPath
    shared: bool = False


def set_pods(
    definition: Definition,
    obj: JsonObject,
    patch: PodPatch,
    *,
    component: str | None = None,
    instances: Sequence[str] | None = None,
) -> Edited:
    """The object with the patch in the pods of one component, or of all, in the named instances or in all of them.

    Raises EditError with everything that stands against it: a path that cannot be written through or matches nothing,
    a part that the definition has no path for, unknown instances (Q25) and containers, several places where one is
    meant (Q16). A component that has no instance in the object is passed over when none is named, and so is one that
    wants no pods and has no place for any of the patch.
    """
    notes = list(fitting(definition, obj))
    if instances is not None and not instances:
        raise EditError(["no instance is named"])
    whole = template_patch(patch)
    parts = _meant(definition, component)
    if component is None and instances is None:
        parts = [part for part in parts if not _left_out(definition, part, obj, whole)] or parts
    reasons: list[Refused] = []
    writes = list(_writes(parts, obj, whole, instances, reasons))
    if instances is not None:
        reasons += _unknown(parts, obj, instances, told=bool(reasons))
    if not writes and not reasons:
        who = f"component {component!r} has" if component is not None else "no component has"
        reasons.append(Refused(f"{who} {'no ' if component is not None else ''}pods in this object"))
    own = {write.at for write in writes if not write.shared}
    for write in writes:
        if write.shared and write.at not in own:
            text = f"its path falls back to {shown(write.at)}, which may be another component's place"
            reasons.append(Refused(f"component {write.component.name!r}: {text}"))
    made: Json = obj
    for write in writes:
        if not write.shared:
            try:
                made = _written(made, write)
            except (Refused, Unmergeable) as fault:
                reasons.append(Refused(f"{_name(write)}: {fault}"))
    if reasons:
        raise EditError(tuple(dict.fromkeys(r.reason for r in reasons)), unwritable=all(r.always for r in reasons))
    _still_there(writes, made)
    result = fresh(made)
    found = tuple(changes(obj, result))
    if found:
        notes += _beside(definition, obj, result, {(w.component.name, w.id) for w in writes})
        notes += devices.notes(found, result)
    return Edited(result, found, tuple(notes))


def _name(write: _Write) -> str:
    name = write.component.name
    return f"component {name!r}, instance {write.id!r}" if write.id else f"component {name!r}"


def _meant(definition: Definition, name: str | None) -> list[ComponentDef]:
    """The components whose pods are to be changed. Raises EditError when there are none."""
    if name is None:
        parts = [c for c in definition.components if c.bears_pods]
        if not parts:
            raise EditError([f"the definition {definition.name!r} says of no component what its pods look like"])
        return parts
    part = component_of(definition, name)
    if not part.bears_pods:
        raise EditError([f"the definition does not say what the pods of component {name!r} look like"])
    return [part]


def _left_out(definition: Definition, part: ComponentDef, obj: JsonObject, patch: Mapping[str, Json]) -> bool:
    """Whether the object goes without the role: it wants no pods of it, and nothing of the patch has a place there."""
    if part.instance_ids is not None:
        return False
    for route in routes(part, patch, lambda expr: _present(expr, obj)):
        if isinstance(route, Route) and (not route.whole or _present(route.expr, obj)):
            return False
    found = resolve(definition, obj).component(part.name)
    return found is not None and all(i.scale is not None and i.scale.desired == 0 for i in found.instances)


def _writes(
    parts: Sequence[ComponentDef],
    obj: JsonObject,
    patch: Mapping[str, Json],
    wanted: Sequence[str] | None,
    reasons: list[Refused],
) -> Iterator[_Write]:
    """All places to write, component by component; what stands against it goes to reasons."""
    for part in parts:
        try:
            ids = instance_ids(part, obj)
        except Refused as fault:
            reasons.append(_of(part, fault))
            continue
        if not ids or (wanted is not None and not set(wanted) & set(ids)):
            continue
        for route in routes(part, patch, lambda expr: _present(expr, obj)):
            if isinstance(route, Lost):
                reasons.append(_of(part, Refused(f"{shown(route.at)} cannot be set: {route.why}", always=True)))
                continue
            try:
                found, shared = _found(route, obj)
                _fits(route, ids, found, part)
                if wanted is not None and part.instance_ids is not None:
                    aligned(part.instance_ids, ids, route.expr, found, obj)
            except Refused as fault:
                reasons.append(_of(part, fault))
                continue
            for id_, at in zip(ids, found, strict=True):
                if wanted is None or id_ in wanted:
                    yield _Write(part, id_, route, at, shared)


def _present(expr: Expr, obj: JsonObject) -> bool:
    try:
        return any(at_place(obj, at) not in (ABSENT, None) for at in places_of(expr, obj))
    except Refused:
        return True  # the write says why


def _of(part: ComponentDef, fault: Refused) -> Refused:
    return Refused(f"component {part.name!r}: {fault.reason}", always=fault.always)


def _found(route: Route, obj: JsonObject) -> tuple[list[DocPath], bool]:
    """The places of a route. Only a whole template may be found by a fallback: what is written there was read there."""
    return settled(route.expr, obj) if route.whole else (places_of(route.expr, obj), False)


def _fits(route: Route, ids: Sequence[str], found: Sequence[DocPath], part: ComponentDef) -> None:
    """Raises Refused unless there is one place for each instance (Q16)."""
    if not found:
        raise Refused(f"`{route.expr.text}` matches nothing in this object")
    if part.instance_ids is None and len(found) > 1:
        raise Refused(
            f"`{route.expr.text}` names {len(found)} places, and the component has no instance ids", always=True
        )
    if len(found) != len(ids):
        raise Refused(f"`{route.expr.text}` names {len(found)} places, and there are {len(ids)} instances")
    if len(set(found)) != len(found):
        raise Refused(f"`{route.expr.text}` names one place for several instances")


def _written(obj: Json, write: _Write) -> Json:
    """The object with one write made. Raises Refused or Unmergeable."""
    route, at = write.route, write.at
    if at:
        check(obj, at)
    now = at_place(obj, at)
    if route.patch is CLEAR:
        if not isinstance(at[-1], str):
            raise Refused(f"{shown(at)} is an entry of a list, which cannot be taken out")
        return put(obj, at, CLEAR)
    if route.whole and now in (ABSENT, None):
        raise Refused(f"there is nothing at {shown(at)} to change")
    if now is not ABSENT and now is not None and _kind(now) != _kind(route.patch):
        raise Refused(f"{shown(at)} holds {_kind(now)}, not {_kind(route.patch)}")
    if route.at == ("container",) and route.patch.get("name", now.get("name")) != now.get("name"):
        raise Unmergeable(f"there is no container {route.patch['name']!r}, only {listed([str(now.get('name'))])}")
    value = None if now is ABSENT else now
    if value is None and only_clears(route.patch):
        return obj  # there is nothing to take out
    return put(obj, at, merged(value, route.patch, route.at))


def _kind(value: Json) -> str:
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    return "a text" if isinstance(value, str) else "a number or a truth value"


def _unknown(parts: Sequence[ComponentDef], obj: JsonObject, wanted: Sequence[str], *, told: bool) -> list[Refused]:
    """Instances that no component has, or several have."""
    having: dict[str, list[str]] = {}
    for part in parts:
        try:
            ids = instance_ids(part, obj)
        except Refused:
            continue
        for id_ in ids:
            having.setdefault(id_, []).append(part.name)
    having.pop("", None)
    found = []
    for id_ in dict.fromkeys(wanted):
        owners = having.get(id_, [])
        if not owners and not (told and not having):
            there = f", only {listed(sorted(having))}" if having else ", for there are none"
            found.append(Refused(f"there is no instance {id_!r}{there}"))
        if len(owners) > 1:
            found.append(Refused(f"the components {listed(owners)} each have an instance {id_!r}; name one of them"))
    return found


def _still_there(writes: Sequence[_Write], made: JsonObject) -> None:
    """Raises EditError when the paths no longer name the places that were written: reading would not show the edit."""
    for route in {id(w.route): w.route for w in writes}.values():
        mine = [w for w in writes if w.route is route]
        if route.patch is CLEAR:
            continue
        try:
            found, _ = _found(route, made)
            ids = instance_ids(mine[0].component, made)
        except Refused as fault:
            raise EditError([f"after this edit the definition could not read it back: {fault.reason}"]) from None
        if not {(w.id, w.at) for w in mine} <= set(zip(ids, found, strict=False)):
            raise EditError([f"after this edit `{route.expr.text}` would no longer name what was written"])


def _beside(definition: Definition, old: JsonObject, new: JsonObject, meant: set[tuple[str, str]]) -> Iterator[str]:
    """A note for every instance that reads otherwise although it was not meant: two parts share a place."""
    from kartatest.resolve import resolve

    was = {(c.name, i.id): i for c in resolve(definition, old).walk() for i in c.instances}
    for part in resolve(definition, new).walk():
        for instance in part.instances:
            key = (part.name, instance.id)
            if key not in meant and key in was and was[key].pod != instance.pod:
                name = f"component {key[0]!r}" + (f", instance {key[1]!r}" if key[1] else "")
                yield f"{name} reads the same place, so it changes too"
