"""KT707: on some frames the pod spec of a component has no containers."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.evidence import FrameEvidence
from kartatest.definition.model import Use
from kartatest.diagnostics import Severity
from kartatest.lint.facts import spec_exprs
from kartatest.lint.rule import Finding, LintContext, Rule
from kartatest.lint.shown import gives_nothing, place, seen, times

_WHOLE = {Use.POD_TEMPLATE_SPEC, Use.POD_SPEC, Use.CONTAINERS, Use.CONTAINER}


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each such component; a path that never gives anything is KT703."""
    for component in ctx.definition.components:
        expr = next((e for e in spec_exprs(component) if e.use in _WHOLE), None)
        if expr is None or all(gives_nothing(run.outcome) for run in seen(ctx, expr)):
            continue
        bare: list[FrameEvidence] = []
        for frame in ctx.evidence.frames:
            counts = next((c.containers for c in frame.components if c.name == component.name), ())
            if any(count == 0 for count in counts):
                bare.append(frame)
        if bare:
            yield Finding(
                at=expr.at,
                message=f"gives a pod without containers on {times(len(bare), 'frame')}, first on {place(bare[0])}",
                help="name the pod template (with `spec` in it) or the pod spec (with `containers` in it)",
            )


RULE = Rule(
    code="KT707",
    name="no-containers",
    severity=Severity.ERROR,
    summary="On some frames the pod spec of a component has no containers.",
    why=("The path leads to something that is no pod spec: nothing is requested, and no pod looks like it."),
    source="the recordings; semantics 11.1, Q14",
    of_absence=True,
    check=check,
)
