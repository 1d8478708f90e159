"""The text of a scalar, with the place in the file of each of its characters.

libyaml gives the decoded text alone; here it is decoded again, only for the scalars that somebody asks about.
"""

from __future__ import annotations

import re
from typing import Final

from kartatest.source import Span
from kartatest.value import value

_PROPERTIES: Final = re.compile(r"(?:(?:&[\w-]+|!\S*)(?:\s+|#[^\n]*)*)+")
_ESCAPES: Final = {
    "0": "\0", "a": "\a", "b": "\b", "t": "\t", "\t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r", "e": "\x1b",
    " ": " ", '"': '"', "/": "/", "\\": "\\", "N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029",
}  # fmt: skip
_HEX: Final = {"x": 2, "u": 4, "U": 8}
_BREAK: Final = re.compile("\r\n|[\r\n\x85\u2028\u2029]")
_HEADER: Final = re.compile("[|>]([+-]?)([1-9]?)([+-]?)[^\r\n\x85\u2028\u2029]*")
_LINE: Final = re.compile("(?:\r\n|[\r\n\x85\u2028\u2029])( *)([^\r\n\x85\u2028\u2029]?)")
_DASH: Final = re.compile(r"((?: *- +)* *)-\s+")
_DASHES: Final = re.compile(r" *(?:- +)+")
_INDENT: Final = re.compile(r" *(?=[^\s#])")
_REST: Final = re.compile(r"\s*(?:#.*)?")
_LINE_END: Final = re.compile(r"\r\n?|\n")
_COMMA_BEHIND: Final = re.compile(r"\s*,[ \t]*")


@value
class Decoded:
    """text, and for each of its characters where in the file it starts and ends. start and end are the scalar's own."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    start: int
    end: int

    def file_span(self, span: Span) -> Span:
        """The characters of the file behind a range of text."""
        size = len(self.text)
        first, last = max(0, min(span.start, size)), max(0, min(span.end, size))
        if first < last:
            return Span(self.starts[first], self.ends[last - 1])
        here = self.starts[first] if first < size else (self.ends[-1] if size else self._inside)
        return Span(here, here)

    @property
    def _inside(self) -> int:
        return min(self.start + 1, self.end)


class _Out:
    """Characters of the decoded text with their places."""

    def __init__(self) -> None:
        self.chars: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []

    def add(self, char: str, start: int, end: int) -> None:
        """One decoded character that stands in start..end of the file."""
        self.chars.append(char)
        self.starts.append(start)
        self.ends.append(end)

    def drop_blanks(self, keep: int) -> None:
        """Take back trailing blanks, but not the first `keep` characters."""
        while len(self.chars) > keep and self.chars[-1] in " \t":
            self.chars.pop()
            self.starts.pop()
            self.ends.pop()

    def decoded(self, start: int, end: int) -> Decoded:
        """The result, for the scalar at start..end."""
        return Decoded("".join(self.chars), tuple(self.starts), tuple(self.ends), start, end)


def content(text: str, start: int, end: int) -> tuple[int, int]:
    """Where a scalar itself is: without its anchor and tag in front and the blank lines behind a block."""
    if text[start : start + 1] in ("&", "!") and (properties := _PROPERTIES.match(text, start, end)):
        start = properties.end()
    while end > start and text[end - 1] in " \t\r\n":
        end -= 1
    return start, end


def decode(text: str, start: int, end: int, raw_end: int, known: str | None = None) -> Decoded:
    """The scalar that stands at start..end, as `content` gives it; libyaml says that it ends at raw_end.

    known is its decoded text where that is certain; a block scalar with an indentation indicator needs it.
    """
    mark = text[start : start + 1] if start < end else ""
    if mark in ("|", ">"):
        return _block(text, start, raw_end, known)
    if mark == '"':
        return _flow(text, start, end, start + 1, end - 1, '"')
    if mark == "'":
        return _flow(text, start, end, start + 1, end - 1, "'")
    return _flow(text, start, end, start, end, "")


def _flow(text: str, start: int, end: int, at: int, stop: int, style: str) -> Decoded:
    out = _Out()
    keep = 0  # characters before this one are no blanks to fold: they came from an escape
    while at < stop:
        char = text[at]
        if line_break := _BREAK.match(text, at, stop):
            out.drop_blanks(keep)
            at = _fold(text, line_break, stop, out)
            keep = len(out.chars)
        elif style == "'" and char == "'":
            out.add("'", at, at + 2)
            at += 2
        elif style == '"' and char == "\\":
            at = _escape(text, at, stop, out)
            keep = len(out.chars)
        else:
            out.add(char, at, at + 1)
            at += 1
    return out.decoded(start, end)


def _fold(text: str, first_break: re.Match[str], stop: int, out: _Out) -> int:
    """Behind a line break: one space, or a line break per empty line that follows."""
    first, at = first_break.span()
    char = _broken(first_break, first)[0]
    empty = 0
    if char != "\n":
        out.add(char, first, at)
        empty = 1
    while True:
        line = at
        while at < stop and text[at] in " \t":
            at += 1
        line_break = _BREAK.match(text, at, stop)
        if line_break is None:
            if not empty:
                out.add(" ", first, at)
            return at
        out.add(_broken(line_break, line)[0], line if empty else first, line_break.end())
        empty += 1
        at = line_break.end()


def _escape(text: str, at: int, stop: int, out: _Out) -> int:
    after = text[at + 1 : at + 2]
    if line_break := _BREAK.match(text, at + 1, stop):  # a continued line: the break and the blanks behind it vanish
        here = line_break.end()
        while True:
            line = here
            while here < stop and text[here] in " \t":
                here += 1
            following = _BREAK.match(text, here, stop)
            if following is None:
                return here
            out.add(_broken(following, line)[0], line, following.end())
            here = following.end()
    if after in _HEX:
        end = at + 2 + _HEX[after]
        out.add(chr(int(text[at + 2 : end], 16)), at, end)
        return end
    out.add(_ESCAPES.get(after, after), at, at + 2)
    return at + 2


def _block(text: str, start: int, raw_end: int, known: str | None) -> Decoded:
    head = _HEADER.match(text, start)
    assert head is not None
    chomp, indicator = head[1] or head[3], int(head[2] or 0)
    if not indicator:
        return _block_at(text, head, raw_end, chomp, _detected(text, head.end(), raw_end))
    for indent in range(indicator, indicator + 512):  # the indicator counts from the parent's column, unknown here
        found = _block_at(text, head, raw_end, chomp, indent)
        if known is None or found.text == known:
            break
    return found


def _detected(text: str, at: int, raw_end: int) -> int:
    """Indentation of the first line that is not blank, else the longest blank line's, at least 1."""
    longest = 1
    for line in _LINE.finditer(text, at, raw_end):
        if line[2]:
            return len(line[1])
        longest = max(longest, len(line[1]))
    return longest


