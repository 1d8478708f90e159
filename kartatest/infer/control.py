"""Pipes, branches, defaults, loops and names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from kartatest.infer import lattice as la
from kartatest.infer.counts import MANY, NONE, ONE, Count
from kartatest.infer.events import Defaulted
from kartatest.infer.lattice import ALL, FALSE, NEVER, NULL, NUMBER, UNKNOWN, Value
from kartatest.infer.place import new_root
from kartatest.infer.state import NO_FACTS, NO_OUT, Closure, Env, Out, both
from kartatest.jq import ast as jq

ROUNDS: Final = 3
"""How often a loop is gone through before what it builds up is taken for anything of its kinds."""

if TYPE_CHECKING:
    from kartatest.infer.interpret import Interpreter


def _pipe(interp: Interpreter, node: jq.Pipe, value: Value, env: Env) -> Out:
    left = interp.run(node.left, value, env)
    if left.value.never:
        return Out(NEVER, NONE)
    there = left.value if left.value.place is not None else left.value.at(new_root())
    right = interp.run(node.right, there, env.having(left.facts))
    return Out(right.value, left.count * right.count, both(left.facts, right.facts))


def _comma(interp: Interpreter, node: jq.Comma, value: Value, env: Env) -> Out:
    left, right = interp.run(node.left, value, env), interp.run(node.right, value, env)
    return Out(la.join(left.value, right.value), left.count + right.count)


def _if(interp: Interpreter, node: jq.If, value: Value, env: Env) -> Out:
    from kartatest.infer.refine import refined

    condition = interp.run(node.condition, value, env)
    parts: list[Out] = []
    if condition.value.may(ALL & ~(NULL | FALSE)):
        parts.append(interp.run(node.consequence, value, env.having(refined(interp, node.condition, value, env, True))))
    if condition.value.may(NULL | FALSE):
        under = env.having(refined(interp, node.condition, value, env, False))
        other = node.alternative
        parts.append(Out(under.narrowed(value)) if other is None else interp.run(other, value, under))
    if not parts:
        return NO_OUT
    count = parts[0].count
    for part in parts[1:]:
        count = count | part.count
    facts = parts[0].facts if len(parts) == 1 else NO_FACTS
    return Out(la.join(*(p.value for p in parts)), condition.count * count, facts)


def _alternative(interp: Interpreter, node: jq.Binary, value: Value, env: Env) -> Out:
    left = interp.run(node.left, value, env)  # its errors are errors of the whole (gojq 0.12.19)
    right = interp.run(node.right, value, env)
    interp.note(Defaulted(node, left.value, left.count, right.value))
    good = left.value.without(NULL | FALSE)
    sure = left.count.low > 0
    if sure and good.kinds == left.value.kinds:
        return left
    if left.count.high == 1 and right.count == ONE:
        count = ONE
    else:
        # False ones are dropped, and the right side stands in only where all are.
        low = min(1, right.count.low) if sure or right.count.low else 0
        highs = (left.count.high, right.count.high)
        count = Count(low, None if None in highs else max(h for h in highs if h is not None))
        if good.never:
            count = right.count
    return Out(la.join(good, right.value), count)


def _bind(interp: Interpreter, node: jq.Bind, value: Value, env: Env) -> Out:
    from kartatest.infer.patterns import bound

    source = interp.run(node.source, value, env)
    if source.value.never:
        return NO_OUT
    under = env.having(source.facts).binding(bound(interp, node.patterns, source.value, value, env))
    made = interp.run(node.body, value, under)
    count = source.count * made.count
    return Out(made.value, count if len(node.patterns) == 1 else count.perhaps(), both(source.facts, made.facts))


def _reduce(interp: Interpreter, node: jq.Reduce, value: Value, env: Env) -> Out:
    source, init = interp.run(node.source, value, env), interp.run(node.init, value, env)
    if source.value.never:
        return Out(init.value, init.count)
    done, made = _rounds(interp, node, source, init, value, env)
    count = init.count if made.low > 0 else init.count.perhaps()
    return Out(done, count if count == ONE or count.high == 1 else MANY)


def _foreach(interp: Interpreter, node: jq.Foreach, value: Value, env: Env) -> Out:
    from kartatest.infer.patterns import bound

    source, init = interp.run(node.source, value, env), interp.run(node.init, value, env)
    if source.value.never:
        return NO_OUT
    state, made = _rounds(interp, node, source, init, value, env)
    count = source.count * init.count * made
    if node.extract is None:
        return Out(state, count)
    under = env.binding(bound(interp, node.patterns, source.value, value, env))
    extracted = interp.run(node.extract, state, under)
    return Out(extracted.value, count * extracted.count)


def _rounds(
    interp: Interpreter, node: jq.Reduce | jq.Foreach, source: Out, init: Out, value: Value, env: Env
) -> tuple[Value, Count]:
    """The state of a loop after any number of rounds, and how many states each round gives."""
    from kartatest.infer.patterns import bound

    under = env.having(source.facts).binding(bound(interp, node.patterns, source.value, value, env))
    state = la.detached(init.value)
    for turn in range(ROUNDS + 8):
        made = interp.run(node.update, state.at(new_root()), under)
        grown = la.join(state, la.detached(made.value))
        if la.same(grown, state):
            break
        state = grown if turn < ROUNDS else la.widened(grown)
    return state, made.count


def _define(interp: Interpreter, node: jq.Define, value: Value, env: Env) -> Out:
    function = node.function
    return interp.run(node.rest, value, env.defining(Closure(function.name, function.params, function.body, env)))


def _variable(interp: Interpreter, node: jq.Variable, value: Value, env: Env) -> Out:
    if node.name in env.variables:
        return Out(env.narrowed(env.variables[node.name]))
    if node.name == "ENV":
        return Out(la.record({}))
    return Out(UNKNOWN)


def _label(interp: Interpreter, node: jq.Label, value: Value, env: Env) -> Out:
    made = interp.run(node.body, value, env)
    return Out(made.value, made.count.perhaps())


def _break(interp: Interpreter, node: jq.Break, value: Value, env: Env) -> Out:
    return NO_OUT


def _module(interp: Interpreter, node: jq.Module, value: Value, env: Env) -> Out:
    return interp.run(node.body, value, env)


def _assign(interp: Interpreter, node: jq.Assign, value: Value, env: Env) -> Out:
    interp.run(node.left, value, env)
    interp.run(node.right, value, env)
    return interp.give_up()


def _call(interp: Interpreter, node: jq.Call, value: Value, env: Env) -> Out:
    from kartatest.infer.calls import call

    return call(interp, node, value, env)


def _binary(interp: Interpreter, node: jq.Binary, value: Value, env: Env) -> Out:
    from kartatest.infer.operators import binary

    return _alternative(interp, node, value, env) if node.op == "//" else binary(interp, node, value, env)


def _negate(interp: Interpreter, node: jq.Negate, value: Value, env: Env) -> Out:
    made = interp.run(node.body, value, env)
    sound = interp.need(node, made.value, NUMBER, "is negated")
    return Out(NEVER if sound.never else _negated(sound), made.count)


def _negated(value: Value) -> Value:
    numbers = [-c for c in value.consts or () if not isinstance(c, str)]
    if value.consts and len(numbers) == len(value.consts):
        return la.join(*map(la.constant, numbers))
    return la.of_kinds(NUMBER, whole=value.whole)


HANDLERS: Final[Mapping[type, Callable[..., Out]]] = {
    jq.Negate: _negate,
    jq.Pipe: _pipe,
    jq.Comma: _comma,
    jq.Binary: _binary,
    jq.Assign: _assign,
    jq.Bind: _bind,
    jq.Reduce: _reduce,
    jq.Foreach: _foreach,
    jq.If: _if,
    jq.Define: _define,
    jq.Call: _call,
    jq.Variable: _variable,
    jq.Label: _label,
    jq.Break: _break,
    jq.Module: _module,
}
"""By node type: (interpreter, node, input, scope) -> what it gives."""
