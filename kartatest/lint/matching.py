"""Matchers compared: which ask for the same, which for more."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.model import ConditionMatch, Matcher, StatusMapping
from kartatest.lint.rule import LintContext


def statuses(ctx: LintContext) -> Iterator[tuple[StatusMapping, ...]]:
    """The mappings of each component that has some, in the order of the file."""
    written = list(_order(ctx))
    for component in ctx.definition.components:
        if component.status is not None:
            found = component.status.mappings
            yield tuple(sorted(found, key=lambda m: written.index(m.at) if m.at in written else len(written)))


def same(ctx: LintContext, one: Matcher, other: Matcher) -> bool:
    """Whether two matchers ask for exactly the same; never for matchers that ask for nothing."""
    return implies(ctx, one, other) and implies(ctx, other, one)


def implies(ctx: LintContext, stronger: Matcher, weaker: Matcher) -> bool:
    """Whether weaker surely holds whenever stronger holds. False when either asks for nothing, and when in doubt."""
    if not _asks(stronger) or not _asks(weaker):
        return False
    if weaker.phase and weaker.phase != stronger.phase:
        return False
    if weaker.expression is not None and _expression(ctx, weaker) != _expression(ctx, stronger):
        return False
    return all(any(_covers(theirs, ours) for theirs in stronger.conditions) for ours in weaker.conditions)


def asked(ctx: LintContext, matcher: Matcher) -> frozenset[tuple[str, object]]:
    """Phase, condition types and expression that a matcher names: where one implies another, it names all of its."""
    named: list[tuple[str, object]] = [("type", condition.type) for condition in matcher.conditions]
    if matcher.phase:
        named.append(("phase", matcher.phase))
    if matcher.expression is not None:
        named.append(("expression", _expression(ctx, matcher)))
    return frozenset(named)


def _asks(matcher: Matcher) -> bool:
    return bool(matcher.phase or matcher.conditions or matcher.expression)


def _covers(stronger: ConditionMatch, weaker: ConditionMatch) -> bool:
    return (
        stronger.type == weaker.type
        and (not weaker.status or weaker.status == stronger.status)
        and (not weaker.reason or weaker.reason == stronger.reason)
    )


def _expression(ctx: LintContext, matcher: Matcher) -> object:
    """The expression as it means and what it must give; what is printed alike means the same."""
    expr = matcher.expression
    if expr is None:
        return None
    key = ("meaning", expr.text)
    if key not in ctx.memo:
        from kartatest.jq.text import to_text

        tree = ctx.trees.get(expr.at)
        ctx.memo[key] = (False, expr.text) if tree is None else (True, to_text(tree))
    return ctx.memo[key], matcher.expected


def _order(ctx: LintContext) -> Iterator[tuple[str | int, ...]]:
    """The places of all status mappings as the document has them."""
    from kartatest.lint.rules.places import value_at

    for component in ctx.definition.components:
        if component.status is not None:
            at = (*component.status.at, "statusMappings")
            written = value_at(ctx, at)
            yield from ((*at, key) for key in (written if isinstance(written, dict) else ()))
