"""Suspend and resume: the actions that a definition declares, all checked before any is made (Q51)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from kartatest.definition.jsontext import decoded
from kartatest.definition.model import Action, ComponentDef, Definition, Expr
from kartatest.edit import places
from kartatest.edit.model import ABSENT, CLEAR, Change, Edited
from kartatest.edit.places import Refused, compiled, shown
from kartatest.edit.target import component as component_of
from kartatest.edit.target import fitting, instance_ids
from kartatest.edit.values import at_place, changes, fresh, put
from kartatest.errors import EditError
from kartatest.jq.errors import JqError
from kartatest.source import DocPath, Json, JsonObject, same

Which = Literal["suspend", "resume"]


class Write(NamedTuple):
    """One value written at one place, and what was there. top is the first part of the place that had to be made."""

    at: DocPath
    old: Json
    new: Json
    top: DocPath
    top_old: Json


def suspend(definition: Definition, obj: JsonObject, *, component: str | None = None) -> Edited:
    """The object as the suspend actions leave it: of every component, children last to first, then the root (5.4).

    Raises EditError when nothing can be suspended, or with every action that cannot be made.
    """
    notes = fitting(definition, obj)
    made, _ = _apply(definition, obj, "suspend", component)
    return _edited(obj, made, notes)


def resume(
    definition: Definition, obj: JsonObject, *, component: str | None = None, before: JsonObject | None = None
) -> Edited:
    """The object as the resume actions leave it: of the root, then of the children in order.

    before is the object as it was before it was suspended: what the suspend actions changed there is put back, keys
    that it lacked are taken out, and the constants of the resume actions are used only for the rest (Q52). A place
    that no longer holds what suspending wrote is left alone, with a note. Raises EditError as suspend, and when before
    is another object, or its instances are others.
    """
    notes = fitting(definition, obj)
    if before is None:
        made, _ = _apply(definition, obj, "resume", component)
        return _edited(obj, made, notes)
    _alike(definition, obj, before)
    _, writes = _apply(definition, before, "suspend", component)
    made, kept, said = _undone(obj, writes)
    made, _ = _apply(definition, made, "resume", component, kept)
    return _edited(obj, made, (*notes, *said))


def suspends(definition: Definition, obj: JsonObject, *, component: str | None = None) -> bool:
    """Whether suspending would change the object: it is not suspended yet. Raises EditError as suspend."""
    return bool(suspend(definition, obj, component=component).changes)


def written_places(definition: Definition, obj: JsonObject, which: Which) -> tuple[DocPath, ...]:
    """The places that the actions write in obj. Raises EditError as suspend."""
    return tuple(dict.fromkeys(write.at for write in _apply(definition, obj, which, None)[1]))


def _edited(obj: JsonObject, made: Json, notes: Sequence[str]) -> Edited:
    own = fresh(made)
    return Edited(own, tuple(changes(obj, own)), tuple(notes))


def _apply(
    definition: Definition, obj: JsonObject, which: Which, name: str | None, kept: frozenset[DocPath] = frozenset()
) -> tuple[Json, list[Write]]:
    """The object after the actions, and all their writes; places in kept are passed over."""
    faults: list[Refused] = []
    writes: list[Write] = []
    made: Json = obj
    done = False
    for part in _suspendable(definition, which, name):
        done = True
        for number, action in enumerate(_actions(part, which)):
            try:
                value = _value(action)
                for at in _targets(part, action, made, may_be_none=bool(kept)):
                    if at in kept:
                        continue
                    places.check(made, at)
                    top = _made_from(made, at)
                    writes.append(Write(at, at_place(made, at), value, top, at_place(made, top)))
                    made = put(made, at, value)
            except Refused as fault:
                where = f"component {part.name!r}, {which} action {number + 1}"
                faults.append(Refused(f"{where}: {fault.reason}", always=fault.always))
    if faults:
        raise EditError([f.reason for f in faults], unwritable=all(f.always for f in faults))
    if not done:
        what = f"component {name!r}" if name is not None else f"the definition {definition.name!r}"
        raise EditError([f"{what} does not say how to {which}"])
    return made, writes


def _suspendable(definition: Definition, which: Which, name: str | None) -> Iterator[ComponentDef]:
    if name is not None:
        parts = [component_of(definition, name)]
    elif which == "suspend":
        parts = [*reversed(definition.children), definition.root]
    else:
        parts = list(definition.components)
    return (part for part in parts if _actions(part, which))


def _actions(part: ComponentDef, which: Which) -> tuple[Action, ...]:
    if part.suspend is None:
        return ()
    return part.suspend.suspend if which == "suspend" else part.suspend.resume


def _value(action: Action) -> Json:
    """The action's value. Raises Refused for what is not JSON as Go reads it."""
    if action.value is None:
        raise Refused("it has no value", always=True)
    try:
        return decoded(action.value)
    except ValueError:
        raise Refused(f"the value {action.value!r} is not JSON", always=True) from None


