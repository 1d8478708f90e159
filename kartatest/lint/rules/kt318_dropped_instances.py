"""KT318: a path of a component with instances leaves some of them out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from kartatest.diagnostics import Severity
from kartatest.lint.facts import called, holders, scale_exprs, spec_exprs
from kartatest.lint.rule import Finding, LintContext, Rule

if TYPE_CHECKING:
    from kartatest.definition.model import Expr
    from kartatest.jq.ast import Call, Node

_DROPPING = {"select", "empty", "values", "scalars", "objects", "arrays", "strings", "numbers"}
_ONE_VALUE = {"with_entries", "any", "all"}
"""Functions that give one value, whatever their arguments leave out."""


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each `select` or `empty` in a path of a component whose instanceIdPath has none."""
    for component in ctx.definition.components:
        ids = component.instance_ids
        if ids is None or ids.at not in ctx.trees or any(c.name in _DROPPING for c in called(ctx, ids)):
            continue
        for expr in (*spec_exprs(component), *scale_exprs(component)):
            for call in called(ctx, expr) if expr.at in ctx.trees else ():
                if call.name in _DROPPING and not _in_one_value(ctx, expr, call):
                    yield Finding(
                        at=expr.at,
                        within=call.span,
                        message=f"`{call.name}` leaves out instances that `instanceIdPath` lists",
                        help="leave out the same ones in `instanceIdPath`, or give every instance a value",
                    )
                    break


def _in_one_value(ctx: LintContext, expr: Expr, call: Call) -> bool:
    """Whether one value comes of it all: `[.a[] | select(.on)] as $on`, or `with_entries(select(.value))`."""
    from kartatest.jq.ast import Array, Bind, Call

    above, in_list = holders(ctx, expr), False
    node: Node = call
    while (holder := above.get(id(node))) is not None:
        if isinstance(holder, Call) and holder.name in _ONE_VALUE:
            return True
        if in_list and isinstance(holder, Bind) and holder.source is node:
            return True
        in_list = in_list or isinstance(holder, Array)
        node = holder
    return False


RULE = Rule(
    code="KT318",
    name="dropped-instances",
    severity=Severity.WARNING,
    summary="A path of a component with instances leaves some of them out.",
    why=(
        "Values are paired with instance ids by position: a value that is left out shifts all behind it to "
        "the wrong instance."
    ),
    source="semantics 4.3",
    of_absence=True,
    check=check,
)
