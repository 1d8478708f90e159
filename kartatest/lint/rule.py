"""What a lint rule is, what it sees, and what it says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kartatest.definition.evidence import Evidence
from kartatest.definition.model import Definition, Expr
from kartatest.diagnostics import Severity
from kartatest.source import DocPath, Span

if TYPE_CHECKING:
    from kartatest.jq.ast import Ast
    from kartatest.yamlpos import Document


@dataclass(frozen=True, slots=True)
class Fix:
    """A repair in terms of the document: what to do at a path.

    replace: new text of the scalar at `at` (quoted as needed); key: new name of the mapping key at `at`;
    remove: drop the entry at `at` with its line. Exactly one is set. `within` narrows replace to a part of the
    scalar's decoded text. safe fixes cannot change what a correct reader understood.
    """

    at: DocPath
    replace: str | None = None
    key: str | None = None
    remove: bool = False
    quote: bool = False
    within: Span | None = None
    safe: bool = True


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule found. within is a span of the scalar's decoded text, such as one jq step; on_key means the key."""

    at: DocPath
    message: str
    help: str = ""
    within: Span | None = None
    on_key: bool = False
    fixes: tuple[Fix, ...] = ()


@dataclass(frozen=True)
class LintContext:
    """All that a rule may look at: one definition, its document, the parsed expressions, and what recordings showed.

    expressions: every expression of the definition in the order of the file; trees: those that parsed, by place.
    """

    definition: Definition
    document: Document
    expressions: tuple[Expr, ...]
    trees: Mapping[DocPath, Ast]
    evidence: Evidence = field(default_factory=Evidence)


Check = Callable[[LintContext], Iterable[Finding]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule is a value that holds a function. check is None for what the loader reports under this code.

    code: family digit + two digits, never given to another rule. Families: 0 loading, 1 structure, 2 expressions,
    3 pod spec and scale, 4 statuses, 5 pod selectors, 6 pod groups, 7 evidence from recordings, 9 housekeeping.
    """

    code: str
    name: str
    severity: Severity
    summary: str
    why: str
    source: str
    check: Check | None = None
