"""The types behind a definition's expressions: the schema of its root kind and of pods, and what they make of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from kartatest.definition.model import Expr, Gvk, Root
from kartatest.lint.rule import LintContext

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kartatest.infer import Inferred, Value
    from kartatest.infer.events import Failure, Missing
    from kartatest.jq.ast import Ast
    from kartatest.schema import Schema
    from kartatest.source import DocPath, Span

POD = Gvk("", "v1", "Pod")


def schema(ctx: LintContext, root: Root = Root.WORKLOAD) -> Schema | None:
    """The types of what expressions of a root run on; None when nobody knows the kind, or not in that release."""
    key = ("schema", root)
    if key not in ctx.memo:
        ctx.memo[key] = _schema(ctx, root)
    return cast("Schema | None", ctx.memo[key])


def _schema(ctx: LintContext, root: Root) -> Schema | None:
    from kartatest.schema import schema_for

    if root is Root.POD:
        from dataclasses import replace

        found = schema_for(POD)
        if found is None:
            return None
        return replace(found, root=replace(found.root, required=found.root.required | {"spec"}))  # no pod is without
    kind = ctx.definition.root.kind
    if kind is None or not kind.version or not kind.kind:
        return None
    return schema_for(kind, ctx.crd_version, extra=ctx.crds)


def others(ctx: LintContext) -> tuple[Schema, ...]:
    """The types of the root kind in its other releases, oldest first."""
    if "others" not in ctx.memo:  # it is asked for each expression, and reads folders
        from kartatest.schema.index import schemas

        kind, chosen = ctx.definition.root.kind, schema(ctx)
        known = () if kind is None or chosen is None else schemas(kind, extra=ctx.crds)
        ctx.memo["others"] = tuple(s for s in known if chosen is not None and s.tag != chosen.tag)
    return cast("tuple[Schema, ...]", ctx.memo["others"])


def inferred(ctx: LintContext, expr: Expr | None) -> Inferred | None:
    """What an expression gives on every object; None when it does not parse, is unsafe, or its root is unknown."""
    if expr is None or (tree := ctx.trees.get(expr.at)) is None:
        return None
    key = ("inferred", expr.root, expr.text)
    if key not in ctx.memo:
        from kartatest.infer import infer

        types = schema(ctx, expr.root)
        ctx.memo[key] = None if types is None or _refused(ctx, expr) else infer(tree, types.root)
    return cast("Inferred | None", ctx.memo[key])


def _refused(ctx: LintContext, expr: Expr) -> bool:
    """Whether our engine does not run it at all: then other rules have said so."""
    from kartatest.lint.facts import violations

    return any(violation.fatal for violation in violations(ctx, expr))


def all_inferred(ctx: LintContext) -> Iterator[tuple[Expr, Ast, Inferred]]:
    """The expressions that could be typed, in the file's order."""
    for expr in ctx.expressions:
        if (found := inferred(ctx, expr)) is not None:
            yield expr, ctx.trees[expr.at], found


def named(ctx: LintContext, root: Root) -> str:
    """The kind and where its types are from: "JobSet (jobsets.jobset.x-k8s.io v0.12.0)"."""
    types = schema(ctx, root)
    if types is None:
        return "the object"
    source = f"Kubernetes {types.tag}" if types.crd == "core" else f"{types.crd} {types.tag}".strip()
    return f"{types.kind} ({source})"


def said(ctx: LintContext, *codes: str) -> frozenset[tuple[DocPath, Span | None]]:
    """Where rules with those codes have something to say."""
    from kartatest.lint.rules import RULES

    found: set[tuple[DocPath, Span | None]] = set()
    for code in codes:
        key = ("said", code)
        if key not in ctx.memo:
            check = next(rule.check for rule in RULES if rule.code == code)
            ctx.memo[key] = frozenset((f.at, f.within) for f in (check(ctx) if check else ()))
        found |= cast("frozenset[tuple[DocPath, Span | None]]", ctx.memo[key])
    return frozenset(found)


def is_said(ctx: LintContext, expr: Expr, *codes: str) -> bool:
    """Whether one of the rules has something to say of an expression."""
    key = ("said of", codes)
    if key not in ctx.memo:
        ctx.memo[key] = frozenset(at for at, _ in said(ctx, *codes))
    return expr.at in cast("frozenset[DocPath]", ctx.memo[key])


def path_of(value: Value) -> str:
    """Where a value stands, as jq text; "it" for one that the expression makes."""
    from kartatest.jq.shape import path_text

    return f"`{path_text(value.origin)}`" if value.origin is not None else "it"


def witness(ctx: LintContext, expr: Expr, failure: Failure) -> object:
    """An object on which that step fails; None when none was found."""
    found, types = inferred(ctx, expr), schema(ctx, expr.root)
    if found is None or types is None:
        return None
    key = ("witnesses", expr.root, expr.text)
    if key not in ctx.memo:
        from kartatest.infer.witness import witnesses

        ctx.memo[key] = witnesses(ctx.trees[expr.at], types.root, found)
    return cast("tuple[object, ...]", ctx.memo[key])[found.failures.index(failure)]


def fields_near(missing: Missing) -> tuple[str, ...]:
    """Fields that the writer may have meant, the nearest first."""
    return tuple(dict.fromkeys(name for type_ in missing.types for name in type_.near(missing.name)))
