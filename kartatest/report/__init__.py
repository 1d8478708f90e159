"""Findings as text for people and as formats for machines: one module per format, all listed in REPORTERS."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Protocol

from kartatest.diagnostics import Diagnostic, Severity


class RuleInfo(Protocol):
    """What a report says about the rule behind a code."""

    @property
    def code(self) -> str:
        """Such as "KT103"."""

    @property
    def name(self) -> str:
        """Such as "unknown-owner"."""

    @property
    def severity(self) -> Severity:
        """How much its findings weigh."""

    @property
    def summary(self) -> str:
        """One sentence: what is wrong."""

    @property
    def why(self) -> str:
        """What comes of it."""


class Reporter(Protocol):
    """Findings, in the order of reports, to a text that ends with a line break, or "" when there is nothing to say.

    rules: what is known about the codes; checked: the names of all files that were checked; color: whether the
    reader is a terminal. A format takes from these what it has room for.
    """

    def __call__(
        self,
        found: Sequence[Diagnostic],
        *,
        rules: Sequence[RuleInfo] = (),
        checked: Sequence[str] = (),
        color: bool = False,
    ) -> str:
        """The whole report."""


def _lazy(module: str) -> Reporter:
    def report(
        found: Sequence[Diagnostic],
        *,
        rules: Sequence[RuleInfo] = (),
        checked: Sequence[str] = (),
        color: bool = False,
    ) -> str:
        whole: Callable[..., str] = import_module(f"kartatest.report.{module}").report
        return whole(found, rules=rules, checked=checked, color=color)

    return report


REPORTERS: dict[str, Reporter] = {name: _lazy(name) for name in ("text", "json", "sarif", "github", "junit")}
"""Format to reporter; the module of a format is imported when it is used."""


def statistics(found: Sequence[Diagnostic], *, as_json: bool = False) -> str:
    """How often each rule found something, most often first: lines for people, or a JSON array."""
    counts = Counter(d.code for d in found)
    about = {d.code: d for d in found}
    fixable = Counter(d.code for d in found if d.edits)
    rows = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    if as_json:
        import json

        keys = ("code", "name", "severity", "count", "fixable")
        values = [(c, about[c].name, about[c].severity.word, n, fixable[c]) for c, n in rows]
        return json.dumps([dict(zip(keys, v, strict=True)) for v in values], indent=2) + "\n"
    width = len(str(max(counts.values(), default=0)))
    return "".join(f"{n:>{width}}  {c}  {about[c].severity.word:<7}  {about[c].name}\n" for c, n in rows)
