"""KT244: a field is compared with a value that it never has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule, closest
from kartatest.lint.typing import all_inferred, path_of

if TYPE_CHECKING:
    from kartatest.infer import Value
    from kartatest.infer.events import Compared


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each `==` or `!=` of a typed field with a constant outside its type or its enum."""
    for expr, _, inferred in all_inferred(ctx):
        for compared in inferred.comparisons:
            found = _finding(compared)
            if found is not None:
                message, help_ = found
                yield Finding(at=expr.at, within=compared.node.span, message=message, help=help_)


def _finding(compared: Compared) -> tuple[str, str] | None:
    from kartatest.infer import words
    from kartatest.infer.lattice import BOOLEAN, NULL, of_type
    from kartatest.infer.operators import possibly_equal

    if compared.op not in ("==", "!="):
        return None
    for field, other in ((compared.left, compared.right), (compared.right, compared.left)):
        if field.type is None or not _is_constant(other):
            continue
        allowed = of_type(field.type, None, None)
        if not possibly_equal(allowed, other):
            always = "never" if compared.op == "==" else "always"
            kinds = words(allowed.without(NULL))
            message = f"{path_of(field)} is {kinds}, so this is {always} true"
            texts = [c for c in other.consts or () if isinstance(c, str)]
            near = closest(texts[0], [c for c in allowed.consts or () if isinstance(c, str)]) if texts else None
            if near is not None:
                return message, f"did you mean {near!r}?"
            if allowed.kinds & ~NULL == BOOLEAN and texts and texts[0].lower() in ("true", "false"):
                return message, f"compare with {texts[0].lower()}, without quotes"
            return message, "compare with a value that the field can have"
    return None


def _is_constant(value: Value) -> bool:
    """A text, a number, true or false; null is a guard that does no harm."""
    from kartatest.infer.lattice import FALSE, NUMBER, STRING, TRUE

    if value.type is not None:
        return False
    if value.kinds in (TRUE, FALSE):
        return True
    return value.kinds in (STRING, NUMBER) and value.consts is not None and len(value.consts) == 1


RULE = Rule(
    code="KT244",
    name="never-equal",
    severity=Severity.ERROR,
    summary="A field is compared with a value that it never has.",
    why="The comparison gives the same on every object, so what hangs on it is dead, or always there.",
    source="the kind's CRD: types and enums",
    check=check,
)
