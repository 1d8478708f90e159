"""KT608: two entries of podGroups put their pods into one group."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.model import AlphaGroupDef
from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each entry with a member whose keys are those of a member of an earlier entry."""
    gang = ctx.definition.gang
    if gang is None or gang.pod_group is not None:
        return
    seen: dict[tuple[object, ...], str] = {}
    for group in gang.pod_groups:
        for keys in _keys(ctx, group):
            if keys in seen:
                by = "by the same keys" if keys else "without keys"
                yield Finding(
                    at=(*group.at, "name"),
                    message=f"{group.name!r} and {seen[keys]!r} are grouped {by}, so they are one group",
                    help="put a constant first that tells them apart: `groupByKeyPaths: ['\"head\"']`",
                )
                break
        seen.update({keys: group.name for keys in _keys(ctx, group) if keys not in seen})


def _keys(ctx: LintContext, group: AlphaGroupDef) -> list[tuple[object, ...]]:
    """Per member its group keys: as trees, so that spelling does not tell; as text where they do not parse."""
    return [tuple(ctx.trees.get(key.at, key.text) for key in member.group_keys) for member in group.members]


RULE = Rule(
    code="KT608",
    name="colliding-groups",
    severity=Severity.ERROR,
    summary="Two entries of podGroups put their pods into one group.",
    why=(
        "Such a group is named by the workload and the group keys alone: equal keys are one group, and its "
        "minimum changes with each pod."
    ),
    source="semantics 9.4, Q33",
    check=check,
)
