"""KT001 to KT099: what the loaders report themselves, as rules: with pages, and to be selected like all others."""

from __future__ import annotations

from collections.abc import Iterable

from kartatest.definition.codes import LOADING_CODES as OF_DEFINITIONS
from kartatest.lint.rule import Rule
from kartatest.lint.rules import kt002_jq_syntax as kt002
from kartatest.recording.codes import LOADING_CODES as OF_RECORDINGS
from kartatest.recording.codes import OPERATOR_SHAPE, SCENARIO_CODES
from kartatest.yamlpos.codes import LOADING_CODES as OF_TEXTS
from kartatest.yamlpos.codes import Code


def _rules(codes: Iterable[Code], source: str) -> list[Rule]:
    return [Rule(c.code, c.name, c.severity, c.summary, c.why, source) for c in codes]


RULES: tuple[Rule, ...] = tuple(
    sorted(
        [
            kt002.RULE,
            *_rules(OF_TEXTS, "how the API server reads YAML"),
            *_rules(OF_DEFINITIONS, "semantics 2.1; Q39 to Q42, Q57 and Q58"),
            *_rules((c for c in OF_RECORDINGS if c not in OF_TEXTS), "the format of recordings"),
            *_rules(SCENARIO_CODES, "the format of scenarios"),
            *_rules([OPERATOR_SHAPE], "the format of operators' data files"),
        ],
        key=lambda rule: rule.code,
    )
)
