"""KT243: an expression fails on an object that its schema allows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from kartatest.definition.model import Expr, Use
from kartatest.diagnostics import Severity
from kartatest.lint.facts import alone, matcher_of
from kartatest.lint.rule import Finding, LintContext, Rule
from kartatest.lint.typing import all_inferred, is_said, path_of, witness
from kartatest.source import Json

if TYPE_CHECKING:
    from kartatest.infer.events import Failure

_LONGEST = 90
_ALSO = (
    "KT212",
    "KT214",
    "KT221",
    "KT224",
    "KT226",
    "KT227",
    "KT229",
    "KT231",
    "KT240",
    "KT241",
    "KT242",
    "KT512",
    "KT609",
    "KT610",
    "KT611",
    "KT616",
    "KT617",
    "KT701",
    "KT702",
)
"""Rules that say of an expression why it fails, or something that the failure follows from."""


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each step that fails, where an object was found on which it does."""
    for expr, _, inferred in all_inferred(ctx):
        if not inferred.failures or is_said(ctx, expr, *_ALSO):
            continue
        matcher = matcher_of(ctx, expr)
        for failure in inferred.failures:
            if matcher is not None and not alone(matcher) and (failure.value.origin or ())[:1] == ("status",):
                continue  # reached only where a phase or a condition was there
            shown = witness(ctx, expr, failure)
            if shown is not None:
                help_ = f"{_help(expr, failure)}{_example(expr, shown)}"
                yield Finding(at=expr.at, within=failure.span, message=_message(failure), help=help_)


def _message(failure: Failure) -> str:
    from kartatest.infer import words
    from kartatest.infer.lattice import NULL

    value = failure.value
    subject = path_of(value)
    if value.kinds == NULL and value.origin is not None:
        return f"{subject} may be absent; null {failure.reason}, which is an error"
    if failure.reason.startswith(("may be", "raises")):
        return f"{subject} {failure.reason}, and then the expression fails"
    return f"{subject} may be {words(value)}, which {failure.reason}: an error"


def _example(expr: Expr, witness: Json) -> str:
    """The object on which it was seen to fail, without what every object has; "" where nothing or much is left."""
    if not isinstance(witness, dict):
        return ""
    own = {key: value for key, value in witness.items() if key not in ("apiVersion", "kind", "metadata")}
    if "metadata" in expr.text:
        own["metadata"] = witness.get("metadata")
    text = json.dumps(own, sort_keys=True)
    return f"; it fails on {text}" if own and len(text) <= _LONGEST else ""


def _help(expr: Expr, failure: Failure) -> str:
    if failure.reason == "is iterated":
        return "write `[]?`, or give a default first: `(... // [])[]`"
    if expr.use in (Use.MATCHER, Use.PHASE, Use.CONDITIONS):
        return "test for it first, or give a default: an error hides every status of the workload"
    return "test for it first, or give a default: `(... // ...)`"


RULE = Rule(
    code="KT243",
    name="can-fail",
    severity=Severity.WARNING,
    summary="An expression fails on an object that its schema allows.",
    why=(
        "The API server accepts such an object; an error in one expression then hides the whole component, or all "
        "statuses of the workload."
    ),
    source="jq manual; semantics 3.3, 4.4, 6.3; the kind's CRD",
    check=check,
)
