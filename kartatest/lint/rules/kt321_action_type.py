"""KT321: an action writes a value that its field does not take."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.jsontext import decoded
from kartatest.definition.model import Action
from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule
from kartatest.lint.typing import inferred, named, path_of


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each action whose value is of another type than the field, or outside its enum."""
    for component in ctx.definition.components:
        suspend = component.suspend
        for action in (*suspend.suspend, *suspend.resume) if suspend else ():
            finding = _finding(ctx, action)
            if finding is not None:
                yield finding


def _finding(ctx: LintContext, action: Action) -> Finding | None:
    found = inferred(ctx, action.path)
    if found is None or found.value.type is None or action.value is None or action.path is None:
        return None
    try:
        value = decoded(action.value)
    except ValueError:
        return None
    from kartatest.infer import words
    from kartatest.infer.lattice import NULL, of_type

    allowed = of_type(found.value.type, None, None)
    if value is None or _fits(value, allowed):
        return None
    at = (*action.at, "value")
    expected = words(allowed.without(NULL))
    where = f"{path_of(found.value)} of {named(ctx, action.path.root)}"
    return Finding(
        at=at,
        message=f"{where} takes {expected}, not {action.value.strip()}",
        help="the API server refuses the object: write JSON of the field's type",
    )


def _fits(value: object, allowed: object) -> bool:
    from kartatest.infer.lattice import ARRAY, FALSE, NUMBER, OBJECT, STRING, TRUE, Value

    assert isinstance(allowed, Value)
    if isinstance(value, bool):
        return allowed.may(TRUE if value else FALSE)
    if isinstance(value, dict):
        return allowed.may(OBJECT)
    if isinstance(value, list):
        return allowed.may(ARRAY)
    if not allowed.may(STRING if isinstance(value, str) else NUMBER):
        return False
    if allowed.consts is not None and value not in allowed.consts:
        return False
    return not (isinstance(value, float) and allowed.whole and not value.is_integer())


RULE = Rule(
    code="KT321",
    name="action-type",
    severity=Severity.ERROR,
    summary="An action writes a value that its field does not take.",
    why="The API server refuses an object with a value of the wrong type, so suspending or resuming fails.",
    source="the kind's CRD; semantics 5.3",
    check=check,
)
