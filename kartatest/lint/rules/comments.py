"""KT901 to KT904: what can be wrong with a comment that silences findings. `lint.suppress` reports them."""

from __future__ import annotations

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Rule

_SOURCE = "the guide, silencing a finding"

UNUSED = Rule(
    code="KT901",
    name="unused-suppression",
    severity=Severity.WARNING,
    summary="A comment silences a rule that finds nothing there.",
    why="It would silence the next, real finding on that line, and readers look for a fault that is not there.",
    source=_SOURCE,
)
NO_REASON = Rule(
    code="KT902",
    name="suppression-without-reason",
    severity=Severity.WARNING,
    summary="A comment silences a rule and does not say why.",
    why="Whoever changes the line next cannot know whether the reason still holds.",
    source=_SOURCE,
)
UNKNOWN = Rule(
    code="KT903",
    name="unknown-suppression",
    severity=Severity.WARNING,
    summary="A comment silences a rule that does not exist.",
    why="The comment does nothing, and the finding that was meant is reported, or will be.",
    source=_SOURCE,
)
MALFORMED = Rule(
    code="KT904",
    name="malformed-suppression",
    severity=Severity.WARNING,
    summary="A comment is nearly, but not quite, one that silences a rule.",
    why="It does nothing, although its writer thought the finding settled.",
    source=_SOURCE,
)
RULES = (UNUSED, NO_REASON, UNKNOWN, MALFORMED)
