"""What a lint rule is, what it sees, and what it says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from kartatest.definition.evidence import Evidence
from kartatest.definition.model import Definition, Expr, Gvk
from kartatest.diagnostics import Severity
from kartatest.source import DocPath, Span

if TYPE_CHECKING:
    from kartatest.jq.ast import Ast
    from kartatest.jq.errors import JqSyntaxError
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

    expressions: every expression of the definition in the order of the file; trees: those that parsed, by place;
    syntax_errors: what the parser said of the others. An empty expression is in neither (semantics Q43).
    taken: kinds that a definition before this one is for, in this run, and the file that has it.
    crds: folders with CRDs or type indexes beside those that come along; crd_version: the release of the operator that
    expressions are checked against, None for the newest that is known.
    memo: what rules worked out of it and share, by a key of their own.
    """

    definition: Definition
    document: Document
    expressions: tuple[Expr, ...]
    trees: Mapping[DocPath, Ast]
    evidence: Evidence = field(default_factory=Evidence)
    syntax_errors: Mapping[DocPath, JqSyntaxError] = field(default_factory=dict)
    taken: Mapping[Gvk, str] = field(default_factory=dict)
    crds: tuple[Path, ...] = ()
    crd_version: str | None = None
    memo: dict[object, object] = field(default_factory=dict, compare=False, repr=False)


Check = Callable[[LintContext], Iterable[Finding]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule is a value that holds a function. check is None for what the loader reports under this code.

    code: family digit + two digits, never given to another rule. Families: 0 loading, 1 structure, 2 expressions,
    3 pod spec and scale, 4 statuses, 5 pod selectors, 6 pod groups, 7 evidence from recordings, 9 housekeeping.
    of_absence: it may speak because something is missing, so it is not asked about a definition with unread parts:
    what could not be read was written, and has a finding of its own.
    """

    code: str
    name: str
    severity: Severity
    summary: str
    why: str
    source: str
    check: Check | None = None
    of_absence: bool = False

    @property
    def family(self) -> str:
        """The digit of its family: "1"."""
        return self.code[2]

    @property
    def silenceable(self) -> bool:
        """Whether a comment can silence it: not what is said about such comments (KT901 to KT904)."""
        return not "KT901" <= self.code <= "KT904"


def closest(word: str, words: Iterable[str]) -> str | None:
    """The one of words that the writer most likely meant: None when none is near, or two are equally near."""
    from difflib import SequenceMatcher

    near = sorted(
        ((SequenceMatcher(None, word.lower(), other.lower()).ratio(), other) for other in set(words) if other),
        reverse=True,
    )
    if not near or near[0][0] < 0.7 or (len(near) > 1 and near[0][0] == near[1][0]):
        return None
    return near[0][1]


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """Help for a name that is not among words: the nearest one, or else all of them; "" when there are none."""
    words = sorted({w for w in words if w})
    if meant := closest(word, words):
        return f"did you mean {meant!r}?"
    return f"use one of {', '.join(map(repr, words))}" if words else ""
