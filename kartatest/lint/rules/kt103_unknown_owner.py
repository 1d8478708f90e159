"""KT103: a child component's ownerRef names no component."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, Fix, LintContext, Rule, closest, did_you_mean


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each child whose owner is not defined; a missing or empty ownerRef is KT102."""
    names = [c.name for c in ctx.definition.components]
    for child in ctx.definition.children:
        if not child.owner or child.owner in names:
            continue
        at = (*child.at, "ownerRef")
        others = [n for n in names if n != child.name]
        meant = closest(child.owner, others)
        yield Finding(
            at=at,
            message=f"component {child.name!r} is owned by {child.owner!r}, which does not exist",
            help=did_you_mean(child.owner, others),
            fixes=(Fix(at, replace=meant, safe=_bare(meant) == _bare(child.owner)),) if meant else (),
        )


def _bare(name: str) -> str:
    """What is left of a name when case, separators and a plural do not count."""
    return "".join(c for c in name.lower() if c.isalnum()).removesuffix("s")


RULE = Rule(
    code="KT103",
    name="unknown-owner",
    severity=Severity.ERROR,
    summary="A child component's ownerRef names no component.",
    why="The component hangs off nothing: it and all below it are never reached. Consumers refuse the definition.",
    source="semantics 2.3, children",
    of_absence=True,
    check=check,
)
