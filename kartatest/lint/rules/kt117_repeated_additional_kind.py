"""KT117: additionalChildKinds has two entries of the same kind name."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, Fix, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each entry whose kind was listed before, whatever its group; a full repeat has a repair."""
    seen: dict[str, object] = {}
    for ref in ctx.definition.additional_kinds:
        kind = ref.gvk.kind
        if not kind:
            continue
        if kind not in seen:
            seen[kind] = ref.gvk
            continue
        same = seen[kind] == ref.gvk
        yield Finding(
            at=(*ref.at, "kind"),
            message=f"additional child kind {kind!r} is listed twice"
            if same
            else f"{str(ref.gvk)!r} cannot be listed beside {str(seen[kind])!r}: entries are told apart by kind alone",
            help="remove one of them" if same else "list one; give the permissions for the other by hand",
            fixes=(Fix(ref.at, remove=True),) if same else (),
        )


RULE = Rule(
    code="KT117",
    name="repeated-additional-kind",
    severity=Severity.WARNING,
    summary="additionalChildKinds lists the same kind name twice.",
    why="The API server keys the list by kind without group and refuses the second entry, although tools that read "
    "files let it pass.",
    source="Q41",
    check=check,
)
