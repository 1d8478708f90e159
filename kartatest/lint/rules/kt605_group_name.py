"""KT605: the name of a pod group cannot be a part of an object's name."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.labels import fault_of_dns_label
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """At most one finding, for podGroup.name; the names of podGroups are not used."""
    gang = ctx.definition.gang
    group = gang.pod_group if gang is not None else None
    if group is not None and (fault := fault_of_dns_label(group.name)):
        yield Finding(
            at=(*group.at, "name"),
            message=f"{group.name!r} cannot name a pod group: {fault}",
            help="use lower-case letters, digits and -",
        )


RULE = Rule(
    code="KT605",
    name="group-name",
    severity=Severity.ERROR,
    summary="The name of a pod group cannot be a part of an object's name.",
    why=("The scheduler appends it to the name of the PodGroup that it makes, and the API server refuses that."),
    source="semantics 9.4, Q38",
    of_absence=True,
    check=check,
)
