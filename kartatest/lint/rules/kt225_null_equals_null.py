"""KT225: two fields are compared that may both be absent."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.model import Use
from kartatest.diagnostics import Severity
from kartatest.jq import ast as jq
from kartatest.jq.shape import Path, path_text
from kartatest.lint.facts import guarded, holders, nodes, parsed, places
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each `==`, `<=` or `>=` of two bare paths, one at least in the status, without a guard."""
    for expr, _ in parsed(ctx, Use.MATCHER):
        held = holders(ctx, expr)
        where = places(ctx, expr)
        for node in nodes(ctx, expr):
            if not (isinstance(node, jq.Binary) and node.op in {"==", "<=", ">="}):
                continue
            left, right = _bare(node.left), _bare(node.right)
            if left is None or right is None:
                continue
            paths = (*where.of(node.left), *where.of(node.right))
            if len(paths) != 2 or any("metadata" in path[:1] for path in paths):
                continue
            if not any(path[0] == "status" for path in paths) or any(None in path for path in paths):
                continue
            if any(guarded(node, path, held, where, anywhere=True) for path in paths):
                continue
            yield Finding(
                at=expr.at,
                within=node.span,
                message=f"`{path_text(paths[0])}` and `{path_text(paths[1])}` may both be absent, and null equals null",
                help="give one a default, or test first that it is there: `.a != null and .a == .b`",
            )


def _bare(tree: jq.Ast) -> Path | None:
    from kartatest.jq.shape import plain_path

    return plain_path(tree) or None


RULE = Rule(
    code="KT225",
    name="null-equals-null",
    severity=Severity.WARNING,
    summary="Two fields are compared that may both be absent.",
    why="null equals null, so on an object whose status is still empty the comparison holds.",
    source="jq manual, order of values",
    check=check,
)
