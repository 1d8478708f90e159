"""Findings as SARIF 2.1.0, for code scanning."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import PurePath
from urllib.parse import quote

import kartatest
from kartatest.diagnostics import Diagnostic, Edit, Severity
from kartatest.report import RuleInfo
from kartatest.source import Json, Source, Span

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVEL = {Severity.ERROR: "error", Severity.WARNING: "warning"}


def report(
    found: Sequence[Diagnostic],
    *,
    rules: Sequence[RuleInfo] = (),
    checked: Sequence[str] = (),
    color: bool = False,
) -> str:
    """One log with one run. All rules are described, and each result says by index which is its own.

    Columns count code points. Paths are relative to where the command ran, unless they were given as absolute ones.
    """
    index = {rule.code: i for i, rule in enumerate(rules)}
    run = {
        "tool": {"driver": {"name": "karta", "version": kartatest.__version__, "rules": [_rule(r) for r in rules]}},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"SRCROOT": {"description": {"text": "The folder in which karta ran."}}},
        "artifacts": [{"location": _location(name)} for name in dict.fromkeys(checked)],
        "results": [_result(d, index) for d in found],
    }
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2, ensure_ascii=False) + "\n"


def _rule(rule: RuleInfo) -> Json:
    name = "".join(word.capitalize() for word in rule.name.split("-"))
    return {
        "id": rule.code,
        "name": name,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": f"{rule.summary} {rule.why}"},
        "defaultConfiguration": {"level": _LEVEL[rule.severity]},
        "help": {"text": rule.why},
    }


def _result(d: Diagnostic, index: dict[str, int]) -> Json:
    result: dict[str, Json] = {
        "ruleId": d.code,
        "level": _LEVEL[d.severity],
        "message": {"text": d.message + (f"\n{d.help}" if d.help else "")},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": _location(d.source.name),
                    "region": _region(d.source, d.span),
                }
            }
        ],
    }
    if d.code in index:
        result["ruleIndex"] = index[d.code]
    if d.edits:
        change = {
            "artifactLocation": _location(d.source.name),
            "replacements": [_replacement(d.source, edit) for edit in d.edits],
        }
        text = "repair" if d.safe else "repair that may change the meaning"
        result["fixes"] = [{"description": {"text": text}, "artifactChanges": [change]}]
    return result


def _location(name: str) -> Json:
    path = PurePath(name)
    if path.is_absolute():
        return {"uri": path.as_uri()}
    return {"uri": quote(path.as_posix()), "uriBaseId": "SRCROOT"}


def _region(source: Source, span: Span) -> Json:
    line, column = source.position(span.start)
    end_line, end_column = source.position(span.end)
    return {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}


def _replacement(source: Source, edit: Edit) -> Json:
    return {"deletedRegion": _region(source, edit.span), "insertedContent": {"text": edit.text}}
