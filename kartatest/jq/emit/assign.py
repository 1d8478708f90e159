"""Operators that change: `=`, `|=`, `+=` and the like."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.jq import ast as jq
from kartatest.jq.budget import Meter
from kartatest.jq.code import NOTHING, Code, Env, Many, Scope, intact, single, stream
from kartatest.jq.emit.core import emit, emits
from kartatest.jq.errors import JqRunError
from kartatest.jq.operators import ARITHMETIC
from kartatest.jq.update import Owned, delete, get, put
from kartatest.source import Json


@emits(jq.Assign)
def _assign(node: jq.Assign, scope: Scope) -> Code:
    left, right = emit(node.left, scope), emit(node.right, scope)
    meter = scope.meter
    if node.op == "|=":
        return modified(left, right.many, meter)
    if node.op == "=":

        def replaced(v: Json, env: Env) -> Iterator[Json]:
            for new in right.many(v, env):
                owned = Owned(meter)
                changed = v
                for path in paths_of(left, v, env, meter):
                    changed = put(changed, path, new, owned)
                yield changed

        return stream(replaced)
    compute = ARITHMETIC.get(node.op[:-1])

    def combined(v: Json, env: Env) -> Iterator[Json]:
        for operand in right.many(v, env):

            def change(old: Json, _env: Env, operand: Json = operand) -> Iterator[Json]:
                if compute is None:  # //=
                    return iter((operand if old is None or old is False else old,))
                try:
                    return iter((compute(meter, old, operand),))
                except JqRunError as e:
                    e.span = e.span or node.op_span
                    raise

            yield update(v, left, change, env, meter)

    return stream(combined)


def paths_of(code: Code, v: Json, env: Env, meter: Meter) -> Iterator[list[Json]]:
    """The paths `path(code)` gives on v. Raises JqRunError for what has none."""
    for x, place in code.trail(v, ((), v), env):
        path = intact(x, place, meter)[0]
        if path is not None:
            yield list(path)


def update(v: Json, target: Code, change: Many, env: Env, meter: Meter) -> Json:
    """`target |= change`: the first output of change at each path; where there is none, the place is deleted."""
    owned, gone, changed = Owned(meter), [], v
    for path in paths_of(target, v, env, meter):
        meter.spend(1)
        new = next(change(get(meter, changed, path), env), NOTHING)
        if new is NOTHING:
            gone.append(path)
        else:
            changed = put(changed, path, new, owned)
    return delete(meter, changed, gone)


def modified(target: Code, change: Many, meter: Meter) -> Code:
    """Code for `target |= change`."""
    return single(lambda v, env: update(v, target, change, env, meter))
