"""KT240: an expression reads a field that the schema of its object does not have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from kartatest.definition.model import Expr, Root
from kartatest.diagnostics import Severity
from kartatest.jq.shape import path_text
from kartatest.lint.rule import Finding, Fix, LintContext, Rule, closest
from kartatest.lint.typing import all_inferred, fields_near, is_said, named, path_of, said, schema
from kartatest.lint.versions import found_in
from kartatest.source import Span

if TYPE_CHECKING:
    from kartatest.infer.events import Missing


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each step that gives null, or fails, on every object that can be."""
    for expr, _, inferred in all_inferred(ctx):
        if is_said(ctx, expr, "KT214", "KT609"):
            continue
        spoken = [within for at, within in said(ctx, "KT212", "KT231") if at == expr.at and within is not None]
        for missing in inferred.missing:
            if any(within.end >= missing.span.end and within.start <= missing.span.start for within in spoken):
                continue
            if expr.root is Root.WORKLOAD and found_in(ctx, missing):
                continue  # KT241 says that it is of another release
            yield _finding(ctx, expr, missing)


def _finding(ctx: LintContext, expr: Expr, missing: Missing) -> Finding:
    holder, name = missing.holder, missing.name
    kind = named(ctx, expr.root)
    if not missing.types and holder.objects:
        meant = closest(name, ("key", "value"))
        message = f"an entry has key and value, as `to_entries` makes it, and no field {name!r}"
        help_ = f"did you mean {meant!r}?" if meant else f"look in the value: `.value.{name}`"
        return Finding(at=expr.at, within=missing.span, message=message, help=help_)
    if not missing.types:
        from kartatest.infer import words

        message = f"{path_of(holder)} is {_article(words(holder))} in {kind} and has no field {name!r}"
        return Finding(at=expr.at, within=missing.span, message=message, help=_scalar_help(missing))
    near = fields_near(missing)
    if holder.origin is None:
        message = f"{kind} has no field {name!r} there"
    else:
        message = f"{kind} has no `{path_text((*holder.origin, name))}`"
    return Finding(
        at=expr.at,
        within=missing.span,
        message=message,
        help=_help(ctx, expr, missing, near),
        fixes=_fixes(expr, missing, near),
    )


def _scalar_help(missing: Missing) -> str:
    from kartatest.infer.lattice import ARRAY

    if missing.holder.kinds & ARRAY and missing.holder.origin is not None:
        path = path_text((*missing.holder.origin, None, missing.name)).replace("[]", "[]?")
        return f"run over its entries: `{path}`"
    return "leave the step out"


def _help(ctx: LintContext, expr: Expr, missing: Missing, near: tuple[str, ...]) -> str:
    if near:
        return f"did you mean {' or '.join(map(repr, near[:2]))}?"
    if expr.root is Root.WORKLOAD and missing.holder.origin is not None:
        pod = schema(ctx, Root.POD)
        path = tuple(0 if step is None else step for step in (*missing.holder.origin, missing.name))
        if pod is not None and len(path) > 1 and pod.at(path) is not None:
            return "this is a field of pods; the expression runs on the workload"
    known = sorted({name for type_ in missing.types for name in type_.fields})
    if 0 < len(known) <= 8:
        return f"its fields are {', '.join(known)}"
    return "see the schema of the kind"


def _fixes(expr: Expr, missing: Missing, near: tuple[str, ...]) -> tuple[Fix, ...]:
    """The name replaced, where only one comes near and it ends the step's text."""
    end = missing.span.end
    if len(near) != 1 or not expr.text[:end].endswith(f".{missing.name}"):
        return ()
    return (Fix(at=expr.at, within=Span(end - len(missing.name), end), replace=near[0], safe=False),)


def _article(text: str) -> str:
    return f"an {text}" if text[:1] in "aeio" and not text.startswith("one") else f"a {text}"


RULE = Rule(
    code="KT240",
    name="field-not-in-schema",
    severity=Severity.ERROR,
    summary="An expression reads a field that the schema of its object does not have.",
    why=(
        "The API server keeps no such field, so the step gives null on every object, silently; behind a default "
        "nobody notices."
    ),
    source="the kind's CRD, or the Kubernetes API of built-in kinds",
    check=check,
)