def _targets(part: ComponentDef, action: Action, obj: JsonObject, *, may_be_none: bool) -> list[DocPath]:
    """Where an action writes; [] where the component has no instance here. Raises Refused when nothing is matched."""
    if action.path is None:
        raise Refused("it has no path", always=True)
    found = places.places(action.path, obj)
    if not found and not may_be_none and (part.instance_ids is None or instance_ids(part, obj)):
        raise Refused(f"`{action.path.text}` matches nothing in this object")
    return found


def _made_from(obj: JsonObject, at: DocPath) -> DocPath:
    """The shortest way to a place that holds no object yet; the whole path where all of them are there."""
    return next((at[:n] for n in range(1, len(at)) if at_place(obj, at[:n]) in (ABSENT, None)), at)


def _alike(definition: Definition, obj: JsonObject, before: JsonObject) -> None:
    fitting(definition, before)
    for key in ("namespace", "name", "uid"):
        now, then = (at_place(o, ("metadata", key)) for o in (obj, before))
        if key == "uid" and ABSENT in (now, then):
            continue
        if now != then:
            raise EditError([f"what was before is another object: its {key} is {_word(then)}, not {_word(now)}"])
    for part in definition.components:
        if part.instance_ids is None or part.suspend is None:
            continue
        now, then = (_ids(part.instance_ids, o) for o in (obj, before))
        if not same(now, then):
            raise EditError([f"component {part.name!r} had other instances before it was suspended"])


def _ids(expr: Expr, obj: JsonObject) -> Json:
    """What the ids are, whatever they are worth: actions go by places. None where they cannot be read."""
    try:
        return compiled(expr.text).run(obj)
    except (JqError, Refused):
        return None


def _word(value: Json) -> str:
    return "absent" if value is ABSENT else repr(value)


def _undone(obj: JsonObject, writes: Sequence[Write]) -> tuple[Json, frozenset[DocPath], list[str]]:
    """The object with the writes taken back, last first; the places that resuming leaves alone; notes about them."""
    made: Json = obj
    kept: set[DocPath] = set()
    notes: list[str] = []
    for write in reversed(writes):
        if write.top == write.at and same(write.old, write.new):
            continue  # it was suspended before; only the resume action knows what to write
        now = at_place(made, write.at)
        if not same(now, write.new):
            if not same(now, write.old) and write.at not in kept:
                notes.append(f"{shown(write.at)} has changed since it was suspended, so it is left as it is")
            kept.add(write.at)
            continue
        kept.add(write.at)
        whole: Json = write.new
        for step in reversed(write.at[len(write.top) :]):
            whole = {step: whole}
        alone = same(at_place(made, write.top), whole)  # nobody has added to the objects that were made on the way
        top, old = (write.top, write.top_old) if alone else (write.at, write.old)
        made = put(made, top, CLEAR if old is ABSENT else old)
    return made, frozenset(kept), notes


def describe(change: Change) -> str:
    """A change as one line for people: `.spec.suspend`: false -> true."""
    old, new = ("absent" if v is ABSENT else json.dumps(v, ensure_ascii=False) for v in (change.old, change.new))
    return f"{shown(change.path)}: {old} -> {new}"
