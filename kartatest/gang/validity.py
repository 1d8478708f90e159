"""Whether consumers take a definition at all: their validator's rules, and what the API server refuses before it.

The rules are those of the Go library that KAI Scheduler of 2026-08 links (semantics 2.3 to 2.5, without matchLabels).
"""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.model import ComponentDef, Definition, Expr
from kartatest.definition.walk import cycles, expressions


def faults(definition: Definition) -> tuple[str, ...]:
    """Why the definition is not used, the API server's reasons first; () when it is sound."""
    return (*definition.refused, *_of_structure(definition), *_of_gang(definition), *_of_expressions(definition))


def _of_structure(definition: Definition) -> Iterator[str]:
    names = [component.name for component in definition.components]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        yield from (f"the component name {name!r} is not unique" for name in twice)
        return
    found = [*_of_root(definition.root)]
    for child in definition.children:
        if not child.owner:
            found.append(f"component {child.name!r} has no ownerRef")
        elif child.owner not in names:
            found.append(f"component {child.name!r} is owned by {child.owner!r}, which does not exist")
        found += _of_component(child)
    yield from found
    if not found:
        yield from (f"components own each other: {', '.join(circle)}" for circle in cycles(definition)[:1])


def _of_root(root: ComponentDef) -> Iterator[str]:
    kind = root.kind
    if kind is None or not kind.version or not kind.kind or (not kind.group and kind.kind != "Pod"):
        yield "the root's kind is not complete: group, version and kind"
    if root.owner is not None:
        yield "the root has an ownerRef"
    if root.status is None:
        yield "the root has no statusDefinition"
    yield from _of_component(root)


def _of_component(component: ComponentDef) -> Iterator[str]:
    name, spec, selector = component.name, component.spec, component.selector
    if not name:
        yield "a component has no name"
    if spec is not None and sum(x is not None for x in (spec.pod_template, spec.pod_spec, spec.fragments)) > 1:
        yield f"component {name!r} has several pod specs"
    told = selector is not None and selector.instance_id is not None
    if component.instance_ids is not None and not told:
        yield f"component {name!r} has an instanceIdPath and no componentInstanceSelector"
    if told and component.instance_ids is None:
        yield f"component {name!r} has a componentInstanceSelector and no instanceIdPath"


def _of_gang(definition: Definition) -> Iterator[str]:
    """Members of podGroups have to exist; subgroups are not looked at (Q32)."""
    for group in definition.gang.pod_groups if definition.gang else ():
        for member in group.members:
            if definition.component(member.component) is None:
                yield f"podGroups names the component {member.component!r}, which does not exist"


def _of_expressions(definition: Definition) -> Iterator[str]:
    for expr in expressions(definition):
        if expr.text.strip() and (fault := _of_expression(expr)):
            yield f"{expr.text.strip()[:80]!r} {fault}"


def _of_expression(expr: Expr) -> str:
    from kartatest.jq.ast import Assign, Call, Recurse, walk
    from kartatest.jq.errors import JqSyntaxError
    from kartatest.jq.functions import REFUSED
    from kartatest.jq.parse import parse

    try:
        tree = parse(expr.text)
    except JqSyntaxError as error:
        return f"is no jq program: {error.message}"
    for node in walk(tree):
        if isinstance(node, Assign):
            return "changes what it reads"
        if isinstance(node, Recurse):
            return "uses '..'"
        if isinstance(node, Call) and node.name in REFUSED:
            return f"calls {node.name!r}, which is not allowed"
    return ""
