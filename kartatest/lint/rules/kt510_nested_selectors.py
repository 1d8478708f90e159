"""KT510: the selectors of a component and of one above it exclude each other."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.model import TypeSelector
from kartatest.diagnostics import Severity
from kartatest.jq.shape import Path
from kartatest.lint.facts import owners, plain
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each pod-bearing component below a pod-bearing child whose selector wants another value."""
    values = {id(s): _values(ctx, s) for c in ctx.definition.children if (s := c.selector and c.selector.type)}
    for component in ctx.definition.children:
        mine = component.selector.type if component.selector is not None else None
        if not component.bears_pods or mine is None:
            continue
        for owner in owners(ctx.definition, component):
            theirs = owner.selector.type if owner.selector is not None else None
            if owner is ctx.definition.root or not owner.bears_pods or theirs is None:
                continue
            wanted, other = values[id(mine)], values[id(theirs)]
            if any(path in other and other[path] != value for path, value in wanted.items()):
                yield Finding(
                    at=mine.at,
                    on_key=True,
                    message=f"no pod of {owner.name!r} matches, and {component.name!r} hangs off it",
                    help="hang both off the same owner: set `ownerRef` to a component without pods",
                )
                break  # the nearest is enough to say


def _values(ctx: LintContext, selector: TypeSelector) -> dict[Path, str]:
    found: dict[Path, str] = {("metadata", "labels", k): v for k, v in (selector.labels or {}).items()}
    path = plain(ctx, selector.key)
    if path and selector.value is not None:
        found[path] = selector.value
    return found


RULE = Rule(
    code="KT510",
    name="nested-selectors",
    severity=Severity.WARNING,
    summary="The selectors of a component and of one above it exclude each other.",
    why=(
        "Some consumers look for a component's pods among those of its owner; with exclusive selectors there are none."
    ),
    source="semantics 8.4, Q47",
    check=check,
)
