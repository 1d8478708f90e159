"""KT617: the key of a group, an instance or a replica is a list or an object."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.model import Use
from kartatest.diagnostics import Severity
from kartatest.jq.shape import path_text, result_type
from kartatest.lint.facts import parsed, plain
from kartatest.lint.pods import HOLDERS
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each key that is such a field of the pod, or surely gives such values."""
    for expr, tree in parsed(ctx, Use.GROUP_KEY, Use.POD_INSTANCE_ID, Use.REPLICA_KEY):
        path, kind = plain(ctx, expr), result_type(tree)
        if path in HOLDERS or kind in {"array", "object"}:
            yield Finding(
                at=expr.at,
                message=f"`{path_text(path)}` is no text" if path else f"gives an {kind}, not text",
                help='name one label in it, or join the parts: `... | join("-")`',
            )


RULE = Rule(
    code="KT617",
    name="key-not-text",
    severity=Severity.ERROR,
    summary="The key of a group, an instance or a replica is a list or an object.",
    why=("Consumers print it in a notation of their own, which is no legal name and equals no instance id."),
    source="semantics 7.2, 13, Q19",
    check=check,
)
