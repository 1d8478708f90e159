"""libyaml's complaints, reworded for people who wrote the file."""

from __future__ import annotations

import re
from typing import Any, Final

from kartatest.diagnostics import Edit
from kartatest.source import Source, Span
from kartatest.yamlpos.build import Fault, clipped
from kartatest.yamlpos.codes import INVALID_YAML, TOO_LARGE
from kartatest.yamlpos.scalars import quote

_ENTRY: Final = re.compile(
    r"(?P<indent> *)(?P<dashes>(?:- +)*)(?P<key>[^\s#:'\"-][^\s:]*|\"[^\"]*\"|'[^']*'):(?P<gap>\s+|$)"
)
_NO_SPACE: Final = re.compile(r" *(?:- +)*[\w.-]+:[^\s:]")
_NO_COLON: Final = re.compile(r" *\w[\w.-]*\s*(?:#.*)?")
_LOOK_BACK: Final = 2000
_OPENERS: Final = {"flow sequence": ("[", "]"), "flow mapping": ("{", "}")}

_WORDS: Final = {
    "did not find expected <document start>": (
        "nothing more fits into this document",
        "check the indentation, or put '---' before it",
    ),
    "found undefined tag handle": ("the tag's handle is not defined", "remove the tag"),
    "found unknown escape character": ("this escape is not known in double quotes", "double the backslash"),
    "found invalid Unicode character escape code": ("this escape names no character", ""),
    "did not find expected hexdecimal number": ("the escape needs hexadecimal digits here", "double the backslash"),
    "could not find expected ':'": ("a ':' is missing behind the key", ""),
    "found incompatible YAML document": ("the %YAML line asks for a version that nobody reads", "remove the line"),
    "block sequence entries are not allowed in this context": (
        "a list item cannot start here",
        "put the list on the lines below, each item behind its own '- '",
    ),
    "did not find expected node content": ("a value is expected here", "write one, or quote it"),
    "did not find expected alphabetic or numeric character": ("the anchor or alias has no name", "quote a text"),
    "did not find expected comment or line break": ("nothing may follow '|' or '>' on its line", "start a line below"),
    "did not find the expected '>'": ("the tag is not closed", "quote the text if no tag is meant"),
}


def syntax_fault(error: Any, source: Source, base: int) -> tuple[Fault, int]:
    """The parser's error as a finding, and where the parser stood; base is added to its offsets."""
    problem = error.problem or error.context or "it cannot be read"
    mark = error.problem_mark or error.context_mark
    at = min(mark.index + base, len(source.text)) if mark else base
    if "exceeded maximum nesting depth" in problem:
        help_text = "no Kubernetes object nests this deeply"
        return Fault(TOO_LARGE, _char(at, source), "the nesting is too deep", help_text), at
    opened = error.context_mark.index + base if error.context_mark else None
    unclosed = _unclosed(problem, error.context or "", at, opened, source) if opened is not None else None
    return unclosed or _reworded(problem, at, source), at


def _char(at: int, source: Source) -> Span:
    return Span(at, min(at + 1, len(source.text)))


def _fault(span: Span, message: str, help_text: str = "", edits: tuple[Edit, ...] = ()) -> Fault:
    return Fault(INVALID_YAML, span, message, help_text, edits)


def _unclosed(problem: str, context: str, at: int, opened: int, source: Source) -> Fault | None:
    """A bracket or quote that nothing closes: shown where it opens, or where the next thing does not fit in."""
    if problem in ("found unexpected end of stream", "found unexpected document indicator"):
        mark = source.text[opened : opened + 1]
        return _fault(_char(opened, source), f"the quote {mark} is never closed", f"add the closing {mark}")
    for kind, (left, right) in _OPENERS.items():
        if kind in context and problem.startswith("did not find expected ',' or"):
            if source.position(at)[0] != source.position(opened)[0] or at >= len(source.text):
                help_text = f"add the missing ',' or '{right}'"
                return _fault(_char(opened, source), f"the '{left}' is never closed", help_text)
            return _fault(_char(at, source), f"a ',' or '{right}' is expected here", f"it would close the '{left}'")
    return None


def _reworded(problem: str, at: int, source: Source) -> Fault:
    number, column = source.position(at)
    line, here = source.line(number), _char(at, source)
    before = line[: column - 1]
    if source.text[at : at + 1] == "\t" or "tab character" in problem or (not before.strip() and "\t" in before):
        return _fault(here, "a tab is used for indentation", "indent with spaces; YAML does not allow tabs there")
    if problem == "found character that cannot start any token":
        return _fault(here, f"an unquoted text cannot start with '{source.text[at]}'", "quote the text")
    if problem in _WORDS:
        return _fault(here, *_WORDS[problem])
    misplaced = ("did not find expected key", "mapping values are not allowed in this context")
    if problem in misplaced or problem == "did not find expected '-' indicator":
        return _misplaced(problem, at, source)
    return _fault(here, f"this is not valid YAML: {problem}")


