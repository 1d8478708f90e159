"""KT219: an expression takes an entry of an object by its position."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from kartatest.definition.model import Expr
from kartatest.diagnostics import Severity
from kartatest.jq import ast as jq
from kartatest.lint.facts import nodes, parsed, places
from kartatest.lint.rule import Finding, LintContext, Rule
from kartatest.lint.typing import schema

if TYPE_CHECKING:
    from kartatest.schema.model import Type


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each `to_entries`, or `[]` over a map, of which one entry is taken by position, unsorted."""
    for expr, _ in parsed(ctx):
        for node in nodes(ctx, expr):
            if _picks(node) or any(_is_map(ctx, expr, target) for target in _picked(node)):
                yield Finding(
                    at=expr.at,
                    within=node.span,
                    message="takes an entry of an object by position, and the order of keys is not that of the file",
                    help="name the key, or choose with `sort_by`, `min_by` or `max_by`",
                )


def _picks(node: jq.Node) -> bool:
    match node:
        case jq.Pipe(left=left, right=right):
            return _ends_in_entries(left) and _takes_one(right)
        case jq.Index(target=jq.Call(name="to_entries"), key=jq.Literal(value=int()) | jq.Negate()):
            return True
        case jq.Call(name="first" | "last", args=(jq.Iterate(target=target),)):
            return _ends_in_entries(target)
        case jq.Call(name="first" | "last", args=(jq.Pipe(left=left, right=jq.Iterate(target=target)),)):
            return _ends_in_entries(target) or (_ends_in_entries(left) and isinstance(target, jq.Identity))
        case _:
            return False


def _picked(node: jq.Node) -> Iterator[jq.Node]:
    """What `[]` runs over of whose outputs this takes one by position."""
    match node:
        case jq.Pipe(left=jq.Array(body=body), right=right) if body is not None and _takes_one(right):
            yield from _run_over(body)
        case jq.Index(target=jq.Array(body=body), key=jq.Literal(value=int()) | jq.Negate()) if body is not None:
            yield from _run_over(body)
        case jq.Call(name="first" | "last", args=(body,)):
            yield from _run_over(body)


def _run_over(tree: jq.Node) -> Iterator[jq.Node]:
    """What the `[]` of a path run over."""
    match tree:
        case jq.Iterate(target=target):
            yield target
            yield from _run_over(target)
        case jq.Index(target=target):
            yield from _run_over(target)
        case jq.Try(body=body):
            yield from _run_over(body)
        case jq.Pipe(left=left, right=right):
            yield from _run_over(left)
            yield from _run_over(right)


def _is_map(ctx: LintContext, expr: Expr, target: jq.Node) -> bool:
    """Whether the types tell that this is an object, not a list."""
    from kartatest.schema.model import Base

    types = schema(ctx, expr.root)
    if types is None:
        return False
    for path in places(ctx, expr).of(target):
        found: Type | None = types.root
        for step in path:
            if found is not None:
                found = found.field(step) if isinstance(step, str) else found.items or found.additional
        if found is not None and found.base is Base.OBJECT:
            return True
    return False


def _ends_in_entries(tree: jq.Ast) -> bool:
    match tree:
        case jq.Pipe(right=right):
            return _ends_in_entries(right)
        case jq.Call(name="to_entries", args=()):
            return True
        case _:
            return False


def _takes_one(tree: jq.Ast) -> bool:
    match tree:
        case jq.Pipe(left=left) | jq.Binary(left=left):
            return _takes_one(left)
        case jq.Call(name="first" | "last", args=()):
            return True
        case jq.Index(target=jq.Identity(), key=jq.Literal(value=int()) | jq.Negate()):
            return True
        case jq.Index(target=target):
            return _takes_one(target)
        case jq.Try(body=body):
            return _takes_one(body)
        case _:
            return False


RULE = Rule(
    code="KT219",
    name="key-order",
    severity=Severity.WARNING,
    summary="An expression takes an entry of an object by its position.",
    why=(
        "Consumers hold the keys of an object in sorted order, other engines in the order written, so the "
        "first entry is not the one you see."
    ),
    source="gojq 0.12.19 and libjq 1.8 compared; semantics 3.7",
    check=check,
)
