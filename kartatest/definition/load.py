"""Definitions from YAML text: as much as can be read, and what is wrong with the rest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from kartatest.definition.codes import DEPRECATED_KIND, LOADING_CODES, NOT_A_DEFINITION, UNKNOWN_FIELD
from kartatest.definition.fields import API_VERSION, EARLIER_API_VERSION, EARLIER_KIND, KIND_NAME
from kartatest.definition.model import Definition
from kartatest.diagnostics import Diagnostic, Edit
from kartatest.source import DocPath, Json, JsonObject, Source
from kartatest.value import value
from kartatest.yamlpos.codes import Code

if TYPE_CHECKING:
    from kartatest.definition.check import Problem, Repair
    from kartatest.yamlpos import Document

__all__ = ["LOADING_CODES", "Loaded", "LoadedDefinition", "load", "load_file"]


@value
class LoadedDefinition:
    """A definition and the document it was read from."""

    definition: Definition
    document: Document


@value
class Loaded:
    """The definitions of a text in their order, and what is wrong with the text and its shape, sorted."""

    items: tuple[LoadedDefinition, ...]
    diagnostics: tuple[Diagnostic, ...]


def load_file(file: Path | str, *, name: str | None = None) -> Loaded:
    """As `load`, from a file. name is what the user calls it. Raises FileError when the file cannot be read."""
    from kartatest.yamlpos import read

    source = read(file, name=name)
    return Loaded((), (source,)) if isinstance(source, Diagnostic) else load(source)


def load(source: Source) -> Loaded:
    """Every definition in the text: one or several documents, or a List of them.

    A definition is built even where its document is broken, when it says that it is one: wrong parts are left out, but
    slips whose meaning is certain are read as meant; both are reported. Defaults of the API server are filled in (Q07).
    Diagnostics: families KT00 and KT01, see LOADING_CODES here and in yamlpos. Never raises on a text.
    """
    from kartatest.yamlpos import documents

    read = documents(source)
    found = list(read.diagnostics)
    items = [item for document in read.documents for item in _of(document, found)]
    return Loaded(tuple(items), tuple(sorted(found, key=lambda d: d.sort_key)))


def _of(document: Document, found: list[Diagnostic]) -> Iterator[LoadedDefinition]:
    from kartatest.definition.build import definition
    from kartatest.definition.check import problems

    def written(at: DocPath) -> str | None:
        scalar = document.scalar(at)
        return document.source.text[scalar.span.start : scalar.span.end] if scalar and scalar.plain else None

    for held, at in _candidates(document.value):
        if not _is_definition(held, at, document, found):
            continue
        shape = problems(held, at, written=written)
        found += [_diagnostic(problem, problem.code, document) for problem in shape if problem.code is not None]
        made = definition(held, document.source.name, document.index, at, written=written)
        refused = tuple(problem.message for problem in shape if problem.code is not UNKNOWN_FIELD)
        if (held.get("apiVersion"), held.get("kind")) != (API_VERSION, KIND_NAME):
            refused = (f"a definition is {API_VERSION} {KIND_NAME}", *refused)
        unread = tuple(problem.at for problem in shape if problem.unread)
        yield LoadedDefinition(replace(made, refused=refused, unread=unread) if refused else made, document)


def _candidates(value: Json) -> Iterator[tuple[Json, DocPath]]:
    """The document, or the items of a List."""
    if isinstance(value, dict) and isinstance(value.get("items"), list) and str(value.get("kind")).endswith("List"):
        yield from ((item, ("items", i)) for i, item in enumerate(value["items"]))
    else:
        yield value, ()


def _is_definition(value: Json, at: DocPath, document: Document, found: list[Diagnostic]) -> bool:
    """Whether the value says that it is a definition, if with a slip; reports the slip, or what it is instead."""
    from kartatest.definition.check import kind_of

    if not isinstance(value, dict):
        message = f"this is {kind_of(value)}, not a definition"
        found.append(_plain(NOT_A_DEFINITION, document, at, message, _WANTED))
        return False
    kind, api_version = value.get("kind"), value.get("apiVersion")
    if kind in (KIND_NAME, EARLIER_KIND) and api_version in (API_VERSION, EARLIER_API_VERSION):
        if (kind, api_version) != (KIND_NAME, API_VERSION):
            found.append(_earlier(value, at, document))
        return True
    if kind in (KIND_NAME, EARLIER_KIND):
        _report_version(api_version, at, document, found)
        return True
    if isinstance(kind, str) and kind.lower() == KIND_NAME.lower():
        edits = _replaced(document, (*at, "kind"), KIND_NAME)
        message = f"the kind {kind!r} is spelled {KIND_NAME!r}"
        found.append(_plain(NOT_A_DEFINITION, document, (*at, "kind"), message, _WANTED, edits, safe=True))
        return True
    if not isinstance(kind, str) or not kind:
        if _looks_like_one(value):
            return True  # what is wrong with its kind is a matter of the schema
        if "frames" in value and "definition" in value:
            found.append(_plain(NOT_A_DEFINITION, document, at, "this is a recording, not a definition", _WANTED))
            return False
        message = "this is no definition: it has no 'kind'"
        found.append(_plain(NOT_A_DEFINITION, document, at, message, _WANTED))
        return False
    if _looks_like_one(value):
        message = f"a definition's kind is {KIND_NAME!r}, not {kind[:80]!r}"
        found.append(_plain(NOT_A_DEFINITION, document, (*at, "kind"), message, _WANTED))
        return True
    message = f"this is {_article(kind)} {kind[:80]}, not a definition"
    found.append(_plain(NOT_A_DEFINITION, document, (*at, "kind"), message, _WANTED))
    return False


_WANTED = f"a definition has apiVersion {API_VERSION} and kind {KIND_NAME}"


def _article(word: str) -> str:
    return "an" if word[:1].lower() in "aeio" else "a"


def _looks_like_one(value: JsonObject) -> bool:
    spec = value.get("spec")
    return isinstance(spec, dict) and "structureDefinition" in spec


def _report_version(api_version: Json, at: DocPath, document: Document, found: list[Diagnostic]) -> None:
    """The kind is right; the apiVersion is missing or another's. One that is no text is reported by its type."""
    if isinstance(api_version, str):
        place, message = (*at, "apiVersion"), f"the apiVersion {api_version[:80]!r} of a definition is not known"
        edits = _replaced(document, place, API_VERSION)
        found.append(_plain(NOT_A_DEFINITION, document, place, message, f"write {API_VERSION}", edits))


