"""Functions of paths: path, paths, getpath, pick, del and the streaming forms."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.jq import ast as jq
from kartatest.jq.budget import Meter
from kartatest.jq.builtins.control import selecting
from kartatest.jq.builtins.core import length
from kartatest.jq.builtins.registry import control, function
from kartatest.jq.code import Code, Env, Place, Scope, intact, single, stream
from kartatest.jq.emit.assign import paths_of
from kartatest.jq.emit.core import emit
from kartatest.jq.emit.flow import piped
from kartatest.jq.errors import JqRunError
from kartatest.jq.operators import add, index, slice_of
from kartatest.jq.update import Owned, delete, get, put
from kartatest.jq.values import compare, fail, preview
from kartatest.source import Json, Span


@control("path", 1)
def _path(meter: Meter, _span: Span, target: Code) -> Code:
    return stream(lambda v, env: paths_of(target, v, env, meter))


@control("getpath", 1)
def _getpath(meter: Meter, span: Span, path: Code) -> Code:
    def read(v: Json, p: Json) -> Json:
        try:
            return get(meter, v, p)
        except JqRunError as e:
            e.span = e.span or span
            raise

    def trail(v: Json, place: Place, env: Env) -> Iterator[tuple[Json, Place]]:
        for p in path.many(v, env):
            found = read(v, p)
            here = intact(v, place, meter, span)
            if p and here[0] is not None:  # all at once: step by step a long path is copied again and again
                meter.words(len(here[0]) + len(p))
                here = ((*here[0], *p), found)
            yield found, here

    one = path.one
    if one is not None:
        return single(lambda v, env: read(v, one(v, env)), trail)
    return stream(lambda v, env: (read(v, p) for p in path.many(v, env)), trail)


@function("setpath", 2)
def _setpath(meter: Meter, v: Json, path: Json, new: Json) -> Json:
    if not isinstance(path, list):
        raise fail(f"a path is an array, not {preview(path)}")
    return put(v, path, new, Owned(meter))


@function("delpaths", 1)
def _delpaths(meter: Meter, v: Json, paths: Json) -> Json:
    return delete(meter, v, paths)


@control("del", 1)
def _del(meter: Meter, _span: Span, target: Code) -> Code:
    return single(lambda v, env: delete(meter, v, list(paths_of(target, v, env, meter))))


def _everywhere(meter: Meter, span: Span) -> Code:
    return emit(jq.Recurse(span=span), Scope(meter))


@control("paths")
def _paths(meter: Meter, span: Span) -> Code:
    target = _everywhere(meter, span)
    return stream(lambda v, env: (p for p in paths_of(target, v, env, meter) if p))


@control("paths", 1)
def _paths_where(meter: Meter, span: Span, test: Code) -> Code:
    target = piped(_everywhere(meter, span), selecting(test))
    return stream(lambda v, env: (p for p in paths_of(target, v, env, meter) if p))


@control("pick", 1)
def _pick(meter: Meter, _span: Span, target: Code) -> Code:
    def one(v: Json, env: Env) -> Json:
        picked, owned = None, Owned(meter)
        for path in paths_of(target, v, env, meter):
            picked = put(picked, path, get(meter, v, path), owned)
        return picked

    return single(one)


@control("tostream")
def _tostream(meter: Meter, _span: Span) -> Code:
    def events(v: Json, path: list[Json]) -> Iterator[Json]:
        meter.spend(1)
        meter.words(len(path) + 8)
        if not isinstance(v, (list, dict)) or not v:
            yield [path, v]
            return
        key: Json = None
        for key, x in enumerate(v) if isinstance(v, list) else ((k, v[k]) for k in sorted(v)):
            yield from events(x, [*path, key])
        yield [[*path, key]]  # behind the last one of each container

    return stream(lambda v, _env: events(v, []))


@control("fromstream", 1)
def _fromstream(meter: Meter, span: Span, events: Code) -> Code:
    def many(v: Json, env: Env) -> Iterator[Json]:
        made, owned = None, Owned(meter)
        for event in events.many(v, env):
            meter.spend(1)
            if event is not None and not isinstance(event, list):
                raise fail(f"an event of a stream is [path, value] or [path], not {preview(event)}", span)
            path = event[0] if event else None
            if event is not None and len(event) == 2:
                made = put(made, add(meter, ["v"], path), event[1], owned)
                done = length(meter, path) == 0
            else:
                done = length(meter, path) == 1
            if done:
                yield index(meter, made, "v")
                made, owned = None, Owned(meter)

    return stream(many)


@control("truncate_stream", 1)
def _truncate_stream(meter: Meter, _span: Span, events: Code) -> Code:
    def many(depth: Json, env: Env) -> Iterator[Json]:
        for event in events.many(None, env):
            path = index(meter, event, 0)
            if compare(length(meter, path), depth, meter) > 0:
                yield put(event, [0], slice_of(meter, path, depth, None), Owned(meter))

    return stream(many)
