"""Findings as GitHub workflow commands: annotations on the lines of a pull request."""

from __future__ import annotations

from collections.abc import Sequence

from kartatest.diagnostics import Diagnostic, Severity
from kartatest.report import RuleInfo
from kartatest.report.text import printable

_COMMAND = {Severity.ERROR: "error", Severity.WARNING: "warning"}


def report(
    found: Sequence[Diagnostic],
    *,
    rules: Sequence[RuleInfo] = (),
    checked: Sequence[str] = (),
    color: bool = False,
) -> str:
    """One command on one line for each finding; "" when there are none."""
    return "".join(_command(d) for d in found)


def _command(d: Diagnostic) -> str:
    line, column = d.source.position(d.span.start)
    end_line, end_column = d.source.position(d.span.end)
    places = {"file": d.source.name, "line": line, "endLine": end_line}
    if end_line == line:  # columns of a finding over several lines are refused
        places |= {"col": column, "endColumn": max(column, end_column)}
    places["title"] = f"{d.code} {d.name}"
    properties = ",".join(f"{key}={_property(str(value))}" for key, value in places.items())
    text = d.message + (f"\n{d.help}" if d.help else "")
    return f"::{_COMMAND[d.severity]} {properties}::{_data(text)}\n"


def _data(text: str) -> str:
    text = "\n".join(printable(line) for line in text.split("\n"))
    return text.replace("%", "%25").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
