"""KT509: every pod that one component selects is also selected by another."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from kartatest.definition.model import ComponentDef, TypeSelector
from kartatest.diagnostics import Severity
from kartatest.lint.facts import plain
from kartatest.lint.rule import Finding, LintContext, Rule

Demands = frozenset[tuple[object, ...]]


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each type selector that implies another's; of two equal ones, at the later."""
    selecting = [
        (component, component.selector.type)
        for component in ctx.definition.components
        if component.bears_pods and component.selector is not None and component.selector.type is not None
    ]
    demands = [_demands(ctx, selector) for _, selector in selecting]
    weaker = _by_rarest(demands)
    for i, (component, selector) in enumerate(selecting):
        ours = demands[i]
        for j in sorted(j for demand in ours for j in weaker.get(demand, ())):
            other = selecting[j][0]
            if i == j or _by_instance(component, other) or not demands[j] <= ours or (ours == demands[j] and i < j):
                continue
            yield Finding(
                at=selector.at,
                on_key=True,
                message=f"every pod of component {component.name!r} is also selected by {other.name!r}",
                help="select by a label and value that only these pods have",
            )
            break


def _by_instance(one: ComponentDef, other: ComponentDef) -> bool:
    """Whether instance ids, too, decide which pods are whose."""
    return one.instance_ids is not None or other.instance_ids is not None


def _by_rarest(all_demands: Sequence[Demands]) -> dict[tuple[object, ...], list[int]]:
    """The places of the sets, each under the one of its demands that fewest sets hold, so that few are compared."""
    held = Counter(demand for demands in all_demands for demand in demands)
    found: defaultdict[tuple[object, ...], list[int]] = defaultdict(list)
    for i, demands in enumerate(all_demands):
        if demands:
            found[min(demands, key=lambda demand: held[demand])].append(i)
    return found


def _demands(ctx: LintContext, selector: TypeSelector) -> Demands:
    """What a pod must fulfil; a value also fulfils the demand that there is one. Empty when it cannot be told."""
    found: set[tuple[object, ...]] = set()
    for key, value in (selector.labels or {}).items():
        found |= {(("metadata", "labels", key), value), (("metadata", "labels", key),)}
    if selector.key is not None:
        tree = ctx.trees.get(selector.key.at)
        if tree is None:
            return frozenset()
        where = plain(ctx, selector.key) or tree
        found |= {(where,)} if selector.value is None else {(where, selector.value), (where,)}
    return frozenset(found)


RULE = Rule(
    code="KT509",
    name="contested-pods",
    severity=Severity.ERROR,
    summary="Every pod that one component selects is also selected by another.",
    why="Such a pod is counted twice, or goes to whichever component comes first.",
    source="semantics 7.3, 8.4, Q47",
    of_absence=True,
    check=check,
)
