"""From a text to diagnostics: load, run every rule, place what they found, honour the suppressions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kartatest.definition.evidence import Evidence
from kartatest.definition.model import Gvk
from kartatest.diagnostics import Diagnostic, Edit
from kartatest.lint import fix, suppress
from kartatest.lint.rule import Finding, LintContext, Rule
from kartatest.lint.rules import RULES
from kartatest.source import DocPath, Source

if TYPE_CHECKING:
    from kartatest.definition.load import LoadedDefinition
    from kartatest.jq.ast import Ast
    from kartatest.yamlpos import Document

NO_EVIDENCE = Evidence()


@dataclass(frozen=True, slots=True)
class Types:
    """What expressions are checked against: folders with further CRDs, and the release (None: the newest known)."""

    folders: tuple[Path, ...] = ()
    version: str | None = None


BUILT_IN = Types()


@dataclass(frozen=True)
class Linted:
    """What came of one text: all findings in the order of reports, and the definitions that were in it."""

    found: tuple[Diagnostic, ...]
    items: tuple[LoadedDefinition, ...]

    @property
    def kinds(self) -> tuple[Gvk, ...]:
        """The kinds that its definitions are for; those without a whole root kind left out."""
        kinds = (item.definition.root.kind for item in self.items)
        return tuple(kind for kind in kinds if kind and kind.version and kind.kind)


def lint(
    source: Source,
    *,
    rules: Sequence[Rule] = RULES,
    evidence: Callable[[LoadedDefinition], Evidence] | None = None,
    types: Types = BUILT_IN,
) -> tuple[Diagnostic, ...]:
    """All that rules say of a text, in the order of reports: what loading found, then each definition in it.

    () when there is nothing to say, also when the text holds no definition at all. evidence gives what recordings
    showed of one definition; without it the rules that need recordings stay silent. A fault never hides the next.
    """
    return linted(source, rules=rules, evidence=evidence, types=types).found


def linted(
    source: Source,
    *,
    rules: Sequence[Rule] = RULES,
    evidence: Callable[[LoadedDefinition], Evidence] | None = None,
    taken: Mapping[Gvk, str] | None = None,
    types: Types = BUILT_IN,
) -> Linted:
    """As `lint`, with the definitions. taken: kinds that files before this one define, with the names of the files."""
    from kartatest.definition.load import load

    wanted = {rule.code for rule in rules}
    loaded = load(source)
    found = [d for d in loaded.diagnostics if d.code in wanted]
    silent = {rule.code for rule in rules if rule.family == "7"}
    kinds = dict(taken or {})
    for item in loaded.items:
        shown = evidence(item) if evidence else NO_EVIDENCE
        if shown.frames:
            silent = set()
        found += check(item, evidence=shown, rules=rules, taken=kinds, types=types)
        if item.definition.root.kind is not None:
            kinds.setdefault(item.definition.root.kind, source.name)
    return Linted(in_order(suppress.apply(source, found, rules, silent=silent)), tuple(loaded.items))


def check(
    loaded: LoadedDefinition,
    *,
    evidence: Evidence = NO_EVIDENCE,
    rules: Sequence[Rule] = RULES,
    taken: Mapping[Gvk, str] | None = None,
    types: Types = BUILT_IN,
) -> tuple[Diagnostic, ...]:
    """What rules find in one definition, in the order of reports; suppressions are not looked at.

    A rule that raises is a fault of ours: the exception goes up with a note that names the rule.
    """
    context = _context(loaded, evidence, taken or {}, types)
    found: list[Diagnostic] = []
    for rule in rules:
        if rule.check is None or (rule.of_absence and loaded.definition.unread):
            continue
        try:
            findings = _said_once(list(rule.check(context)), loaded.document)
        except Exception as error:
            error.add_note(f"while running {rule.code} on {loaded.definition.file}, document {loaded.definition.index}")
            raise
        found += [_diagnostic(rule, finding, loaded.document) for finding in findings]
    return in_order(found)


def in_order(found: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Sorted by file, place, code and message; of two that say the same at the same place, one."""
    once = {d.sort_key: d for d in reversed(list(found))}
    return tuple(once[key] for key in sorted(once))


def _said_once(findings: list[Finding], document: Document) -> list[Finding]:
    """findings without those at a YAML alias that repeat, word for word, what is found where the text itself stands."""

    def aliased(finding: Finding) -> bool:
        return document.source.text.startswith("*", document.span(finding.at).start)

    if len(findings) < 2:
        return findings
    originals = {(f.message, f.within) for f in findings if not aliased(f)}
    return [f for f in findings if not aliased(f) or (f.message, f.within) not in originals]


def _context(loaded: LoadedDefinition, evidence: Evidence, taken: Mapping[Gvk, str], types: Types) -> LintContext:
    from kartatest.definition.walk import expressions
    from kartatest.jq import parse
    from kartatest.jq.errors import JqSyntaxError

    trees: dict[DocPath, Ast] = {}
    errors: dict[DocPath, JqSyntaxError] = {}
    parsed: dict[str, Ast | JqSyntaxError] = {}  # through aliases one text often stands in many places
    every = tuple(expressions(loaded.definition))
    for expr in every:
        if not expr.text.strip():
            continue
        if expr.text not in parsed:
            try:
                parsed[expr.text] = parse(expr.text)
            except JqSyntaxError as error:
                parsed[expr.text] = error
        result = parsed[expr.text]
        if isinstance(result, JqSyntaxError):
            errors[expr.at] = result
        else:
            trees[expr.at] = result
    return LintContext(
        definition=loaded.definition,
        document=loaded.document,
        expressions=every,
        trees=trees,
        evidence=evidence,
        syntax_errors=errors,
        taken=taken,
        crds=types.folders,
        crd_version=types.version,
    )


def _diagnostic(rule: Rule, finding: Finding, document: Document) -> Diagnostic:
    key = document.key_span(finding.at) if finding.on_key else None
    if finding.within is not None:
        span = document.within(finding.at, finding.within)
    else:
        span = key or document.span(finding.at)
    # A finding's repairs belong together: where one cannot be carried out, none is.
    parts = [fix.edits(document, one) for one in finding.fixes]
    edits: tuple[Edit, ...] = tuple(edit for part in parts for edit in part) if all(parts) else ()
    return Diagnostic(
        code=rule.code,
        name=rule.name,
        severity=rule.severity,
        source=document.source,
        span=span,
        message=finding.message,
        help=finding.help,
        edits=edits,
        safe=bool(edits) and all(one.safe for one in finding.fixes),
    )
