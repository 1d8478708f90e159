"""KT309: the value of an action is not JSON text."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator

from kartatest.definition.jsontext import decoded
from kartatest.diagnostics import Severity
from kartatest.lint.actions import actions
from kartatest.lint.rule import Finding, Fix, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each value that json does not read; a bare word gets its quotes as a repair."""
    for component in ctx.definition.components:
        for _, action in actions(component):
            if action.value is None or _is_json(action.value):
                continue
            at = (*action.at, "value")
            word = action.value.strip()
            known = {"yes": "true", "on": "true", "no": "false", "off": "false"}.get(word.lower())
            known = known or (word.lower() if word.lower() in {"true", "false", "null"} else None)
            quoted = known or (json.dumps(word, ensure_ascii=False) if _is_word(word) else None)
            yield Finding(
                at=at,
                message=f"value {action.value!r} is not JSON",
                help=f"write `{quoted}`" if quoted else 'write JSON: true, 0, null, "text", {"key": 1}',
                fixes=(Fix(at=at, replace=quoted, safe=False),) if quoted else (),
            )


def _is_word(text: str) -> bool:
    """Whether text is most likely meant as a text, and only lacks its quotes."""
    try:
        return not math.isinf(float(text))
    except ValueError:
        return bool(text) and '"' not in text and text[0] not in "[{"


def _is_json(text: str) -> bool:
    try:
        decoded(text)
    except ValueError:
        return False
    return True


RULE = Rule(
    code="KT309",
    name="action-value-not-json",
    severity=Severity.ERROR,
    summary="The value of an action is not JSON text.",
    why=(
        "Consumers decode the value when they suspend or resume, so the mistake shows only then, after "
        "earlier actions were made."
    ),
    source="semantics 5.3, Q51",
    check=check,
)
