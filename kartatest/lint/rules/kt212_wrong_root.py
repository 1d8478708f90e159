"""KT212: an expression that runs on pods reads a field that pods do not have."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.model import Root
from kartatest.diagnostics import Severity
from kartatest.jq.shape import Path, path_text
from kartatest.lint.facts import parsed_on, places
from kartatest.lint.pods import POD_FIELDS
from kartatest.lint.rule import Finding, LintContext, Rule, closest
from kartatest.source import Span


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each field outside a pod, at the outermost step that is wrong."""
    for expr, _ in parsed_on(ctx, Root.POD):
        seen: set[Span] = set()
        for node, path in places(ctx, expr).reads():
            if node.span in seen or not _is_first_wrong(path):
                continue
            seen.add(node.span)
            yield Finding(
                at=expr.at,
                within=node.span,
                message=f"a pod has no `{path_text(path)}`; `{expr.use.value}` runs on pods, not on the workload",
                help=_help(path),
            )


def _is_first_wrong(path: Path) -> bool:
    if len(path) == 1:
        return path[0] not in POD_FIELDS
    if len(path) == 2 and isinstance(path[0], str):
        known = POD_FIELDS.get(path[0])
        return known is not None and path[1] not in known
    return False


def _help(path: Path) -> str:
    known = POD_FIELDS if len(path) == 1 else POD_FIELDS.get(str(path[0])) or ()
    meant = closest(str(path[-1]), known)
    if meant is not None:
        return f"did you mean `{path_text((*path[:-1], meant))}`?"
    return "use a field of the pod, such as a label that the controller puts on its pods"


RULE = Rule(
    code="KT212",
    name="wrong-root",
    severity=Severity.ERROR,
    summary="An expression that runs on pods reads a field that pods do not have.",
    why=("Selectors, group keys and filters run on one pod, not on the workload: the field is null on every pod."),
    source='semantics 1.2 (column "On"); Kubernetes core/v1 Pod',
    check=check,
)
