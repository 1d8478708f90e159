"""Codes of what can be wrong with a file before anyone asks what it means."""

from __future__ import annotations

from typing import NamedTuple

from kartatest.diagnostics import Severity


class Code(NamedTuple):
    """A finding's code, its name, how much it weighs, and what its page says."""

    code: str
    name: str
    severity: Severity
    summary: str
    why: str


INVALID_YAML = Code(
    "KT001",
    "invalid-yaml",
    Severity.ERROR,
    "The file is not valid YAML.",
    "Nothing can read the document, so nothing else about it is checked.",
)
DUPLICATE_KEY = Code(
    "KT003",
    "duplicate-key",
    Severity.ERROR,
    "A mapping has the same key twice.",
    "Readers keep the last of the two without a word, so one of them is lost.",
)
NOT_TEXT = Code(
    "KT004",
    "not-text",
    Severity.ERROR,
    "The file is not UTF-8 text, or holds characters that YAML forbids.",
    "YAML readers stop at such a character, or guess another encoding.",
)
TOO_LARGE = Code(
    "KT005",
    "too-large",
    Severity.ERROR,
    "The file is too long, nests too deeply, or unfolds to too much through aliases.",
    "Reading it would cost time and memory without bound; an API server refuses objects of this size as well.",
)
EMPTY_FILE = Code(
    "KT006",
    "empty-file",
    Severity.ERROR,
    "The file holds no document, only blank lines or comments.",
    "A check that looked at nothing must not pass for one that found nothing.",
)
NOT_JSON = Code(
    "KT016",
    "not-json",
    Severity.ERROR,
    "YAML that has no counterpart in JSON, such as a custom tag, an infinite number or a list used as a key.",
    "Kubernetes turns YAML into JSON before reading it, so such a document is refused, or the tag is dropped.",
)

LOADING_CODES: tuple[Code, ...] = (INVALID_YAML, DUPLICATE_KEY, NOT_TEXT, TOO_LARGE, EMPTY_FILE, NOT_JSON)
"""All that `documents` and `read` report, in code order."""
