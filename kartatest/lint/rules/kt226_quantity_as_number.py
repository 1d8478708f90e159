"""KT226: a resource quantity is compared with a number."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.jq import ast as jq
from kartatest.jq.shape import COMPARISONS
from kartatest.lint.facts import nodes, parsed, places
from kartatest.lint.rule import Finding, LintContext, Rule

_HOLDERS = {"requests", "limits", "allocatable", "capacity"}


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each comparison of a value under requests or limits with a number."""
    for expr, _ in parsed(ctx):
        where = places(ctx, expr)
        for node in nodes(ctx, expr):
            if not (isinstance(node, jq.Binary) and node.op in COMPARISONS):
                continue
            for one, other in ((node.left, node.right), (node.right, node.left)):
                if not (isinstance(other, jq.Literal) and not isinstance(other.value, str)):
                    continue
                if any(len(path) > 1 and path[-2] in _HOLDERS for path in where.of(one)) or _under_resources(one):
                    yield Finding(
                        at=expr.at,
                        within=node.span,
                        message="compares a resource quantity, which is text, with a number",
                        help='compare text with text (`!= "0"`), or convert a plain count with `tonumber`',
                    )


def _under_resources(tree: jq.Ast) -> bool:
    """Whether the path ends in `resources.limits.x` or the like, wherever it starts."""
    from kartatest.jq.shape import operand_of, plain_path

    paths = [plain_path(part) or () for part in operand_of(tree)]
    return any(len(path) > 2 and path[-2] in _HOLDERS and path[-3] == "resources" for path in paths)


RULE = Rule(
    code="KT226",
    name="quantity-as-number",
    severity=Severity.ERROR,
    summary="A resource quantity is compared with a number.",
    why='Quantities are text, and text is greater than any number: the comparison holds for "0", too.',
    source="jq manual, order of values; Kubernetes resource.Quantity",
    check=check,
)
