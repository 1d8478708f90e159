"""KT308: a pod path cannot be written through in every object."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.model import Use
from kartatest.diagnostics import Severity
from kartatest.jq.ast import Ast, Try, walk
from kartatest.jq.shape import path_text, plain_path, writable
from kartatest.lint.facts import parsed, slips
from kartatest.lint.rule import Finding, Fix, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each pod path with another step than .field, ["key"], [] and ?."""
    for expr, tree in parsed(ctx):
        if not expr.use.written or expr.use is Use.ACTION or slips(ctx, expr):
            continue
        if not writable(tree):
            joined = _joined(tree)
            yield Finding(
                at=expr.at,
                message=f"`{expr.use.value}` is also written through, and this is no plain path",
                help=(
                    f"write it without pipes: `{joined}`"
                    if joined
                    else "name one place, such as `.spec.template`; a second place is a component of its own"
                ),
                fixes=(Fix(at=expr.at, replace=joined),) if joined else (),
            )


def _joined(tree: Ast) -> str:
    """The same path without pipes; "" where it is more than a path, numbers an element, or has a `?` to keep."""
    path = plain_path(tree)
    if path is None or any(isinstance(step, int) for step in path) or any(isinstance(n, Try) for n in walk(tree)):
        return ""
    return path_text(path)


RULE = Rule(
    code="KT308",
    name="unwritable-path",
    severity=Severity.WARNING,
    summary="A pod path cannot be written through in every object.",
    why=(
        "Consumers also change pods through these paths; with `//` a write lands on whichever side is set, "
        "and functions are no place at all."
    ),
    source="semantics 3.6, 5.1, Q27",
    check=check,
)
