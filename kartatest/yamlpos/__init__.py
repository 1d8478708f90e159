"""YAML text to documents: plain values as Kubernetes reads them, and the place of every part.

documents(source) -> Documents      never raises on a text; what is wrong comes as diagnostics
read(file) -> Source | Diagnostic   bytes to text
quote(text) -> str                  a YAML scalar for an edit
"""

from __future__ import annotations

import re

from kartatest.diagnostics import Diagnostic
from kartatest.source import Source, Span
from kartatest.value import value
from kartatest.yamlpos import asjson
from kartatest.yamlpos.build import Built, Fault
from kartatest.yamlpos.codes import EMPTY_FILE, LOADING_CODES, NOT_TEXT, Code
from kartatest.yamlpos.document import Document, Scalar
from kartatest.yamlpos.files import MAX_CHARACTERS, decoded, read, too_large
from kartatest.yamlpos.scalars import plain, quote

__all__ = [
    "LOADING_CODES",
    "MAX_CHARACTERS",
    "Code",
    "Document",
    "Documents",
    "Scalar",
    "decoded",
    "documents",
    "plain",
    "quote",
    "read",
]

_SEPARATOR = re.compile(r"(?:^|(?<=\r))---(?=\s|$)", re.MULTILINE)
_FORBIDDEN = "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]"
_FORBIDDEN_ASCII = "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]"
_RESTARTS = 20


@value
class Documents:
    """The documents that could be read, in the order of the file, and what is wrong with the text, sorted."""

    documents: tuple[Document, ...]
    diagnostics: tuple[Diagnostic, ...]


def documents(source: Source, *, limit: int = MAX_CHARACTERS) -> Documents:
    """All documents of the text. Empty ones are passed over; a broken one costs only itself. JSON is read as well.

    Diagnostics: KT001 syntax, KT003 duplicate keys, KT004 forbidden characters, KT005 more than limit characters,
    levels or aliases, KT006 nothing there, KT016 what JSON cannot say.
    """
    if len(source.text) > limit:
        return Documents((), (too_large(source, limit),))
    text = source.text
    built: list[Built] = []
    if forbidden := re.search(_FORBIDDEN_ASCII if text.isascii() else _FORBIDDEN, text):
        faults = [_not_text(forbidden)]
    else:
        built, faults = _all_built(source)
    if not built and faults and (as_json := asjson.document(text)):
        built, faults = [as_json], []
    docs = tuple(Document(source, i, b.value, b.places) for i, b in enumerate(b for b in built if not b.empty))
    faults += [f for b in built for f in b.faults]
    if not docs and not faults:
        faults = [Fault(EMPTY_FILE, Span(0, 0), "the file holds no document", "write one, or remove the file")]
    return Documents(docs, tuple(sorted((_diagnostic(f, source) for f in faults), key=lambda d: d.sort_key)))


def _not_text(match: re.Match[str]) -> Fault:
    code = ord(match[0])
    what = "a NUL character" if code == 0 else f"the character U+{code:04X}"
    return Fault(NOT_TEXT, Span(*match.span()), f"{what} is not allowed in YAML", "remove it, or write it as an escape")


def _all_built(source: Source) -> tuple[list[Built], list[Fault]]:
    from yaml import YAMLError
    from yaml import _yaml as libyaml  # the parser alone; CSafeLoader would build nodes that nobody needs

    from kartatest.yamlpos.build import MAX_NODES, Builder
    from kartatest.yamlpos.faults import syntax_fault

    text = source.text
    built: list[Built] = []
    faults: list[Fault] = []
    base = 1 if text.startswith("\ufeff") else 0  # libyaml does not count a leading byte order mark
    room = MAX_NODES
    for _ in range(_RESTARTS):
        builder = Builder(libyaml.CParser(text[base:] if base else text), source, base, room)
        try:
            while (one := builder.document()) is not None:
                faults += one.faults if one.stopped else []
                if one.stopped:
                    return built, faults
                built.append(one)
            return built, faults
        except YAMLError as error:
            fault, stopped_at = syntax_fault(error, source, base)
            current = builder.current
            if current is not None and (not built or built[-1] is not current):
                faults += current.faults
            faults.append(fault)
        room = builder.room
        line_start = stopped_at - source.position(stopped_at)[1] + 1
        again = _SEPARATOR.search(text, max(line_start, base + 1))
        if again is None:
            break
        base = again.start()
    return built, faults


def _diagnostic(fault: Fault, source: Source) -> Diagnostic:
    code = fault.code
    return Diagnostic(
        code.code,
        code.name,
        code.severity,
        source,
        fault.span,
        fault.message,
        fault.help,
        fault.edits,
        safe=bool(fault.edits),
    )
