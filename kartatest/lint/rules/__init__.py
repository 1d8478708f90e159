"""All rules, in the order of their codes. One import and one line of the tuple for each."""

from __future__ import annotations

from kartatest.lint.rule import Rule
from kartatest.lint.rules import kt002_jq_syntax as kt002

RULES: tuple[Rule, ...] = (kt002.RULE,)
