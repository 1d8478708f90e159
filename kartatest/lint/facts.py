"""Facts about a definition that several rules need; what is costly is worked out once per expression text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from kartatest.definition.model import ComponentDef, Definition, Expr, Matcher, Root, StatusMapping, Use
from kartatest.lint.rule import LintContext
from kartatest.source import DocPath

if TYPE_CHECKING:
    from kartatest.jq.ast import Ast, Call, Node
    from kartatest.jq.mistakes import Slip
    from kartatest.jq.places import Places
    from kartatest.jq.safety import Violation
    from kartatest.jq.shape import Path


def parsed(ctx: LintContext, *uses: Use) -> Iterator[tuple[Expr, Ast]]:
    """The expressions of those uses (of all, when none is given) that parsed, with their trees, in the file's order."""
    for expr in ctx.expressions:
        if (not uses or expr.use in uses) and (tree := ctx.trees.get(expr.at)) is not None:
            yield expr, tree


def parsed_on(ctx: LintContext, root: Root) -> Iterator[tuple[Expr, Ast]]:
    """The expressions that run on such a root and parsed, with their trees."""
    return ((expr, tree) for expr, tree in parsed(ctx) if expr.root is root)


def places(ctx: LintContext, expr: Expr) -> Places:
    """Where the steps of a parsed expression look."""
    from kartatest.jq.places import Places

    key = ("places", expr.text)
    if key not in ctx.memo:
        ctx.memo[key] = Places(ctx.trees[expr.at])
    return cast("Places", ctx.memo[key])


def nodes(ctx: LintContext, expr: Expr) -> tuple[Node, ...]:
    """All nodes of a parsed expression, each before its parts."""
    from kartatest.jq.ast import walk

    key = ("nodes", expr.text)
    if key not in ctx.memo:
        ctx.memo[key] = tuple(walk(ctx.trees[expr.at]))
    return cast("tuple[Node, ...]", ctx.memo[key])


def called(ctx: LintContext, expr: Expr) -> Iterator[Call]:
    """Every call in a parsed expression, in the order of the text."""
    from kartatest.jq.ast import Call

    return (node for node in nodes(ctx, expr) if isinstance(node, Call))


def holders(ctx: LintContext, expr: Expr) -> dict[int, Node]:
    """For every node inside a parsed expression, by id(), the node that directly holds it."""
    from kartatest.jq.shape import parents

    key = ("holders", expr.text)
    if key not in ctx.memo:
        ctx.memo[key] = parents(ctx.trees[expr.at])
    return cast("dict[int, Node]", ctx.memo[key])


def violations(ctx: LintContext, expr: Expr) -> tuple[Violation, ...]:
    """What a parsed expression does that a definition may not."""
    from kartatest.jq import safety

    key = ("violations", expr.text)
    if key not in ctx.memo:
        ctx.memo[key] = safety.violations(ctx.trees[expr.at])
    return cast("tuple[Violation, ...]", ctx.memo[key])


def forbidden(ctx: LintContext, *kinds: str, fatal: bool | None = None) -> Iterator[tuple[Expr, Violation]]:
    """The violations of those kinds in all expressions; only those our engine refuses, or does not, when fatal says."""
    for expr, _ in parsed(ctx):
        for violation in violations(ctx, expr):
            if violation.kind in kinds and fatal in {None, violation.fatal}:
                yield expr, violation


def slips(ctx: LintContext, expr: Expr) -> tuple[Slip, ...]:
    """The slips of the pen in a parsed expression."""
    from kartatest.jq import mistakes

    key = ("slips", expr.text)
    if key not in ctx.memo:
        unknown = {v.span for v in violations(ctx, expr) if v.kind == "unknown-function"}
        ctx.memo[key] = mistakes.slips(expr.text, ctx.trees[expr.at], unknown)
    return cast("tuple[Slip, ...]", ctx.memo[key])


def plain(ctx: LintContext, expr: Expr | None) -> Path | None:
    """The one plain path an expression stands for; None when it is absent, does not parse or is more than a path."""
    from kartatest.jq.shape import plain_path

    tree = ctx.trees.get(expr.at) if expr is not None else None
    if expr is None or tree is None:
        return None
    key = ("plain", expr.text)
    if key not in ctx.memo:
        ctx.memo[key] = plain_path(tree)
    return cast("Path | None", ctx.memo[key])


def spec_exprs(component: ComponentDef) -> Iterator[Expr]:
    """The expressions of a component's specDefinition, fragments last."""
    spec = component.spec
    if spec is None:
        return
    yield from (e for e in (spec.pod_template, spec.pod_spec, spec.metadata) if e is not None)
    yield from (spec.fragments or {}).values()