def _misplaced(problem: str, at: int, source: Source) -> Fault:
    """A line that does not fit under the ones above it, or a ':' that makes an unquoted text look like a key."""
    number, column = source.position(at)
    start, line = at - column + 1, source.line(number)
    entry = _ENTRY.match(line)
    if entry and column > entry.end("key") + 1:
        value = line[entry.end() :].strip()
        here = Span(start + entry.end(), start + len(line.rstrip()))
        if value[:1] in ("'", '"'):
            message = "text follows the closing quote"
        else:
            message = "an unquoted text cannot contain ': '"
        below = source.line(number + 1)
        continued = below.strip() and len(below) - len(below.lstrip(" ")) > len(entry["indent"] + entry["dashes"])
        edits = () if " #" in value or continued else (Edit(here, quote(value)),)
        return _fault(here, message, f"quote it whole: {clipped(quote(value))}", edits)
    if line[: column - 1].strip() in ("", "-") and line[column - 1 : column + 1].rstrip() == "-":
        return _misplaced_item(number, column, start, source)
    if not entry:
        here = _char(start + column - 1, source)
        return _fault(here, "this does not continue the line above", "quote texts of several lines, or use '|'")
    indent, key = len(entry["indent"]), clipped(entry["key"].strip("'\""))
    span = Span(start + entry.start("key"), start + entry.end("key"))
    if (above := _line_above(number, source)) and (fault := _deeper(entry, span, above, source)):
        return fault
    if problem == "did not find expected '-' indicator":
        return _fault(
            span,
            f"{key!r} stands where the next item of a list is expected",
            "indent it, or put '- ' before it",
        )
    fits = _open_levels(number, source)
    if indent not in fits:
        last = f"{', '.join(map(str, fits[:-1]))} or {fits[-1]}" if len(fits) > 1 else str(fits[0] if fits else 0)
        message = f"{key!r} is indented by {_spaces(indent)}, where no mapping is open"
        return _fault(span, message, f"indent it by {last} spaces, as what it belongs to")
    return _fault(span, f"the key {key!r} does not fit here", "check the indentation of this line and the one above")


def _deeper(entry: re.Match[str], span: Span, above: int, source: Source) -> Fault | None:
    """A key that is deeper than the entry above it, though that has a value; or an entry above that is no entry."""
    indent, key, text = len(entry["indent"]), clipped(entry["key"].strip("'\"")), source.line(above)
    upper = _ENTRY.match(text)
    if upper is None:
        if _NO_SPACE.match(text):
            return _fault(span, f"a space is missing behind the ':' in line {above}", "write ': '")
        if _NO_COLON.fullmatch(text):
            return _fault(span, f"line {above} has no ':' behind its key", "add the ':'")
        return None
    wanted = len(upper["indent"]) + len(upper["dashes"])
    if wanted >= indent + len(entry["dashes"]) or not text[upper.end() :].strip():
        return None
    sibling = clipped(upper["key"].strip("'\""))
    message = f"{key!r} is indented deeper than {sibling!r} in line {above}, which already has a value"
    help_text = f"indent it and what is below it by {_spaces(wanted)}, in line with {sibling!r}"
    return _fault(span, message, help_text, _moved_left(span.start, indent - wanted, source))


def _moved_left(at: int, columns: int, source: Source) -> tuple[Edit, ...]:
    """The line of this offset and the lines below that are at least as deep, moved to the left."""
    first, column = source.position(at)
    edits = []
    for number in range(first, first + _LOOK_BACK):
        line = source.line(number)
        if line.strip() and len(line) - len(line.lstrip(" ")) < column - 1:
            break
        if line.strip():
            start = source.start(number)
            edits.append(Edit(Span(start, start + columns), ""))
    return tuple(edits)


def _misplaced_item(number: int, column: int, start: int, source: Source) -> Fault:
    here = Span(start + column - 1, start + column)
    for above in range(number - 1, max(0, number - _LOOK_BACK), -1):
        text = source.line(above)
        if text.lstrip(" ").startswith("- "):
            wanted = len(text) - len(text.lstrip(" "))
            if wanted == column - 1:
                break
            message = f"the item is indented by {_spaces(column - 1)}, where no list is open"
            return _fault(here, message, f"indent it by {_spaces(wanted)}, in line with the item of line {above}")
    return _fault(here, "a list item cannot start here", "a key is expected; check the indentation")


def _line_above(number: int, source: Source) -> int | None:
    """The nearest line above that is neither blank nor a comment."""
    for above in range(number - 1, max(0, number - _LOOK_BACK), -1):
        text = source.line(above).strip()
        if text and not text.startswith("#"):
            return above
    return None


def _open_levels(number: int, source: Source) -> list[int]:
    """Columns at which a mapping is open above the line, outermost first."""
    levels: list[int] = []
    limit = 1 << 30
    for above in range(number - 1, max(0, number - _LOOK_BACK), -1):
        entry = _ENTRY.match(source.line(above))
        if entry and (own := len(entry["indent"]) + len(entry["dashes"])) < limit:
            levels.append(own)
            limit = len(entry["indent"]) if entry["dashes"] else own
        if limit == 0:
            break
    return levels[::-1]


def _spaces(count: int) -> str:
    return "1 space" if count == 1 else f"{count} spaces"
