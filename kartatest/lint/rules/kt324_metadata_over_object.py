"""KT324: metadataPath names an object that holds more than metadata."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule
from kartatest.lint.typing import inferred, is_said, named, path_of

_METADATA = (
    "annotations creationTimestamp deletionGracePeriodSeconds deletionTimestamp finalizers generateName generation "
    "labels managedFields name namespace ownerReferences resourceVersion selfLink uid"
)


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each such path that consumers can write through."""
    for component in ctx.definition.components:
        expr = component.spec.metadata if component.spec is not None else None
        found = inferred(ctx, expr)
        if expr is None or found is None or not found.writable or found.value.type is None:
            continue
        others = sorted(found.value.type.fields.keys() - set(_METADATA.split()))
        if not others or is_said(ctx, expr, "KT242"):
            continue
        shown = ", ".join(map(repr, others[:3])) + (" and more" if len(others) > 3 else "")
        yield Finding(
            at=expr.at,
            message=f"{path_of(found.value)} of {named(ctx, expr.root)} is no metadata: it also has {shown}",
            help="name what holds only metadata, or build it so that nothing is written: `... | {labels, annotations}`",
        )


RULE = Rule(
    code="KT324",
    name="metadata-over-object",
    severity=Severity.WARNING,
    summary="metadataPath names an object that holds more than metadata.",
    why="A consumer that writes metadata replaces the whole object by it: the other fields are gone.",
    source="semantics 5.1, Q22; the kind's CRD",
    check=check,
)
