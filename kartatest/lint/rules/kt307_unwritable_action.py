"""KT307: the path of a suspend or resume action cannot be written through in every object."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.model import Use
from kartatest.diagnostics import Severity
from kartatest.jq import ast as jq
from kartatest.jq.shape import writable
from kartatest.lint.facts import parsed, slips
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each action path with another step than .field, ["key"], [], ?; numeric indices are KT311."""
    for expr, tree in parsed(ctx, Use.ACTION):
        if not writable(_without_indices(tree)) and not slips(ctx, expr):
            yield Finding(
                at=expr.at,
                message="an action writes here, and this is no plain path",
                help="name one field, such as `.spec.suspend`; use one action for each field",
            )


def _without_indices(tree: jq.Ast) -> jq.Ast:
    """The tree with its numeric indices left out."""
    match tree:
        case jq.Index(target=target, key=jq.Literal(value=int()) | jq.Negate(body=jq.Literal(value=int()))):
            return _without_indices(target)
        case jq.Index(target=target, key=key):
            return jq.Index(_without_indices(target), key)
        case jq.Iterate(target=target):
            return jq.Iterate(_without_indices(target))
        case jq.Try(body=body, handler=None, step=step):
            return jq.Try(_without_indices(body), step=step)
        case _:
            return tree


RULE = Rule(
    code="KT307",
    name="unwritable-action",
    severity=Severity.ERROR,
    summary="The path of a suspend or resume action cannot be written through in every object.",
    why=(
        "Consumers write only through field, key and `[]` steps; with `//` the write lands on whichever side "
        "is set, and functions are no place at all."
    ),
    source="semantics 3.6, 5.4, Q27",
    check=check,
)
