"""KT242: the result of an expression is of no type that its field takes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from kartatest.definition.model import ConditionsDef, Use
from kartatest.diagnostics import Severity
from kartatest.lint.results import wrong
from kartatest.lint.rule import Finding, LintContext, Rule, did_you_mean
from kartatest.lint.typing import all_inferred, inferred, is_said, named

if TYPE_CHECKING:
    from kartatest.infer import Value
    from kartatest.jq import ast as jq


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each expression whose results never fit, or may be fractions where a count is taken.

    Results that are null alone are KT240's. Of conditions, the names of their fields are looked at as well.
    """
    for component in ctx.definition.components:
        yield from _condition_fields(ctx, component.status.conditions if component.status else None)
    for expr, tree, made in all_inferred(ctx):
        if expr.use in (Use.PHASE, Use.CONDITIONS) and is_said(ctx, expr, "KT416", "KT417"):
            continue
        found = wrong(expr.use, made.value)
        if found is not None:
            what, instead = found
            yield Finding(at=expr.at, message=f"gives {what}; {expr.use.value} takes {instead}", help=_HELP[expr.use])
        elif expr.use in _COUNTS and (part := _makes_fraction(tree, made.value)) is not None:
            message = f"may give a fraction; {expr.use.value} takes a whole number, and 2.5 is an error"
            yield Finding(at=expr.at, within=part.span, message=message, help="round it: `(...) | floor`, or `ceil`")


def _makes_fraction(tree: jq.Ast, value: Value) -> jq.Node | None:
    """The division, or the constant with a fraction, that a result may not be whole by; None when it is whole."""
    from kartatest.infer.lattice import BOOLEAN, NULL, NUMBER
    from kartatest.jq import ast as jq

    if value.whole or value.kinds & ~(NULL | BOOLEAN | NUMBER) or not value.may(NUMBER):
        return None
    rounded: set[int] = set()
    for node in jq.walk(tree):
        if isinstance(node, jq.Pipe) and _rounds(node.right):
            rounded.update(id(part) for part in jq.walk(node.left))
    for node in jq.walk(tree):
        if id(node) in rounded:
            continue
        if isinstance(node, jq.Binary) and node.op == "/":
            return node
        if isinstance(node, jq.Literal) and isinstance(node.value, float) and not node.value.is_integer():
            return node
    return None


def _rounds(node: jq.Node) -> bool:
    from kartatest.jq import ast as jq

    return isinstance(node, jq.Call) and node.name in ("floor", "ceil", "round", "trunc") and not node.args


def _condition_fields(ctx: LintContext, conditions: ConditionsDef | None) -> Iterator[Finding]:
    """One finding for each field name of conditionsDefinition that no condition has."""
    found = inferred(ctx, conditions.path) if conditions is not None else None
    if conditions is None or conditions.path is None or found is None or wrong(Use.CONDITIONS, found.value):
        return
    from kartatest.infer import words
    from kartatest.infer.lattice import ARRAY, OBJECT, field_of, item_of
    from kartatest.schema.model import Type

    item = item_of(found.value.only(ARRAY), 0).only(OBJECT) if found.value.may(ARRAY) else None
    if item is None or item.never or not all(isinstance(shape, Type) for shape in item.objects):
        return
    if not field_of(item, conditions.type_field).known and not field_of(item, conditions.status_field).known:
        message = f"gives {words(found.value)} without {conditions.type_field!r} and {conditions.status_field!r}"
        yield Finding(at=conditions.path.at, message=message, help="name the list of conditions")
        return
    names = {
        "typeFieldName": conditions.type_field,
        "statusFieldName": conditions.status_field,
        "messageFieldName": conditions.message_field,
        "reasonFieldName": conditions.reason_field,
    }
    for key, name in names.items():
        at = (*conditions.at, key)
        written = ctx.document.exists(at)
        if not name or field_of(item, name).known or not (written or key in ("typeFieldName", "statusFieldName")):
            continue
        known = sorted({field for shape in item.objects if isinstance(shape, Type) for field in shape.fields})
        yield Finding(
            at=at if written else conditions.path.at,
            message=f"the conditions of {named(ctx, conditions.path.root)} have no field {name!r}, which is {key}",
            help=did_you_mean(name, known),
        )


_COUNTS = (Use.REPLICAS, Use.MIN_REPLICAS, Use.MAX_REPLICAS)
_HELP = {
    **dict.fromkeys(Use, "name the field that holds it"),
    Use.POD_TEMPLATE_SPEC: "name the field with the pod's metadata and spec, or use podSpecPath for a bare pod spec",
    Use.POD_SPEC: "name the field that holds the containers, or use podTemplateSpecPath for a whole template",
    Use.CONTAINERS: "name the list of containers; a single container goes to containerPath",
    Use.CONTAINER: "name one container; a list goes to containersPath",
    **dict.fromkeys(_COUNTS, "name a whole number, or make one with `tonumber` or `floor`"),
    Use.INSTANCE_ID: "name a field with text, or make text of it with `tostring`",
}


RULE = Rule(
    code="KT242",
    name="wrong-result",
    severity=Severity.ERROR,
    summary="The result of an expression is of no type that its field takes.",
    why="A result of another type is an error, or is read as an empty value, on every object.",
    source="semantics 3.4; the kind's CRD",
    check=check,
)
