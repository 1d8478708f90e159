"""Laws of inference: what an expression gives on an object of the schema is what was inferred of it."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from kartatest.definition.model import Gvk
from kartatest.infer import Inferred, infer
from kartatest.jq import parse
from kartatest.jq.compile import compile as compiled
from kartatest.jq.errors import JqBudgetError, JqError
from kartatest.schema import schema_for
from kartatest.schema.model import Base, Type
from kartatest.source import Json
from tests.jq.generate import Maker
from tests.typed_objects import fits, sample

KINDS = [
    Gvk("jobset.x-k8s.io", "v1alpha2", "JobSet"),
    Gvk("kubeflow.org", "v1", "PyTorchJob"),
    Gvk("ray.io", "v1", "RayCluster"),
    Gvk("leaderworkerset.x-k8s.io", "v1", "LeaderWorkerSet"),
    Gvk("", "v1", "Pod"),
]


def root(kind: Gvk) -> Type:
    schema = schema_for(kind)
    assert schema is not None
    return schema.root


def holds(text: str, type_: Type, objects: list[Json]) -> Inferred | None:
    """Assert that what was inferred of a text is so on objects; None when the text is no program."""
    try:
        tree = parse(text)
        program = compiled(tree, trusted=True)
    except JqError:
        return None
    inferred = infer(tree, type_)
    for obj in objects:
        try:
            outputs = program.run(obj)
        except JqBudgetError:
            continue
        except JqError as error:
            if inferred.may_fail is False:
                pytest.fail(f"{text} was to never fail: {error} on {obj}")
            continue
        count = inferred.count
        assert count.low <= len(outputs), f"{text}: {len(outputs)} results, {count} were inferred, on {obj}"
        assert count.high is None or len(outputs) <= count.high, f"{text}: {len(outputs)} results, not {count}"
        for output in outputs:
            assert fits(output, inferred.value), f"{text} gave {output}, {inferred} was inferred, on {obj}"
    return inferred


def objects(r: Random, type_: Type, count: int = 4) -> list[Json]:
    return [sample(r, type_, keep=r.choice([0.2, 0.6, 0.9])) for _ in range(count)]


@pytest.mark.parametrize("kind", KINDS, ids=lambda k: k.kind)
def test_results_of_any_program_are_as_inferred(kind: Gvk) -> None:
    type_, r = root(kind), Random(kind.kind)
    known = 0
    for _ in range(300):
        some = objects(r, type_)
        inferred = holds(Maker(r).program(some[0], r.choice([1, 2, 2, 3])), type_, some)
        known += inferred is not None and inferred.may_fail is not None
    assert known > 200, "most programs are understood"


def paths(type_: Type, text: str = "", depth: int = 0) -> Iterator[tuple[str, Type]]:
    """Plain paths into an object, without iteration, not deep."""
    for name, kid in type_.fields.items():
        here = f"{text}.{name}"
        yield here, kid
        if kid.base is Base.OBJECT and depth < 2:
            yield from paths(kid, here, depth + 1)


CONDITIONS = (
    "{p} != null",
    "{p}",
    "{p} == null | not",
    "({p} | type) == {t}",
    "({p} // 0) > 0",
    "{p} > 0",
    "{p} >= 1 and {p} != null",
    "({p} | length) > 0",
    "({p} // []) != []",
    "{h} | has({n})",
    "{p} == {c}",
    "{c} == {p} or {p} == {d}",
    "(({p} == null) or ({p} == false)) | not",
)
SHAPES = (
    "select({k}) | {p} | {use}",
    "if {k} then ({p} | {use}) else null end",
    "if {k} then {p} else ({p} | {use}) end",
    "({k}) and ({p} | {use} | true)",
    "({k}) or ({p} | {use} | true)",
    "{p} as $x | select({k}) | $x | {use}",
    "[{p}] | map(select(. != null)) | map({use})",
    "[{p}?, {p}] | first | {use}",
    "{{a: {p}}} | select(.a != null) | .a | {use}",
    "def f: {p}; select(f != null) | f | {use}",
    "def f($v): $v | {use}; f({p})",
    "reduce {p} as $x (0; . + ($x | {use} | length))",
    "try ({p} | {use}) catch .",
    "{p} // 1 | {use}",
    "{p} | values | {use}",
    "any({k}; .) as $b | [$b, ({p} | {use})]",
)
USES = (
    ". + 1",
    ".[]",
    "length",
    "keys",
    "ascii_downcase",
    "map(.)",
    ".name",
    ".[0]",
    "tostring",
    ". * 2",
    "to_entries",
)


@pytest.mark.parametrize("kind", KINDS, ids=lambda k: k.kind)
def test_conditions_make_sure_of_what_they_say_and_no_more(kind: Gvk) -> None:
    type_, r = root(kind), Random(f"{kind.kind} conditions")
    every = list(paths(type_))
    for _ in range(400):
        path, _type = r.choice(every)
        holder, _, name = path.rpartition(".")
        word = r.choice(["null", "boolean", "number", "string", "array", "object"])
        condition = r.choice(CONDITIONS).format(
            p=path, h=holder or ".", n=f'"{name}"', t=f'"{word}"', c=r.choice(['"x"', "1", "true"]), d=r.choice("01")
        )
        text = r.choice(SHAPES).format(k=condition, p=path, use=r.choice(USES))
        assert holds(text, type_, objects(r, type_, 3)) is not None, text


ELEMENTS = (
    "{l}[]? | select({x} != null) | {x} | {use}",
    "{l}[]? as $a | {l}[]? as $b | select($a{x} != null) | $b{x} | {use}",
    "[{l}[]?] as $all | $all[] as $a | $all[] as $b | if $a{x} then ($b{x} | {use}) else 1 end",
    "[{l}[]? | {{v: {x}}}] | .[] as $a | .[] | select($a.v != null) | .v | {use}",
    "reduce {l}[]? as $a (null; if $a{x} == null then . else $a end) | if . == null then 0 else ({x} | {use}) end",
    "reduce {l}[]? as $a ({{}}; if $a{x} == null then . else {{last: $a}} end) | .last{x}? | {use}",
    "foreach {l}[]? as $a (null; if $a{x} then $a else . end; [$a{x}, .]) | .[1]{x}? | {use}",
    "[{l}[]? | {x}] | first | {use}",
    "[{l}[]? | {x} // empty] | map({use})",
    "({l} // [])[0] | {x} | {use}",
    "{l}[0]{x} | {use}",
    '[{l}[]? | {{key: (.name // .type // "k"), value: .}}] | from_entries as $m | $m.x{x} | {use}',
    '[{l}[]? | {{key: (.name // "k"), value: .}}] | from_entries | select(.a{x} != null) | .b{x} | {use}',
    "def f: {l}[]?; f | select({x}) as $s | f{x} | {use}",
    "{l} | map({x})? | add | {use}",
    "[limit(2; {l}[]?) | {x}] | max | {use}",
    "{l} // [] | sort_by({x}) | last | {x} | {use}",
    "{l} // [] | group_by({x}) | map(length) | add",
    "any({l}[]?; {x} != null) and all({l}[]?; {x} != null)",
    "first({l}[]? | select({x} == 1)) | {x} | {use}",
    "label $f | {l}[]? | if {x} then ., break $f else {x} end",
)


@pytest.mark.parametrize("kind", KINDS, ids=lambda k: k.kind)
def test_entries_of_a_list_are_told_apart(kind: Gvk) -> None:
    type_, r = root(kind), Random(f"{kind.kind} entries")
    lists = [(path, kid.items) for path, kid in paths(type_) if kid.items is not None and kid.items.fields]
    for _ in range(400):
        path, item = r.choice(lists)
        field = f".{r.choice(sorted(item.fields))}"
        text = r.choice(ELEMENTS).format(l=path, x=field, use=r.choice(USES))
        assert holds(text, type_, objects(r, type_, 3)) is not None, text
