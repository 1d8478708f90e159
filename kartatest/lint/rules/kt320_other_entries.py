"""KT320: instance ids and values of a component have one result for each entry of different lists."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.jq.shape import Path, path_text
from kartatest.lint.facts import scale_exprs, spec_exprs
from kartatest.lint.rule import Finding, LintContext, Rule
from kartatest.lint.typing import inferred, is_said


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each expression that goes along with another list than the ids do; KT306's left out."""
    for component in ctx.definition.components:
        ids = inferred(ctx, component.instance_ids)
        if ids is None or not ids.count.over:
            continue
        for expr in (*spec_exprs(component), *scale_exprs(component)):
            found = inferred(ctx, expr)
            if found is None or not found.count.over or found.count.over == ids.count.over:
                continue
            if not is_said(ctx, expr, "KT306"):
                yield Finding(
                    at=expr.at,
                    message=f"gives one result for each of {_lists(found.count.over)}, but there is one instance "
                    f"for each of {_lists(ids.count.over)}",
                    help="go over the same list in both",
                )


def _lists(paths: tuple[Path, ...]) -> str:
    return " and ".join(f"`{path_text((*path, None))}`" for path in paths)


RULE = Rule(
    code="KT320",
    name="other-entries",
    severity=Severity.ERROR,
    summary="Instance ids and values of a component have one result for each entry of different lists.",
    why="They are paired by position: lists of different length fail, lists of equal length mix up the instances.",
    source="semantics 4.3",
    check=check,
)
