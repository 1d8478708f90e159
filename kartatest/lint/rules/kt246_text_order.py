"""KT246: a field that holds text is compared with a number by order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule
from kartatest.lint.typing import all_inferred, path_of, said

if TYPE_CHECKING:
    from kartatest.infer.events import Compared


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each `<`, `<=`, `>` or `>=` of a field that may be text with a number; KT226's left out."""
    for expr, _, inferred in all_inferred(ctx):
        spoken = {within for at, within in said(ctx, "KT226") if at == expr.at}
        for compared in inferred.comparisons:
            if compared.node.span not in spoken and (path := _text(compared)) is not None:
                yield Finding(
                    at=expr.at,
                    within=compared.node.span,
                    message=f"{path} may be text, and any text is greater than any number",
                    help="make a number of it first, with `tonumber`, or compare text with text",
                )


def _text(compared: Compared) -> str | None:
    from kartatest.infer.lattice import NUMBER, STRING

    if compared.op not in ("<", "<=", ">", ">="):
        return None
    for field, other in ((compared.left, compared.right), (compared.right, compared.left)):
        if other.kinds == NUMBER and field.type is not None and field.may(STRING) and field.type.base.value != "any":
            return path_of(field)
    return None


RULE = Rule(
    code="KT246",
    name="text-order",
    severity=Severity.ERROR,
    summary="A field that holds text is compared with a number by order.",
    why='Types come before values in jq\'s order: "0" > 0 holds, and "10" < 9 does not.',
    source="jq manual, order of values; the kind's CRD",
    check=check,
)
