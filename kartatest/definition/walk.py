"""Questions that several readers of a definition ask: all its expressions, and who owns whom."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.model import ComponentDef, Definition, Expr, GangDef, SpecDef, StatusDef


def expressions(definition: Definition) -> tuple[Expr, ...]:
    """Every expression, workload's and pods', in the order in which the file has them.

    Empty ones are among them (Q43). Their places are distinct. Those that are in no file keep the order of the format's
    table, component by component.
    """
    found: list[Expr] = []
    for component in definition.components:
        found += of_component(component)
    if definition.gang:
        found += _of_gang(definition.gang)
    return tuple(sorted(found, key=lambda expr: expr.rank))


def of_component(component: ComponentDef) -> tuple[Expr, ...]:
    """The expressions of one component in the order of the format's table, those of its pod selector last."""
    return tuple(expr for expr in _of_component(component) if expr is not None)


def _of_component(c: ComponentDef) -> Iterator[Expr | None]:
    yield from _of_spec(c.spec) if c.spec else ()
    if c.scale:
        yield from (c.scale.replicas, c.scale.min_replicas, c.scale.max_replicas)
    yield from _of_status(c.status) if c.status else ()
    if c.suspend:
        yield from (action.path for action in (*c.suspend.suspend, *c.suspend.resume))
    yield c.instance_ids
    if c.selector:
        yield c.selector.type.key if c.selector.type else None
        yield from (c.selector.instance_id, c.selector.replica_key)


def _of_spec(spec: SpecDef) -> Iterator[Expr | None]:
    yield from (spec.pod_template, spec.pod_spec, spec.metadata)
    yield from (spec.fragments or {}).values()


def _of_status(status: StatusDef) -> Iterator[Expr | None]:
    yield status.phase
    yield status.conditions.path if status.conditions else None
    for mapping in status.mappings:
        yield from (matcher.expression for matcher in mapping.matchers)


def _of_gang(gang: GangDef) -> Iterator[Expr]:
    for group in gang.pod_groups:
        for member in group.members:
            yield from member.group_keys
            yield from member.filters


def owners(definition: Definition, name: str) -> tuple[ComponentDef, ...]:
    """The chain above a component, nearest first, up to the root, an unknown owner or a name that comes again."""
    chain: list[ComponentDef] = []
    seen = {name}
    here = definition.component(name)
    while here is not None and here is not definition.root and here.owner and here.owner not in seen:
        seen.add(here.owner)
        here = definition.component(here.owner)
        if here is not None:
            chain.append(here)
    return tuple(chain)


def descendants(definition: Definition, name: str) -> tuple[ComponentDef, ...]:
    """Everything below a component, each once, a parent before its children, children in the order of the file."""
    below: list[ComponentDef] = []
    seen = {name}
    waiting = list(definition.children_of(name))[::-1]
    while waiting:
        component = waiting.pop()
        if component.name in seen:
            continue
        seen.add(component.name)
        below.append(component)
        waiting += list(definition.children_of(component.name))[::-1]
    return tuple(below)


def cycles(definition: Definition) -> tuple[tuple[str, ...], ...]:
    """The circles of ownership, each as its names by ownerRef from the first in the file. () when there are none."""
    found: list[tuple[str, ...]] = []
    done: set[str] = set()
    for child in definition.components:
        path: dict[str, None] = {}
        here: ComponentDef | None = child
        while here is not None and here.name not in done and here.name not in path:
            path[here.name] = None
            here = definition.component(here.owner) if here.owner else None
        if here is not None and here.name in path:
            names = tuple(path)
            found.append(names[names.index(here.name) :])
        done.update(path)
    return tuple(found)
