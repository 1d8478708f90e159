"""Steps into a value: fields, entries, slices, iteration, and what `?` does to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from kartatest.infer import lattice as la
from kartatest.infer.counts import NONE, ONE, Count
from kartatest.infer.events import Missing, Read
from kartatest.infer.lattice import ALL, ARRAY, NEVER, NULL, NUMBER, OBJECT, STRING, UNKNOWN, Value
from kartatest.infer.place import new_each, new_root
from kartatest.infer.state import NO_OUT, Env, Out, both
from kartatest.jq import ast as jq
from kartatest.jq.ast import Node
from kartatest.jq.shape import Path
from kartatest.schema.model import Type
from kartatest.source import Span

if TYPE_CHECKING:
    from kartatest.infer.interpret import Interpreter


def _index(interp: Interpreter, node: jq.Index, value: Value, env: Env) -> Out:
    target = interp.run(node.target, value, env)
    key = interp.run(node.key, value, env.having(target.facts))
    found = step(interp, node, target.value, key.value)
    return Out(found, target.count * key.count, target.facts)


def step(interp: Interpreter, node: jq.Index, target: Value, key: Value) -> Value:
    """What stands in target under a key."""
    if target.never or key.never:
        return NEVER
    results = [la.Value(NULL, place=None)] if target.may(NULL) and key.may(NULL) else []
    names = [c for c in key.consts or () if isinstance(c, str)]
    span = step_span(node)
    if key.may(STRING):
        results.append(_named(interp, node, span, target, names if key.consts is not None else None))
    if key.may(NUMBER):
        sound = interp.need(node, target, NULL | ARRAY | STRING, "is taken by a number", span=span)
        results.append(_numbered(interp, node, span, sound, key))
    if key.may(ALL & ~(STRING | NUMBER | NULL)) or (key.may(NULL) and target.may(ALL & ~NULL)):
        # An object is a slice, an array a search; neither is written in definitions.
        interp.fail(node, "is taken by neither a name nor a number", key, ALL & ~(STRING | NUMBER), span=span)
        if target.may(ARRAY | STRING):
            results.append(UNKNOWN)
    return la.join(*results)


def _named(interp: Interpreter, node: jq.Index, span: Span, target: Value, names: list[str] | None) -> Value:
    there = target.without(NULL)
    if not there.never and not there.may(OBJECT):
        name = names[0] if names and len(names) == 1 else ""
        if name:
            interp.note(Missing(node, span, name, there, ()))
    sound = interp.need(node, target, NULL | OBJECT, "has no fields", span=span)
    if names is None:
        found = la.join(la.fields_of(sound), la.NULL_VALUE).at(None)
    else:
        found = la.join(*(_field(interp, node, span, sound, name) for name in names))
    return found


def _field(interp: Interpreter, node: jq.Index, span: Span, target: Value, name: str) -> Value:
    looked = la.field_of(target, name) if target.may(OBJECT) else la.Lookup(NEVER, True)
    if not looked.known:
        types = tuple(shape for shape in target.objects if isinstance(shape, Type))
        if types or (target.objects and all(map(la.is_entry, target.objects))):
            interp.note(Missing(node, span, name, target, types))
    found = looked.value
    if target.may(NULL):
        here = None if target.origin is None else (*target.origin, name)
        null = Value(NULL, place=target.place / name if target.place else None, origin=here)
        found = la.join(found, null) if found.place != null.place or not found.may(NULL) else found
    if found.origin is not None and looked.known:
        interp.note(Read(node, span, found.origin, found), repr(found.origin))
    return found


def _numbered(interp: Interpreter, node: jq.Index, span: Span, target: Value, key: Value) -> Value:
    found = []
    if target.may(ARRAY):
        only = next(iter(key.consts)) if key.consts and len(key.consts) == 1 else None
        index = int(only) if isinstance(only, int | float) else None
        low = la.lengths(target)[0]
        step = new_each() if index is None else index
        item = la.item_of(target.only(ARRAY), step)
        sure = index is not None and (0 <= index < low or -low <= index < 0)
        if not sure:
            item = la.join(item, Value(NULL, place=item.place, origin=item.origin))
        found.append(item)
    if target.may(NULL):
        found.append(la.NULL_VALUE)
    if target.may(STRING):
        found.append(la.of_kinds(STRING | NULL))
    return la.join(*found)


def _slice(interp: Interpreter, node: jq.Slice, value: Value, env: Env) -> Out:
    target = interp.run(node.target, value, env)
    count = target.count
    for bound in (node.start, node.stop):
        if bound is not None:
            made = interp.run(bound, value, env)
            count *= made.count
            interp.need(bound, made.value, NULL | NUMBER, "is no number to slice by")
    sound = interp.need(node, target.value, NULL | ARRAY | STRING, "cannot be sliced", span=step_span(node))
    items = la.item_of(sound.only(ARRAY), new_each()) if sound.may(ARRAY) else NEVER
    high = la.lengths(sound)[1] if sound.may(ARRAY) else 0
    parts = [la.array(items, 0, high)] if sound.may(ARRAY) else []
    parts.append(la.of_kinds(sound.kinds & (NULL | STRING)))
    return Out(la.join(*parts), count, target.facts)


def _iterate(interp: Interpreter, node: jq.Iterate, value: Value, env: Env) -> Out:
    target = interp.run(node.target, value, env)
    found, count = entries(interp, node, target.value, guarded=False)
    return Out(found, target.count * count, target.facts)


def entries(
    interp: Interpreter, node: Node, target: Value, *, guarded: bool, span: Span | None = None
) -> tuple[Value, Count]:
    """What `.[]` gives, and how often."""
    if not guarded:
        if span is None and isinstance(node, jq.Iterate):
            span = step_span(node)
        interp.fail(node, "is iterated", target, ALL & ~(ARRAY | OBJECT), span=span)
    sound = target.only(ARRAY | OBJECT)
    found: list[Value] = []
    low: int | None = None
    high: int | None = 0
    over: tuple[Path, ...] | None = None if target.origin is None else (target.origin,)
    if sound.may(ARRAY):
        each = new_each()
        found.append(la.item_of(sound, each))
        low, high = la.lengths(sound)
        listings = [a for a in sound.arrays if not isinstance(a, Type)]
        if listings:
            over = listings[0].over if len(sound.arrays) == 1 and sound.kinds == ARRAY else None
    if sound.may(OBJECT):
        found.append(la.fields_of(sound))
        low, high = 0, None
    if target.kinds & ~(ARRAY | OBJECT) and guarded:
        low = 0
    if sound.never:
        return NEVER, NONE
    item = la.join(*found)
    return item, NONE if item.never else Count(low or 0, high, over)


def _try(interp: Interpreter, node: jq.Try, value: Value, env: Env) -> Out:
    body = node.body
    if node.step and isinstance(body, jq.Index | jq.Slice | jq.Iterate):
        # Only the last step is guarded; its key sees what comes to it.
        target = interp.run(body.target, value, env)
        if target.value.never:
            return NO_OUT
        there = target.value if target.value.place is not None else target.value.at(new_root())
        made, failed = _step_caught(interp, body, there, env.having(target.facts))
        count = made.count.perhaps() if failed else made.count
        return Out(made.value, target.count * count, both(target.facts, made.facts))
    if isinstance(body, jq.Iterate) and node.handler is None:
        target, failed = interp.caught(body.target, value, env)
        made, _ = _step_caught(interp, body, target.value, env)
        count = target.count * made.count
        return Out(made.value, count.perhaps() if failed else count, target.facts)
    made, failed = interp.caught(body, value, env)
    if not failed:
        return made
    if node.handler is None:
        return Out(made.value, made.count.perhaps(), made.facts)
    handled = interp.run(node.handler, UNKNOWN, env)
    count = Count(0, made.count.high) + Count(0, handled.count.high)
    if made.count == handled.count == ONE:
        count = ONE
    return Out(la.join(made.value, handled.value), count)


def _step_caught(
    interp: Interpreter, node: jq.Index | jq.Slice | jq.Iterate, target: Value, env: Env
) -> tuple[Out, bool]:
    """One guarded step from a target. Iterating what is no list gives nothing, which is no loss."""
    if isinstance(node, jq.Iterate):
        found, count = entries(interp, node, target, guarded=True)
        return Out(found, count), False
    here = jq.Identity(span=Span(node.span.start, node.span.start))
    if isinstance(node, jq.Index):
        alone: jq.Index | jq.Slice = jq.Index(here, node.key, span=step_span(node))
    else:
        alone = jq.Slice(here, node.start, node.stop, span=step_span(node))
    interp.keep(alone)
    return interp.caught(alone, target, env)


def step_span(node: jq.Index | jq.Slice | jq.Iterate) -> Span:
    """The last step of a term alone: `.c` of `.a.b.c`."""
    target = node.target
    start = node.span.start if isinstance(target, jq.Identity) else target.span.end
    return Span(start, node.span.end) if node.span.start <= start < node.span.end else node.span


HANDLERS: Final[Mapping[type, Callable[..., Out]]] = {
    jq.Index: _index,
    jq.Slice: _slice,
    jq.Iterate: _iterate,
    jq.Try: _try,
}
"""By node type: (interpreter, node, input, scope) -> what it gives."""