def scale_exprs(component: ComponentDef) -> Iterator[Expr]:
    """The expressions of a component's scaleDefinition."""
    scale = component.scale
    if scale is not None:
        yield from (e for e in (scale.replicas, scale.min_replicas, scale.max_replicas) if e is not None)


def matchers(definition: Definition) -> Iterator[tuple[StatusMapping, Matcher]]:
    """Every matcher of every component's statusMappings, with the mapping it stands in."""
    for component in definition.components:
        if component.status is not None:
            for mapping in component.status.mappings:
                yield from ((mapping, matcher) for matcher in mapping.matchers)


def matcher_of(ctx: LintContext, expr: Expr) -> Matcher | None:
    """The matcher whose byExpression an expression is; None for any other expression."""
    if "matchers" not in ctx.memo:
        ctx.memo["matchers"] = {m.expression.at: m for _, m in matchers(ctx.definition) if m.expression is not None}
    return cast("dict[DocPath, Matcher]", ctx.memo["matchers"]).get(expr.at)


def alone(matcher: Matcher | None) -> bool:
    """Whether a matcher has an expression and nothing that must hold before it."""
    return matcher is not None and not matcher.phase and not matcher.conditions


def nothing_written(ctx: LintContext, at: DocPath) -> bool:
    """Whether a mapping has only empty entries in the document: what could not be read has findings of its own."""
    from kartatest.lint.rules.places import value_at

    written = value_at(ctx, at)
    return not (isinstance(written, dict) and any(value not in ("", [], None) for value in written.values()))


def subtree(definition: Definition, component: ComponentDef) -> Iterator[ComponentDef]:
    """A component and all below it, each once, however the owners run in circles (Q35)."""
    below: dict[str, list[ComponentDef]] = {}
    for child in definition.children:
        below.setdefault(child.owner or "", []).append(child)
    found = {id(component)}
    waiting = [component]
    for one in waiting:
        yield one
        new = [c for c in below.get(one.name, ()) if id(c) not in found]
        found |= {id(c) for c in new}
        waiting += new


def owners(definition: Definition, component: ComponentDef) -> Iterator[ComponentDef]:
    """The owners of a component, nearest first, each once."""
    by_name = {c.name: c for c in reversed(definition.components)}  # the first of a name counts
    found: set[int] = set()
    current: ComponentDef | None = component
    while current is not None and current.owner:
        current = by_name.get(current.owner)
        if current is None or current is component or id(current) in found:
            break
        found.add(id(current))
        yield current


_FAILS_ON_NULL = frozenset(
    {"map", "any", "all", "sort_by", "group_by", "unique_by", "min_by", "max_by", "to_entries", "keys", "with_entries"}
)


def fails_on_null(node: Node, where: Places) -> frozenset[Path]:
    """The paths at which null makes this very step fail: what it iterates, unless `//` gives a default."""
    from kartatest.jq import ast as jq

    match node:
        case jq.Iterate(target=target):
            return where.of(target, bare=True)
        case jq.Call(name=name, args=args) if name in _FAILS_ON_NULL and len(args) < 2:
            return where.input(node, bare=True)
        case _:
            return frozenset()


def guarded(node: Node, path: Path, held: dict[int, Node], where: Places, *, anywhere: bool = False) -> bool:
    """Whether something before node may have made sure that there is a value at path, or catches its absence.

    That is: `?` or `try` around it, the left side of `//`, or a condition over the same path (or what is below it)
    that must hold before node runs. anywhere: a condition beside it counts, too. True when in doubt.
    """
    from kartatest.jq import ast as jq

    inner: Node = node
    while (holder := held.get(id(inner))) is not None:
        match holder:
            case jq.Try(body=body, step=step) if inner is body and (inner is node or not step):
                return True
            case jq.Binary(op="//", left=left) if inner is left:
                return True
            case jq.Binary(op="and" | "or", left=left, right=right):
                if (inner is right and _mentions(left, path, where)) or (
                    anywhere and inner is left and _mentions(right, path, where)
                ):
                    return True
            case jq.If(condition=condition):
                if inner is not condition and _mentions(condition, path, where):
                    return True
            case jq.Pipe(left=left, right=right) if inner is right:
                if any(call.name == "select" and _mentions(call, path, where) for call in _calls(left)):
                    return True
            case jq.Reduce() | jq.Foreach() | jq.Function():
                return True
        inner = holder
    return False


def _calls(tree: Node) -> Iterator[Call]:
    from kartatest.jq.shape import calls

    return calls(tree)


def _mentions(tree: Node, path: Path, where: Places) -> bool:
    from kartatest.jq.ast import walk

    return any(read[: len(path)] == path for node in walk(tree) for read in where.of(node))