def _earlier(value: JsonObject, at: DocPath, document: Document) -> Diagnostic:
    edits = _replaced(document, (*at, "apiVersion"), API_VERSION) if value["apiVersion"] != API_VERSION else ()
    edits += _replaced(document, (*at, "kind"), KIND_NAME) if value["kind"] != KIND_NAME else ()
    place = (*at, "kind" if value["kind"] != KIND_NAME else "apiVersion")
    message = f"{value['apiVersion']} {value['kind']} is the format's earlier name"
    return _plain(DEPRECATED_KIND, document, place, message, f"write {API_VERSION} and {KIND_NAME}", edits, safe=True)


def _plain(
    code: Code,
    document: Document,
    at: DocPath,
    message: str,
    help_text: str,
    edits: tuple[Edit, ...] = (),
    *,
    safe: bool = False,
) -> Diagnostic:
    span = document.span(at)
    if not at or isinstance(at[-1], int):  # a whole document is shown by its first line
        span = type(span)(span.start, min(document.source.line_of(span.start).end, span.end))
    return Diagnostic(
        code.code, code.name, code.severity, document.source, span, message, help_text, edits, bool(edits) and safe
    )


def _diagnostic(problem: Problem, code: Code, document: Document) -> Diagnostic:
    key = document.key_span(problem.at) if problem.on_key or _container(document, problem.at) else None
    edits = _edits(problem.repair, problem.at, document) if problem.repair else ()
    safe = bool(edits) and problem.repair is not None and problem.repair.safe
    if key is None:
        return _plain(code, document, problem.at, problem.message, problem.help, edits, safe=safe)
    source = document.source
    return Diagnostic(code.code, code.name, code.severity, source, key, problem.message, problem.help, edits, safe)


def _container(document: Document, at: DocPath) -> bool:
    return document.scalar(at) is None and document.exists(at)


def _replaced(document: Document, at: DocPath, text: str) -> tuple[Edit, ...]:
    from kartatest.yamlpos import quote

    scalar = document.scalar(at)
    return (Edit(scalar.span, quote(text)),) if scalar else ()


def _edits(repair: Repair, at: DocPath, document: Document) -> tuple[Edit, ...]:
    """The repair as edits of the text; () where the text leaves no sure way."""
    from kartatest.definition import repairs

    return repairs.edits(repair, at, document)
