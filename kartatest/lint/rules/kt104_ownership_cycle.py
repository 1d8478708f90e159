"""KT104: components own each other in a circle."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each circle, at the ownerRef of its first member in the order of the file."""
    root = ctx.definition.root.name
    owners = {c.name: c.owner for c in reversed(ctx.definition.children) if c.owner and c.name not in ("", root)}
    done: set[str] = set()
    for child in ctx.definition.children:
        path: dict[str, None] = {}
        name = child.name
        while name in owners and name not in path and name not in done:
            path[name] = None
            name = owners[name]
        done.update(path)
        if name not in path:
            continue
        circle = {*list(path)[list(path).index(name) :]}
        start = next(c for c in ctx.definition.children if c.name in circle)
        names = [start.name]
        while owners[names[-1]] != start.name:
            names.append(owners[names[-1]])
        yield Finding(
            at=(*start.at, "ownerRef"),
            message=f"components own each other in a circle: {' -> '.join([*names, start.name])}"
            if len(names) > 1
            else f"component {start.name!r} is owned by itself",
            help=f"let it be owned by {root!r} or another component" if root else "",
        )


RULE = Rule(
    code="KT104",
    name="ownership-cycle",
    severity=Severity.ERROR,
    summary="Following ownerRef from a component leads back to it.",
    why="No component of the circle is reached from the root. Consumers refuse the definition, and one that does not "
    "may never come to an end.",
    source="semantics 2.3, cycles; Q35",
    check=check,
)
