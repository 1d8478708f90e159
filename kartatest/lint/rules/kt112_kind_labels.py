"""KT112: the labels that name the root kind do not."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, Fix, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each of the three labels that differs from the root kind, or is absent beside the others.

    A definition with none of them is fine: the operator adds them.
    """
    definition = ctx.definition
    kind = definition.root.kind
    if kind is None or not kind.version or not kind.kind:
        return
    right = {"run.ai/karta-group": kind.group, "run.ai/karta-version": kind.version, "run.ai/karta-kind": kind.kind}
    there = [label for label in right if label in definition.labels]
    for label, value in right.items():
        at = (*definition.at, "metadata", "labels", label)
        if label in there and definition.labels[label] != value:
            yield Finding(
                at=at,
                message=f"label {label!r} is {definition.labels[label]!r}, but the root kind says {value!r}",
                help=f"write {value!r}, or leave the three labels to the operator",
                fixes=(Fix(at, replace=value),),
            )
        elif there and label not in there:
            yield Finding(
                at=(*definition.at, "metadata", "labels", there[0]),
                on_key=True,
                message=f"label {label!r} is missing beside {there[0]!r}",
                help=f"add it with the value {value!r}, or leave the three labels to the operator",
            )


RULE = Rule(
    code="KT112",
    name="kind-labels-differ",
    severity=Severity.ERROR,
    summary="The labels run.ai/karta-group, -version and -kind do not name the root kind.",
    why="Consumers look a definition up by these labels. KAI Scheduler's pod grouper finds none then and panics on "
    "every pod of the workload: no pod group is made and no event says why.",
    source="semantics 1.1 and 13; KAI Scheduler as of 2026-08",
    check=check,
)
