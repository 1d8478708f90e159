"""KT121: a component with instances has components below it."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.facts import subtree
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each component with ids that has pods or a count below it, at its instanceIdPath."""
    definition = ctx.definition
    for component in definition.components:
        if component.instance_ids is None:
            continue
        below = [c.name for c in subtree(definition, component) if c is not component and (c.bears_pods or c.scale)]
        if not below:
            continue
        if component is definition.root:
            message = f"of the instances of the root only the first one shows {_listed(below)}"
        else:
            message = f"each instance of {component.name!r} gets a copy of {_listed(below)}, with all of its pods"
        yield Finding(
            at=component.instance_ids.at,
            message=message,
            help="hang what is below it off a component without instances; it may have instances of its own",
        )


def _listed(names: list[str]) -> str:
    return repr(names[0]) if len(names) == 1 else f"{names[0]!r} and {len(names) - 1} more"


RULE = Rule(
    code="KT121",
    name="copied-children",
    severity=Severity.WARNING,
    summary="A component with instances has components with pods or a count below it.",
    why=(
        "Consumers show all of a child below every instance of its parent, so its pods and counts are added once for "
        "each; of a root with instances they show what is below the first one, and nothing when there is none."
    ),
    source="semantics 8.1, Q29",
    check=check,
)
