"""Findings as JUnit XML: a suite for each file, a failed test case for each finding, a passed one for a clean file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from kartatest.diagnostics import Diagnostic
from kartatest.report import RuleInfo
from kartatest.report.text import finding

# What XML 1.0 cannot hold in any form, not even as a character reference (XML 1.0, 2.2).
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def report(
    found: Sequence[Diagnostic],
    *,
    rules: Sequence[RuleInfo] = (),
    checked: Sequence[str] = (),
    color: bool = False,
) -> str:
    """One document; files in the order of checked, then any other that has findings."""
    names = list(dict.fromkeys([*checked, *(d.source.name for d in found)]))
    suites = [_suite(name, [d for d in found if d.source.name == name]) for name in names]
    tests = sum(count for count, _ in suites)
    head = f'<testsuites name="karta lint" tests="{tests}" failures="{len(found)}" errors="0" skipped="0" time="0">'
    parts = ['<?xml version="1.0" encoding="UTF-8"?>', head, *(text for _, text in suites), "</testsuites>"]
    return "\n".join(parts) + "\n"


def _suite(name: str, found: Sequence[Diagnostic]) -> tuple[int, str]:
    cases = [_case(d) for d in found] or [f'    <testcase classname={_attr(name)} name="lint" time="0"/>']
    counts = f'tests="{len(cases)}" failures="{len(found)}" errors="0" skipped="0" time="0"'
    return len(cases), "\n".join([f"  <testsuite name={_attr(name)} {counts}>", *cases, "  </testsuite>"])


def _case(d: Diagnostic) -> str:
    line, column = d.source.position(d.span.start)
    title = _attr(f"{d.code} {d.name} [{line}:{column}]")
    place = f'classname={_attr(d.source.name)} name={title} file={_attr(d.source.name)} line="{line}" time="0"'
    why = f"type={_attr(d.severity.word)} message={_attr(d.message)}"
    return f"    <testcase {place}>\n      <failure {why}>{_text(finding(d))}</failure>\n    </testcase>"


def _attr(text: str) -> str:
    return quoteattr(_clean(text), {"\n": "&#10;", "\t": "&#9;", "\r": "&#13;"})


def _text(text: str) -> str:
    return escape(_clean(text))


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)
