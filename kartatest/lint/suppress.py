"""Comments that silence findings, and what is wrong with them.

`# karta: ignore[KT203] reason` behind a line silences that line; alone on its line, the next line that is not a
comment. When a multi-line text starts on the silenced line, all of it is meant.
`# karta: ignore-file[KT203] reason` anywhere silences the whole file. Codes and names of rules may stand in the
brackets, several with commas. Only comments of the YAML text count, not a `#` inside of a value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field

from kartatest.diagnostics import Diagnostic, Edit
from kartatest.lint.rule import Rule, closest
from kartatest.lint.rules.comments import MALFORMED, NO_REASON, UNKNOWN, UNUSED
from kartatest.source import Source, Span

_HINT = re.compile(r"#\s*karta\b", re.IGNORECASE)
_RIGHT = re.compile(r"#\s*karta:\s*(?P<word>ignore|ignore-file)\[(?P<codes>[^\]\n]*)\](?P<reason>[^\n]*)")
_MEANT = re.compile(
    r"#\s*karta\s*(?::|(?=\s(?:ignore|ignored|noqa|disable|suppress)\b))\s*(?P<rest>\S.*)?", re.IGNORECASE
)
_NEARLY = re.compile(
    r"(?P<word>[\w-]+)\s*[:=]?\s*[\[(]?\s*(?P<codes>KT\d{3}(?:[\s,]+KT\d{3})*)\s*[\])]?:?(?P<reason>.*)",
    re.IGNORECASE,
)


@dataclass(eq=False)
class Suppression:
    """One comment that was understood. lines is None for the whole file, else first and last line, both silenced."""

    span: Span
    codes: tuple[tuple[str, Span], ...]
    reason: str
    lines: tuple[int, int] | None
    used: set[str] = field(default_factory=set)

    def silences(self, line: int, code: str) -> bool:
        """Whether a finding of that code which starts on that line is meant."""
        return any(code == c for c, _ in self.codes) and (self.lines is None or self.lines[0] <= line <= self.lines[1])


def apply(
    source: Source, found: Sequence[Diagnostic], rules: Sequence[Rule], *, silent: Set[str] = frozenset()
) -> list[Diagnostic]:
    """found without what the comments of source silence, and with findings about the comments themselves.

    rules: those that ran; a comment for another rule is never called unused. silent: codes of rules that ran without
    what they need, so that nothing can be said about comments for them, either.
    """
    if not _HINT.search(source.text):
        return list(found)
    active = {rule.code for rule in rules}
    checked = {rule.code for rule in rules if rule.silenceable} - silent
    comments = list(_comments(source))
    understood: list[Suppression] = []
    about: list[Diagnostic] = []
    for span, lines in comments:
        parsed = _parsed(source, span, lines)
        if isinstance(parsed, Suppression):
            understood.append(parsed)
        elif parsed is not None:
            about.append(parsed)
    left = []
    for d in found:
        line, _ = source.position(d.span.start)
        silencing = [s for s in understood if s.silences(line, d.code)]
        for s in silencing:
            s.used.add(d.code)
        if not silencing:
            left.append(d)
    for s in understood:
        about += _about(source, s, checked)
    return left + [d for d in about if d.code in active]


def _about(source: Source, s: Suppression, checked: Set[str]) -> Iterator[Diagnostic]:
    known = _known()
    if not s.codes:
        yield _diagnostic(MALFORMED, source, s.span, "no code stands in the brackets", "name the codes to silence")
        return
    if not s.reason:
        help_text = "say why behind the bracket, for the next reader"
        yield _diagnostic(NO_REASON, source, s.span, "the comment gives no reason", help_text)
    for code, span in s.codes:
        if code not in known:
            meant = closest(code, _near(code, known.keys()))
            help_text = f"did you mean {meant!r}?" if meant else "`karta explain` lists all rules"
            yield _diagnostic(UNKNOWN, source, span, f"there is no rule {code!r}", help_text)
    unused = [(c, span) for c, span in s.codes if c in checked and c not in s.used]
    rest = [c for c, _ in s.codes if (c, _) not in unused]
    for code, span in unused:
        where = "in this file" if s.lines is None else "here"
        edit = _without(source, s, unused, rest)
        yield Diagnostic(
            UNUSED.code, UNUSED.name, UNUSED.severity, source, span,
            f"{code} finds nothing {where}", "remove it from the comment" if rest else "remove the comment", edit, True,
        )  # fmt: skip


def _near(code: str, known: Set[str]) -> Set[str]:
    """Names for a name, codes of the same family for a code."""
    if code[:2].upper() == "KT":
        return {k for k in known if k.startswith(code[:3].upper())}
    return {k for k in known if not k.startswith("KT")}


def _known() -> dict[str, str]:
    """Code to code, and name to code, of all rules there are."""
    from kartatest.lint.rules import RULES

    return {key: rule.code for rule in RULES for key in (rule.code, rule.name)}


def _diagnostic(
    rule: Rule,
    source: Source,
    span: Span,
    message: str,
    help_text: str,
    edits: tuple[Edit, ...] = (),
) -> Diagnostic:
    return Diagnostic(rule.code, rule.name, rule.severity, source, span, message, help_text, edits, bool(edits))


def _without(source: Source, s: Suppression, unused: list[tuple[str, Span]], rest: list[str]) -> tuple[Edit, ...]:
    """The comment with only the codes of rest, or gone with its line or the blanks before it."""
    if rest:
        first, last = s.codes[0][1], s.codes[-1][1]
        return (Edit(Span(first.start, last.end), ", ".join(rest)),)
    start = s.span.start
    while start and source.text[start - 1] in " \t":
        start -= 1
    end = s.span.end
    line = source.position(start)[0]
    if start == source.start(line):  # alone on its line: the line goes, too
        end = source.start(line + 1)
    return (Edit(Span(start, end), ""),)


def _parsed(source: Source, span: Span, lines: tuple[int, int]) -> Suppression | Diagnostic | None:
    """What a comment says; a finding when it means to silence and does not; None for any other comment."""
    text = source.text[span.start : span.end]
    if match := _RIGHT.match(text):
        known = _known()
        at = span.start + match.start("codes")
        codes = [
            (known.get(part[0], part[0]), Span(at + part.start(), at + part.end()))
            for part in re.finditer(r"[^\s,]+(?: +[^\s,]+)*", match["codes"])
        ]
        whole = match["word"] == "ignore-file"
        return Suppression(span, tuple(codes), match["reason"].strip(" \t:-"), None if whole else lines)
    meant = _MEANT.match(text)
    if meant is None:
        return None
    rest = (meant["rest"] or "").strip()
    right = "write `# karta: ignore[KT203] the reason`, or ignore-file for the whole file"
    nearly = _NEARLY.fullmatch(rest)
    if nearly is None:
        return _diagnostic(MALFORMED, source, span, "the comment silences nothing: it names no code in brackets", right)
    word = closest(nearly["word"], ("ignore", "ignore-file")) or "ignore"
    codes_text = ", ".join(re.findall(r"KT\d{3}", nearly["codes"].upper()))
    reason = nearly["reason"].strip()
    mended = f"# karta: {word}[{codes_text}]" + (f" {reason}" if reason else "")
    message = "the comment silences nothing: it is not written as it must be"
    return _diagnostic(MALFORMED, source, span, message, right, (Edit(span, mended),))


def _comments(source: Source) -> Iterator[tuple[Span, tuple[int, int]]]:
    """Comments that speak of karta, each with the first and last line that it would silence."""
    text = source.text
    texts = _texts(source)
    for match in _HINT.finditer(text):
        at = match.start()
        if (at and text[at - 1] not in " \t\n\r") or any(t.body <= at < t.end for t in texts):
            continue
        span = Span(at, at + len(text[at : source.line_of(at).end].rstrip()))
        line, column = source.position(at)
        if not source.line(line)[: column - 1].strip():
            line = _next_line(source, line)
        touched = [lines for t in texts if (lines := t.lines(source))[0] <= line <= lines[1]]
        yield span, (min([line, *(a for a, _ in touched)]), max([line, *(b for _, b in touched)]))


def _next_line(source: Source, line: int) -> int:
    """The first line from this one that is neither a comment nor blank; the last line when there is none."""
    last, _ = source.position(len(source.text))
    while line < last and source.line(line).lstrip()[:1] in ("", "#"):
        line += 1
    return line


@dataclass(frozen=True, slots=True)
class _Text:
    """A scalar in the file. In start..body stands what may have a comment behind it: the header of a block."""

    start: int
    body: int
    end: int

    def lines(self, source: Source) -> tuple[int, int]:
        return source.position(self.start)[0], source.position(max(self.start, self.end - 1))[0]


def _texts(source: Source) -> list[_Text]:
    """All scalars in order, up to the first fault of the YAML text."""
    import yaml

    found: list[_Text] = []
    base = 1 if source.text.startswith("\ufeff") else 0
    try:
        for token in yaml.scan(source.text[base:], Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            if not isinstance(token, yaml.ScalarToken):
                continue
            start, end = token.start_mark.index + base, token.end_mark.index + base
            while end > start and source.text[end - 1] in " \t\r\n":
                end -= 1
            body = start
            if token.style in ("|", ">"):
                body = min(source.line_of(start).end, end)
            found.append(_Text(start, body, max(end, body)))
    except yaml.YAMLError:
        pass
    return found
