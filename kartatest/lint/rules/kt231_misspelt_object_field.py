"""KT231: an expression reads a field that no Kubernetes object has."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.model import Expr, Root
from kartatest.diagnostics import Severity
from kartatest.jq.ast import Node
from kartatest.jq.shape import path_text
from kartatest.lint.facts import parsed_on, places
from kartatest.lint.pods import METADATA_FIELDS
from kartatest.lint.rule import Finding, Fix, LintContext, Rule, closest
from kartatest.source import Span

_TOP = ("apiVersion", "kind", "metadata", "spec", "status")


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each step that is nearly a field at the top of an object, or none of its metadata."""
    for expr, _ in parsed_on(ctx, Root.WORKLOAD):
        seen: set[Span] = set()
        for node, path in places(ctx, expr).reads():
            if node.span in seen:
                continue
            last, known = path[-1] if path else None, _TOP if len(path) == 1 else METADATA_FIELDS
            if not isinstance(last, str) or last in known or not (len(path) == 1 or path[:-1] == ("metadata",)):
                continue
            meant = closest(last, known)
            if meant is None and len(path) == 1:
                continue  # some kinds have fields of their own at the top
            seen.add(node.span)
            yield Finding(
                at=expr.at,
                within=node.span,
                message=f"objects have no `{path_text(path)}`",
                help=f"did you mean `{path_text((*path[:-1], meant))}`?" if meant else "look for it in spec or status",
                fixes=_fixes(expr, node, last, meant),
            )


def _fixes(expr: Expr, node: Node, last: str, meant: str | None) -> tuple[Fix, ...]:
    """The last word of the step replaced, where it ends the step's text."""
    if meant is None or not expr.text[: node.span.end].endswith(f".{last}"):
        return ()
    word = Span(node.span.end - len(last), node.span.end)
    return (Fix(at=expr.at, within=word, replace=meant, safe=False),)


RULE = Rule(
    code="KT231",
    name="misspelt-object-field",
    severity=Severity.WARNING,
    summary="An expression reads a field that no Kubernetes object has.",
    why="Such a field is null on every object, silently; behind a default nobody notices.",
    source="Kubernetes API conventions, objects and ObjectMeta",
    check=check,
)
