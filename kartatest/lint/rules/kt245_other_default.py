"""KT245: an expression gives a field another default than the schema does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule
from kartatest.lint.typing import all_inferred, named, path_of

if TYPE_CHECKING:
    from kartatest.infer.events import Defaulted


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each `field // constant` where the API server fills in another constant."""
    for expr, _, inferred in all_inferred(ctx):
        for defaulted in inferred.defaults:
            type_ = defaulted.left.type
            constant = _constant(defaulted)
            if type_ is None or not type_.default or constant is None or isinstance(type_.default[0], dict | list):
                continue
            if _stands_for_more(defaulted):
                continue
            theirs = type_.default[0]
            if theirs != constant and not (isinstance(theirs, bool) or theirs is None):
                yield Finding(
                    at=expr.at,
                    within=defaulted.node.span,
                    message=(
                        f"{named(ctx, expr.root)} fills in {json.dumps(theirs)} for {path_of(defaulted.left)}, "
                        f"not {json.dumps(constant)}"
                    ),
                    help=f"use {json.dumps(theirs)}: a manifest then reads the same before and after it is stored",
                )


def _stands_for_more(defaulted: Defaulted) -> bool:
    """Whether the constant is also for objects without what the field is in, which no default fills in.

    Only spec itself is taken to be there. status is not: it is made by a controller, not filled in.
    """
    from kartatest.infer.lattice import NULL

    origin = defaulted.left.origin
    if origin is not None and origin[:1] == ("status",):
        return True
    return defaulted.left.may(NULL) and (origin is None or len(origin) > 2)


def _constant(defaulted: Defaulted) -> str | float | None:
    """The constant that stands in for a field; None when it is no constant, or stands in for more than a field."""
    from kartatest.jq import ast as jq

    node = defaulted.node
    if not isinstance(node, jq.Binary) or not isinstance(node.right, jq.Literal):
        return None
    left: jq.Node = node.left
    while isinstance(left, jq.Pipe | jq.Try):
        left = left.right if isinstance(left, jq.Pipe) else left.body
    return node.right.value if isinstance(left, jq.Index) else None


RULE = Rule(
    code="KT245",
    name="other-default",
    severity=Severity.WARNING,
    summary="An expression gives a field another default than the schema does.",
    why="One field then has two defaults: which of them counts depends on whether the object was stored before.",
    source="the kind's CRD: defaults",
    check=check,
)
