"""KT001 to KT099: what the loaders report themselves, as rules: with pages, and to be selected like all others."""

from __future__ import annotations

from kartatest.definition.codes import LOADING_CODES as OF_DEFINITIONS
from kartatest.lint.rule import Rule
from kartatest.lint.rules import kt002_jq_syntax as kt002
from kartatest.yamlpos.codes import LOADING_CODES as OF_TEXTS

RULES: tuple[Rule, ...] = tuple(
    sorted(
        [
            kt002.RULE,
            *(
                Rule(code.code, code.name, code.severity, code.summary, code.why, "semantics 2.1, Q39-Q42, Q57, Q58")
                for code in {c.code: c for c in (*OF_TEXTS, *OF_DEFINITIONS)}.values()
            ),
        ],
        key=lambda rule: rule.code,
    )
)
