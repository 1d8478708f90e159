"""What gang scheduling makes of a definition, as far as the definition alone tells."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.model import ComponentDef, Definition, Expr, GangDef
from kartatest.jq import ast as jq
from kartatest.lint.facts import subtree
from kartatest.lint.rule import LintContext
from kartatest.source import DocPath


def listed(gang: GangDef) -> Iterator[tuple[DocPath, str]]:
    """The components that the shape in use names, each with the place of its name; podGroup wins (semantics 1.4)."""
    if gang.pod_group is not None:
        yield from (((*sub.at, "componentName"), sub.component) for sub in gang.pod_group.sub_groups)
    else:
        yield from (((*m.at, "componentName"), m.component) for group in gang.pod_groups for m in group.members)


def listed_parts(definition: Definition) -> Iterator[tuple[DocPath, str]]:
    """As `listed`; the root, at the name of the group, where podGroup lists none."""
    gang = definition.gang
    if gang is None:
        return
    if gang.pod_group is not None and not gang.pod_group.sub_groups:
        yield (*gang.pod_group.at, "name"), definition.root.name
    else:
        yield from listed(gang)


def scheduled(ctx: LintContext) -> tuple[ComponentDef, ...]:
    """The components that are part of some pod group: what is listed and all below it, or all when nothing is."""
    gang = ctx.definition.gang
    if gang is None or (gang.pod_group is None and not gang.pod_groups):
        return ()
    if gang.pod_group is not None and not gang.pod_group.sub_groups:
        return ctx.definition.components
    found: list[ComponentDef] = []
    for _, name in listed(gang):
        component = ctx.definition.component(name)
        if component is not None:
            found += [c for c in subtree(ctx.definition, component) if c not in found]
    return tuple(found)


def scaled(ctx: LintContext) -> bool:
    """Whether counts are taken from scales: as soon as any component has one (semantics 9.3)."""
    return any(component.scale is not None for component in ctx.definition.components)


def counts_nothing(ctx: LintContext, component: ComponentDef) -> bool:
    """Whether the component's own minimum is surely 0: neither minimum nor replicas, or numbers not above 0."""
    scale = component.scale
    if scale is None:
        return True
    return all(expr is None or _literal_zero(ctx, expr) for expr in (scale.min_replicas, scale.replicas))


def needs_nothing(ctx: LintContext, component: ComponentDef) -> bool:
    """Whether the minimum of the component and all below it is surely 0, whatever the object."""
    below = list(subtree(ctx.definition, component))
    if not scaled(ctx):
        return not any(c.bears_pods for c in below)
    return all(counts_nothing(ctx, c) for c in below)


def _literal_zero(ctx: LintContext, expr: Expr) -> bool:
    tree = ctx.trees.get(expr.at)
    if isinstance(tree, jq.Negate):
        return isinstance(tree.body, jq.Literal)
    return isinstance(tree, jq.Literal) and tree.value == 0
