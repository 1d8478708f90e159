"""KT306: instance ids and values of a component come from different lists."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.jq.shape import Path, iteration_prefixes, path_text
from kartatest.lint.facts import plain, scale_exprs, spec_exprs
from kartatest.lint.rule import Finding, LintContext, Rule
from kartatest.lint.typing import is_said


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each plain path that runs over other collections than a plain instanceIdPath."""
    for component in ctx.definition.components:
        ids = plain(ctx, component.instance_ids)
        if component.instance_ids is None or ids is None or None not in ids:
            continue
        for expr in (*spec_exprs(component), *scale_exprs(component)):
            path = plain(ctx, expr)
            if path is None or None not in path or iteration_prefixes(path) == iteration_prefixes(ids):
                continue
            if is_said(ctx, expr, "KT240", "KT241") or is_said(ctx, component.instance_ids, "KT240", "KT241"):
                continue  # no such list, by a slip of the name
            yield Finding(
                at=expr.at,
                message=f"runs over {_lists(path)}, but the instance ids run over {_lists(ids)}",
                help="iterate the same list in both",
            )


def _lists(path: Path) -> str:
    return " and ".join(f"`{path_text(prefix)}`" for prefix in iteration_prefixes(path))


RULE = Rule(
    code="KT306",
    name="other-collection",
    severity=Severity.ERROR,
    summary="Instance ids and values of a component come from different lists.",
    why=(
        "They are paired by position, so two lists of different length fail and two of equal length mix up "
        "the instances."
    ),
    source="semantics 4.3, 5.4",
    check=check,
)
