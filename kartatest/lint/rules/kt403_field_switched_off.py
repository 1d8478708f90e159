"""KT403: a matcher asks for a part of a condition that conditionsDefinition does not read."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each part asked for whose field name is set to ""."""
    for component in ctx.definition.components:
        status = component.status
        if status is None or status.conditions is None:
            continue
        for matcher in (m for mapping in status.mappings for m in mapping.matchers):
            for condition in matcher.conditions:
                asked = (
                    ("type", condition.type, status.conditions.type_field),
                    ("status", condition.status, status.conditions.status_field),
                    ("reason", condition.reason, status.conditions.reason_field),
                )
                for part, value, field in asked:
                    if value and not field:
                        yield Finding(
                            at=(*condition.at, part),
                            message=f"asks for a {part}, but `{part}FieldName` is empty, so none is ever read",
                            help=f"set `conditionsDefinition.{part}FieldName`",
                        )


RULE = Rule(
    code="KT403",
    name="field-switched-off",
    severity=Severity.ERROR,
    summary="A matcher asks for a part of a condition that conditionsDefinition does not read.",
    why="With an empty field name that part is never read, so the matcher never holds.",
    source="semantics 6.1, Q07, Q08",
    check=check,
)
