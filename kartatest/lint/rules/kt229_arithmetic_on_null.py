"""KT229: a count is worked out from fields that may be absent."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.model import Expr, Use
from kartatest.diagnostics import Severity
from kartatest.jq import ast as jq
from kartatest.jq.shape import ARITHMETIC, path_text, plain_path
from kartatest.lint.facts import guarded, holders, nodes, parsed, places
from kartatest.lint.rule import Finding, LintContext, Rule
from kartatest.lint.typing import inferred


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each bare path that is an operand of arithmetic in a scale path."""
    for expr, _ in parsed(ctx, Use.REPLICAS, Use.MIN_REPLICAS, Use.MAX_REPLICAS):
        held = holders(ctx, expr)
        where = places(ctx, expr)
        for node in nodes(ctx, expr):
            if not (isinstance(node, jq.Binary) and node.op in ARITHMETIC):
                continue
            for operand in (node.left, node.right):
                path = plain_path(operand)
                if not path or any(guarded(node, p, held, where) for p in where.of(operand)):
                    continue
                if not _may_be_null(ctx, expr, operand):
                    continue
                yield Finding(
                    at=expr.at,
                    within=operand.span,
                    message=f"`{path_text(path)}` may be absent, and null is no number",
                    help="give it a default: `(... // 1)`",
                )


def _may_be_null(ctx: LintContext, expr: Expr, operand: jq.Ast) -> bool:
    """False where the types tell that it is there, or KT240 that it never is."""
    from kartatest.infer.lattice import NULL

    found = inferred(ctx, expr)
    if found is None:
        return True
    if any(missing.node is operand or missing.span.end == operand.span.end for missing in found.missing):
        return False
    read = [one.value for one in found.reads if one.node is operand]
    return not read or any(value.may(NULL) for value in read)


RULE = Rule(
    code="KT229",
    name="arithmetic-on-null",
    severity=Severity.WARNING,
    summary="A count is worked out from fields that may be absent.",
    why=(
        "null times a number is an error, and then the component has no replicas at all; null plus a number "
        "hides what is missing."
    ),
    source="jq manual, arithmetic; semantics 4.4",
    check=check,
)
