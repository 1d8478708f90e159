"""KT421: a matcher asks for a phase, or a result, that the schema does not have."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from kartatest.definition.model import ComponentDef, Root
from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, Fix, LintContext, Rule, closest
from kartatest.lint.typing import inferred, is_said, named, said
from kartatest.source import DocPath

if TYPE_CHECKING:
    from kartatest.infer import Value


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each byPhase or expectedResult outside what its expression can give; KT414's left out."""
    for component in ctx.definition.components:
        yield from _phases(ctx, component)
        yield from _results(ctx, component)


def _phases(ctx: LintContext, component: ComponentDef) -> Iterator[Finding]:
    status = component.status
    found = inferred(ctx, status.phase) if status else None
    if status is None or found is None or found.value.consts is None:
        return
    texts = sorted({c for c in found.value.consts if isinstance(c, str)} | {""})
    for mapping in status.mappings:
        for matcher in mapping.matchers:
            if matcher.phase and matcher.phase not in texts:
                at = (*matcher.at, "byPhase")
                yield _finding(f"the phase of {named(ctx, Root.WORKLOAD)} is", at, matcher.phase, texts)


def _results(ctx: LintContext, component: ComponentDef) -> Iterator[Finding]:
    from kartatest.infer import words
    from kartatest.infer.scalars import SIMPLE

    spoken = {at for at, _ in said(ctx, "KT414")}
    for mapping in component.status.mappings if component.status else ():
        for matcher in mapping.matchers:
            expr, expected = matcher.expression, matcher.expected
            found = inferred(ctx, expr)
            if expr is None or expected is None or found is None or found.value.never:
                continue
            if is_said(ctx, expr, "KT231", "KT240", "KT241", "KT244"):
                continue  # that is why
            gives = SIMPLE["tostring"].gives
            texts = gives(found.value) if callable(gives) else found.value
            at = (*expr.at[:-1], "expectedResult")
            if texts.consts is None and expected and at not in spoken and not _may_read(found.value, expected):
                kind = named(ctx, Root.WORKLOAD)
                message = f"on {kind} the expression gives {words(found.value)}, never {expected!r}"
                yield Finding(at=at, message=message, help="compare in the expression, and expect true")
            if texts.consts is not None and expected not in texts.consts and at not in spoken:
                kind = named(ctx, Root.WORKLOAD)
                yield _finding(f"on {kind} the expression gives", at, expected, sorted(str(c) for c in texts.consts))


def _may_read(value: Value, text: str) -> bool:
    """Whether some of the values may be that text, as a consumer writes it (semantics 6.2)."""
    from kartatest.infer.lattice import ARRAY, FALSE, NULL, NUMBER, OBJECT, STRING, TRUE

    constants = {"null": NULL, "true": TRUE, "false": FALSE}
    begins = {"[": ARRAY, "{": OBJECT}
    return value.may(STRING | constants.get(text, NUMBER if _NUMBER.match(text) else begins.get(text[:1], STRING)))


_NUMBER = re.compile(r"[-+]?[0-9.]|[-+]?inf|nan", re.IGNORECASE)


def _finding(gives: str, at: DocPath, word: str, known: list[str]) -> Finding:
    near = closest(word, known)
    shown = " or ".join(repr(text) for text in known if text)
    return Finding(
        at=at,
        message=f"{gives} never {word!r}, only {shown}",
        help=f"did you mean {near!r}?" if near else "ask for one of these",
        fixes=(Fix(at=at, replace=near, safe=False),) if near else (),
    )


RULE = Rule(
    code="KT421",
    name="unknown-phase",
    severity=Severity.ERROR,
    summary="A matcher asks for a phase, or a result, that the schema does not have.",
    why="The schema lists all values that the field can have; with any other the matcher never holds.",
    source="the kind's CRD: enums; semantics 6.2",
    check=check,
)