def _block_at(text: str, head: re.Match[str], raw_end: int, chomp: str, indent: int) -> Decoded:
    """A literal or folded scalar whose lines are indented by so many columns; the steps of libyaml's scanner."""
    out, literal = _Out(), text[head.start()] == "|"
    at = head.end()
    if first := _BREAK.match(text, at):
        at = first.end()
    held: list[tuple[str, int, int]] = []  # the break of the last line of text
    at, deep, blank_lines = _blank_lines(text, at, raw_end, indent)
    was_blank = False
    while at < raw_end and deep:
        is_blank = text[at] in " \t"
        if not literal and held and held[0][0] == "\n" and not was_blank and not is_blank:
            if not blank_lines:
                out.add(" ", held[0][1], at)
        else:
            for one in held:
                out.add(*one)
        for one in blank_lines:
            out.add(*one)
        was_blank = is_blank
        while at < len(text) and not (following := _BREAK.match(text, at)):
            out.add(text[at], at, at + 1)
            at += 1
        held = []
        if at < len(text) and following:
            held = [_broken(following, following.start())]
            at = following.end()
        at, deep, blank_lines = _blank_lines(text, at, raw_end, indent)
    if chomp != "-":
        for one in held + (blank_lines if chomp == "+" else []):
            out.add(*one)
    return out.decoded(head.start(), head.end())


def _blank_lines(text: str, at: int, raw_end: int, indent: int) -> tuple[int, bool, list[tuple[str, int, int]]]:
    """Behind the blank lines at `at` and the indentation of the line that follows, whether that is deep enough to
    belong to the scalar, and the breaks of the blank lines.
    """
    found: list[tuple[str, int, int]] = []
    while True:
        line, spaces = at, 0
        while spaces < indent and text[at : at + 1] == " ":
            at, spaces = at + 1, spaces + 1
        line_break = _BREAK.match(text, at)
        if line_break is None or line >= raw_end:
            return at, spaces == indent, found
        found.append(_broken(line_break, line))
        at = line_break.end()


def _broken(match: re.Match[str], start: int) -> tuple[str, int, int]:
    return (match[0] if match[0] in "\u2028\u2029" else "\n", start, match.end())


def entry(text: str, key: int | None, value: Span) -> Span:
    """What to cut to take out the entry that has its key at this offset (None for a list item) and this value."""
    start = value.start if key is None else key
    line = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    before = text[line:start]
    if key is None and (dash := _DASH.fullmatch(before)):
        before = dash[1]
        start = line + len(before)
    end = _LINE_END.search(text, value.end)
    rest = text[value.end : end.start() if end else len(text)]
    if not _REST.fullmatch(rest):
        return _flow_entry(text, start, value.end)
    stop = end.end() if end else len(text)
    if not before.strip():
        return Span(line, stop)
    if _DASHES.fullmatch(before):  # the first of several in a list item: the next one moves up behind the dash
        following = _INDENT.match(text, stop)
        if following and len(following[0]) == len(before):
            return Span(start, following.end())
        return Span(start, value.end)
    return _flow_entry(text, start, value.end)


def _flow_entry(text: str, start: int, end: int) -> Span:
    """An entry between commas, with the comma behind it or else the one before."""
    behind = _COMMA_BEHIND.match(text, end)
    if behind:
        return Span(start, behind.end())
    before = len(text[:start].rstrip())
    return Span(before - 1 if text[before - 1 : before] == "," else start, end)
