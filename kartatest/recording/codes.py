"""What can be wrong with a recording file, and the words of the status vocabulary as recordings write them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import TYPE_CHECKING

from kartatest.diagnostics import Diagnostic, Severity
from kartatest.source import DocPath, Source
from kartatest.value import value
from kartatest.yamlpos.codes import Code

if TYPE_CHECKING:
    from kartatest.yamlpos import Document

STATUS_WORDS = (
    "Resuming",
    "Suspending",
    "Suspended",
    "Running",
    "Failed",
    "Completed",
    "Initializing",
    "Degraded",
    "Undefined",
)
"""The vocabulary in its fixed order (semantics 6.2), with the word for "none of them" last."""

NO_RECORDING = Code(
    "KT050",
    "no-recording",
    Severity.WARNING,
    "A document is neither a recording nor a Kubernetes object.",
    "Nothing in it can be replayed, so a check that names it checks less than it seems to.",
)
UNKNOWN_KEY = Code(
    "KT051",
    "unknown-recording-key",
    Severity.ERROR,
    "A recording has a key that means nothing.",
    "A misspelt `expect` would leave its frame without an expectation, and the check would pass.",
)
WRONG_TYPE = Code(
    "KT052",
    "recording-type",
    Severity.ERROR,
    "A value in a recording has the wrong type.",
    "The value cannot be read, so what it was meant to say is not checked.",
)
PATCH_FIRST = Code(
    "KT053",
    "patch-first",
    Severity.ERROR,
    "The first frame of a recording is a patch.",
    "A patch says what changed since the frame before; the first frame has none and must give the whole object.",
)
NO_FRAMES = Code(
    "KT054",
    "no-frames",
    Severity.ERROR,
    "A recording has no frames.",
    "A recording that shows nothing must not pass for one that was checked.",
)
UNKNOWN_STATUS = Code(
    "KT055",
    "unknown-status",
    Severity.ERROR,
    "A recording expects a status that is not in the vocabulary.",
    "No definition can read a status of that name, so the expectation can never hold.",
)
FRAME_OBJECT = Code(
    "KT056",
    "frame-object",
    Severity.ERROR,
    "A frame gives neither an object nor a patch, or both.",
    "It is not clear what the object looked like at that moment.",
)
NO_KIND = Code(
    "KT057",
    "object-without-kind",
    Severity.ERROR,
    "A recorded object lacks `apiVersion` or `kind`.",
    "The definition of an object is found by its kind, and the API server gives no object without one.",
)

SCENARIO_SHAPE = Code(
    "KT058",
    "scenario-shape",
    Severity.ERROR,
    "A scenario has an unknown key, lacks one, or a value is not what it must be.",
    "It is not run at all: a step that is misread would record, or prove, something else than was meant.",
)
SCENARIO_MEANING = Code(
    "KT059",
    "scenario-meaning",
    Severity.ERROR,
    "A scenario says something that cannot be done or decided.",
    "A predicate that is no jq program, or an expected status that nothing tells apart, leaves frames undecided.",
)

OPERATOR_SHAPE = Code(
    "KT060",
    "operator-shape",
    Severity.ERROR,
    "An operator's data file has an unknown key, lacks one, or a value is not what it must be.",
    "The lab would build or start something else than was meant, or an operator that cannot work.",
)

SCENARIO_CODES: tuple[Code, ...] = (SCENARIO_SHAPE, SCENARIO_MEANING)
"""What is reported of scenarios beside what the YAML reader does, in code order."""

LOADING_CODES: tuple[Code, ...] = (
    NO_RECORDING,
    UNKNOWN_KEY,
    WRONG_TYPE,
    PATCH_FIRST,
    NO_FRAMES,
    UNKNOWN_STATUS,
    FRAME_OBJECT,
    NO_KIND,
)
"""All that `load` reports beside what the YAML reader does, in code order."""


def near(word: str, words: Iterable[str]) -> str:
    """A help text that names the closest of the words, whatever the case; "" when none is close."""
    from difflib import get_close_matches  # only a fault needs it

    by_case = {w.lower(): w for w in words}
    found = get_close_matches(word.lower(), by_case, n=1)
    return f"did you mean {by_case[found[0]]!r}?" if found else ""


@value
class Part:
    """One document of a source. index counts documents from 0; shift is what its spans lack to the source's."""

    source: Source
    document: Document
    index: int
    shift: int
    found: list[Diagnostic] = field(default_factory=list)

    def add(self, code: Code, at: DocPath, message: str, help_text: str = "", *, on_key: bool = False) -> None:
        """Note a finding at a place of this document."""
        span = (self.document.key_span(at) if on_key else None) or self.document.span(at)
        self.found.append(
            Diagnostic(code.code, code.name, code.severity, self.source, span.shift(self.shift), message, help_text)
        )

    def status(self, word: object, at: DocPath) -> str | None:
        """The word when it is one of the vocabulary; else None, with a finding."""
        if word in STATUS_WORDS:
            return str(word)
        if isinstance(word, str):
            help_text = near(word, STATUS_WORDS) or "one of " + ", ".join(STATUS_WORDS)
            self.add(UNKNOWN_STATUS, at, f"{word!r} is no status", help_text)
        else:
            self.add(WRONG_TYPE, at, f"a status must be text, not {kind_of(word)}")
        return None


def kind_of(value: object) -> str:
    """The type of a JSON value in a reader's words: "a list"."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, dict):
        return "a mapping"
    return "a list" if isinstance(value, list) else "text" if isinstance(value, str) else "a number"
