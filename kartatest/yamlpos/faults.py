"""libyaml's complaints, reworded for people who wrote the file."""

from __future__ import annotations

import re
from typing import Any, Final

from kartatest.source import Source, Span
from kartatest.yamlpos.build import Fault
from kartatest.yamlpos.codes import INVALID_YAML, TOO_LARGE

_ENTRY: Final = re.compile(r"(?P<indent> *)(?P<dashes>(?:- +)*)(?P<key>[^\s#:'\"-][^\s:]*|\"[^\"]*\"|'[^']*'):(?:\s|$)")
_OPENERS: Final = {"flow sequence": ("[", "]"), "flow mapping": ("{", "}")}

_WORDS: Final = {
    "did not find expected <document start>": "a document ended before this line",
    "found undefined tag handle": "the tag's handle is not defined",
    "found unknown escape character": "this escape is not known in a double-quoted text",
    "found invalid Unicode character escape code": "this escape names no character",
    "did not find expected hexdecimal number": "the escape wants hexadecimal digits here",
    "could not determine a simple key": "this looks like a key, but no ':' follows on the line",
    "could not find expected ':'": "a ':' is missing behind the key",
    "found unexpected ':'": "':' cannot stand here",
    "found duplicate %YAML directive": "there are two %YAML lines",
    "found incompatible YAML document": "the %YAML line asks for a version that nobody reads",
    "block sequence entries are not allowed in this context": "a list item cannot start here",
    "mapping keys are not allowed in this context": "a key cannot start here",
    "did not find expected key": "a key of the mapping is expected here",
    "did not find expected '-' indicator": "a '- ' of the list is expected here",
    "did not find expected node content": "a value is expected here",
    "found unexpected document indicator": "the document ends inside a quoted text",
    "did not find expected alphabetic or numeric character": "an anchor or alias needs a name here",
    "found a tab character where an indentation space is expected": "a tab is used for indentation",
    "found a tab character that violates indentation": "a tab is used for indentation",
    "found character that cannot start any token": "an unquoted text cannot start with this character",
}


def syntax_fault(error: Any, source: Source, base: int) -> Fault:
    """The parser's error as a finding, with base added to its offsets."""
    problem = error.problem or error.context or "it cannot be read"
    mark = error.problem_mark or error.context_mark
    at = min(mark.index + base, len(source.text)) if mark else base
    context = error.context or ""
    opened = error.context_mark.index + base if error.context_mark else None
    if "exceeded maximum nesting depth" in problem:
        return Fault(TOO_LARGE, _char(at, source), "the nesting is too deep", "no Kubernetes object nests this deeply")
    message, help_text = _reworded(problem, context, at, opened, source)
    return Fault(INVALID_YAML, _char(at, source), message, help_text)


def _char(at: int, source: Source) -> Span:
    return Span(at, min(at + 1, len(source.text)))


def _reworded(problem: str, context: str, at: int, opened: int | None, source: Source) -> tuple[str, str]:
    line_number, column = source.position(at)
    line = source.line(line_number)
    char = source.text[at : at + 1]
    if char == "\t" or "tab character" in problem or (not line[: column - 1].strip() and "\t" in line[: column - 1]):
        return "a tab is used for indentation", "indent with spaces; YAML does not allow tabs there"
    for kind, (left, right) in _OPENERS.items():
        if kind in context and opened is not None and "did not find expected ',' or" in problem:
            row, col = source.position(opened)
            return (
                f"the '{left}' of line {row}, column {col} is not closed here by ',' or '{right}'",
                f"add the missing ',' or '{right}'",
            )
    if "unexpected end of stream" in problem and opened is not None:
        row, col = source.position(opened)
        return (
            f"the quote opened in line {row}, column {col} is never closed",
            "close it, or quote the text another way",
        )
    if problem in ("did not find expected key", "mapping values are not allowed in this context"):
        return _indentation(problem, line_number, column, line, source)
    if problem == "found character that cannot start any token":
        return f"an unquoted text cannot start with '{char}'", "quote the text"
    text = _WORDS.get(problem, f"not valid YAML: {problem}")
    return text, "align it with the lines it belongs to" if "expected here" in text else ""


def _indentation(problem: str, line_number: int, column: int, line: str, source: Source) -> tuple[str, str]:
    """For a key at a depth where none can be: what the previous lines make of it, and the indentation that fits."""
    here = _ENTRY.match(line)
    if here and column > len(line[: here.end("key")]) + 1:  # a second ':' on one line
        return "a second ': ' on one line", "quote the value if the ':' belongs to it"
    if here:
        indent = len(here["indent"])
        key = here["key"].strip("'\"")
        for number in range(line_number - 1, 0, -1):
            above = source.line(number)
            entry = _ENTRY.match(above)
            if not above.strip() or above.lstrip().startswith("#"):
                continue
            if not entry:
                break
            wanted = len(entry["indent"]) + len(entry["dashes"])
            if wanted < indent + len(here["dashes"]):
                if not above[entry.end() :].strip():
                    break
                sibling = entry["key"].strip("'\"")
                return (
                    f"{key!r} is indented by {indent} columns, deeper than {sibling!r} in line {number}, "
                    "which already has a value",
                    f"indent {key!r} by {wanted} columns, in line with {sibling!r}, and what it holds below it",
                )
            if wanted == indent:
                break
        if problem == "did not find expected key" or indent:
            fits = _open_levels(line_number, source)
            if fits and indent not in fits:
                return (
                    f"{key!r} is indented by {indent} columns, where no mapping is open",
                    "use one of the indentations in use above: " + ", ".join(map(str, fits)),
                )
    if problem == "did not find expected key":
        return "a key of the mapping is expected here", "check the indentation of this line and the one above"
    if not line[: column - 1].strip().strip(":"):
        return "a ':' cannot stand here", ""
    return "a key cannot stand here", "check the indentation, or quote the text if the ':' belongs to it"


def _open_levels(line_number: int, source: Source) -> list[int]:
    """Columns at which a mapping is open above the line, outermost first."""
    levels: list[int] = []
    limit = 1 << 30
    for number in range(line_number - 1, max(0, line_number - 2000), -1):
        entry = _ENTRY.match(source.line(number))
        if entry:
            columns = {len(entry["indent"]) + len(entry["dashes"]), len(entry["indent"])}
            own = len(entry["indent"]) + len(entry["dashes"])
            if min(columns) < limit and own < limit:
                levels.append(own)
                limit = len(entry["indent"]) if entry["dashes"] else own
            if limit == 0:
                break
    return sorted(levels)
