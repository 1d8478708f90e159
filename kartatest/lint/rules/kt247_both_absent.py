"""KT247: two values are compared that may both be null, however they came there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule
from kartatest.lint.typing import all_inferred, is_said, path_of

if TYPE_CHECKING:
    from kartatest.infer import Value
    from kartatest.infer.events import Compared


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each `==`, `<=` or `>=` of two fields that may be absent together; KT225's left out."""
    from kartatest.infer.lattice import NULL

    for expr, _, inferred in all_inferred(ctx):
        if is_said(ctx, expr, "KT225", "KT240", "KT241"):
            continue
        tested = {side.origin for c in inferred.comparisons for side, other in _sides(c) if other.kinds == NULL}
        for compared in inferred.comparisons:
            left, right = compared.left, compared.right
            if compared.op not in ("==", "<=", ">=") or left.type is None or right.type is None:
                continue
            if {left.origin, right.origin} & tested or any(
                (v.origin or ())[:1] == ("metadata",) for v in (left, right)
            ):
                continue  # a test for null may stand behind it; metadata is there on every stored object
            if left.may(NULL) and right.may(NULL) and left.origin != right.origin:
                yield Finding(
                    at=expr.at,
                    within=compared.node.span,
                    message=f"{path_of(left)} and {path_of(right)} may both be absent; null {compared.op} null holds",
                    help="give one side a default, or test that it is there first",
                )


def _sides(compared: Compared) -> tuple[tuple[Value, Value], ...]:
    return ((compared.left, compared.right), (compared.right, compared.left))


RULE = Rule(
    code="KT247",
    name="both-absent",
    severity=Severity.WARNING,
    summary="Two values are compared that may both be null, however they came there.",
    why="On a new object, where neither is written yet, the comparison holds as if all were well.",
    source="jq manual, equality; the kind's CRD",
    check=check,
)
