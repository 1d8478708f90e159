"""Findings as JSON: one array, in the order of reports; the shape is stable (docs/guide)."""

from __future__ import annotations

import json
from collections.abc import Sequence

from kartatest.diagnostics import Diagnostic
from kartatest.report import RuleInfo
from kartatest.source import Json


def report(
    found: Sequence[Diagnostic],
    *,
    rules: Sequence[RuleInfo] = (),
    checked: Sequence[str] = (),
    color: bool = False,
) -> str:
    """An array with one object for each finding; "[]" when there are none."""
    return json.dumps([as_json(d) for d in found], indent=2, ensure_ascii=False) + "\n"


def as_json(d: Diagnostic) -> Json:
    """One finding. Lines and columns count from 1, columns in code points; the end is the place behind the last."""
    line, column = d.source.position(d.span.start)
    end_line, end_column = d.source.position(d.span.end)
    return {
        "code": d.code,
        "name": d.name,
        "severity": d.severity.word,
        "file": d.source.name,
        "line": line,
        "column": column,
        "endLine": end_line,
        "endColumn": end_column,
        "message": d.message,
        "help": d.help,
        "fixable": bool(d.edits),
    }
