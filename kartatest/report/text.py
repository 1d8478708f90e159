"""Findings as a person reads them: the place, the message, the line itself with the exact part marked."""

from __future__ import annotations

from collections.abc import Sequence
from unicodedata import category, combining, east_asian_width

from kartatest.diagnostics import Diagnostic, Severity
from kartatest.report import RuleInfo

_TAB = 4
_LONGEST = 160  # columns of an excerpt; longer lines are cut around the marked part
_LONGEST_MESSAGE = 400  # characters of a message; a name in it may be a file of many megabytes
_NEAR = 4 * _LONGEST  # characters looked at on each side: a line may be a file of many megabytes

_RESET, _BOLD, _BLUE, _CYAN = "\x1b[0m", "\x1b[1m", "\x1b[1;34m", "\x1b[36m"
_TONE = {Severity.ERROR: "\x1b[1;31m", Severity.WARNING: "\x1b[1;33m"}


def report(
    found: Sequence[Diagnostic],
    *,
    rules: Sequence[RuleInfo] = (),
    checked: Sequence[str] = (),
    color: bool = False,
) -> str:
    """Each finding with its excerpt, then one line that counts them; with nothing found only that line."""
    blocks = [finding(d, color=color) for d in found]
    return "\n".join([*blocks, _summary(found, len(checked))])


def finding(d: Diagnostic, *, color: bool = False) -> str:
    """One finding: place and message, excerpt, help. Ends with a line break."""

    def paint(tone: str, text: str) -> str:
        return f"{tone}{text}{_RESET}" if color else text

    line, column = d.source.position(d.span.start)
    tone = _TONE[d.severity]
    place = paint(_BOLD, f"{printable(d.source.name)}:{line}:{column}:")
    out = [f"{place} {paint(tone, f'{d.severity.word}[{d.code}]')} {cut(d.message)}"]
    gutter = len(str(line))
    bar = paint(_BLUE, "|")
    if d.source.text:
        excerpt, before, marked = _excerpt(d, line, column)
        out.append(f"{' ' * gutter} {bar}")
        out.append(f"{paint(_BLUE, str(line))} {bar} {excerpt}".rstrip())
        out.append(f"{' ' * gutter} {bar} {' ' * before}{paint(tone, '^' * marked)}{_more(d, line)}")
    notes = [("help", part) for part in d.help.splitlines() if part]
    if d.edits:
        notes.append(("fix", "--fix repairs this" if d.safe else "--fix --unsafe-fixes repairs this; check the change"))
    out += [f"{' ' * gutter} {paint(_BLUE, '=')} {paint(_CYAN, word)}: {cut(text)}" for word, text in notes]
    return "\n".join(out) + "\n"


def printable(text: str) -> str:
    """text with what would move a terminal's cursor or hide written as an escape."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\u200d" else ascii(c)[1:-1] for c in text)


def cut(text: str, most: int = _LONGEST_MESSAGE) -> str:
    """text for a line of a terminal: as printable() gives it, and cut behind so many characters."""
    return printable(text) if len(text) <= most else f"{printable(text[:most])}... ({len(text) - most} characters more)"


def width(text: str) -> int:
    """Columns that text takes in a terminal: wide characters two, combining ones none."""
    return sum(_columns(c) for c in text)


def _columns(c: str) -> int:
    if combining(c) or category(c) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if east_asian_width(c) in "WF" else 1


def _excerpt(d: Diagnostic, line: int, column: int) -> tuple[str, int, int]:
    """The line as printed, columns before the marked part, and columns of the marked part (at least 1)."""
    text = d.source.line(line)
    start = min(column - 1, len(text))
    stop = min(len(text), start + max(0, d.span.end - d.span.start))
    stop = max(start, start + len(text[start:stop].rstrip()))
    head = _plain(text[max(0, start - _NEAR) : start], 0)
    part = _plain(text[start : min(stop, start + _NEAR)], width(head))
    tail = _plain(text[stop : stop + _NEAR], width(head) + width(part))
    room = max(_LONGEST - width(part), 40)
    if width(head) + width(part) + width(tail) > _LONGEST:
        if width(head) > room // 2:
            head = "... " + head[-(room // 2) :]
        if width(part) > _LONGEST:
            part, tail = part[:_LONGEST], " ..."
        elif width(tail) > room // 2:
            tail = tail[: room // 2] + " ..."
    return head + part + tail, width(head), max(1, width(part))


def _plain(text: str, at: int) -> str:
    """text with tabs as blanks up to the next stop and control characters escaped; at: columns before it."""
    out: list[str] = []
    for c in text:
        shown = " " * (_TAB - at % _TAB) if c == "\t" else printable(c)
        out.append(shown)
        at += width(shown)
    return "".join(out)


def _more(d: Diagnostic, line: int) -> str:
    text = d.source.text[d.span.start : d.span.end].rstrip()
    last, _ = d.source.position(d.span.start + len(text))
    return f" to line {last}" if last > line else ""


def _summary(found: Sequence[Diagnostic], checked: int) -> str:
    errors = sum(d.severity is Severity.ERROR for d in found)
    warnings = len(found) - errors
    fixable = sum(bool(d.edits and d.safe) for d in found)
    where = f" in {_count(checked, 'file')}" if checked else ""
    if not found:
        return f"no findings{where}\n"
    parts = [_count(n, word) for n, word in ((errors, "error"), (warnings, "warning")) if n]
    mend = f"; --fix repairs {fixable}" if fixable else ""
    return f"{', '.join(parts)}{where}{mend}\n"


def _count(n: int, word: str) -> str:
    return f"{n} {word}" if n == 1 else f"{n} {word}s"
