"""KT114: the kind of a child component, or an additional child kind, has an empty part."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule
from kartatest.lint.rules.places import given, named_kinds


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each empty version or kind; the root's are KT106, absent keys the loader's to report."""
    for what, ref in named_kinds(ctx, root=False):
        for part, value in (("version", ref.gvk.version), ("kind", ref.gvk.kind)):
            if not value and given(ctx, (*ref.at, part)):
                yield Finding(
                    at=(*ref.at, part),
                    message=f"the {part} of {what} is empty",
                    help="give group, version and kind, or leave the whole kind out where no object stands for the part"
                    if what.startswith("component")
                    else "give group, version and kind",
                )


RULE = Rule(
    code="KT114",
    name="incomplete-kind",
    severity=Severity.ERROR,
    summary="A kind that a definition names has an empty version or kind.",
    why="An incomplete kind names no object: permissions for it are not given and nothing is found.",
    source="semantics 1.2 and Q55",
    of_absence=True,
    check=check,
)
