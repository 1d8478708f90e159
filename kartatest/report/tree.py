"""A Tree as text for people: roles with pods, requests per pod and in total, what could not be read, and sums."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from kartatest.report.style import BOLD, DIM, GREEN, PLAIN, RED, YELLOW, Node, Style, head_of
from kartatest.report.text import cut, printable, width
from kartatest.report.tree_gangs import gang_lines
from kartatest.report.tree_pods import group_nodes, left_over, pod_nodes, state_notes
from kartatest.resolve.model import Component, Instance, Problem, Quantities, Tree
from kartatest.resolve.quantity import display_order, to_text
from kartatest.resolve.requests import pod_request
from kartatest.resolve.totals import Counts, Totals, add, counts, totals
from kartatest.source import dotted

_MOST_COLUMNS = 3
_GAP = "  "

_TONES = {"Running": GREEN, "Completed": GREEN, "Failed": RED, "Degraded": RED}


class _Row(NamedTuple):
    """name with its tree lines; cells, or a note that runs across them."""

    lines: str
    name: str
    cells: tuple[str, ...] = ()
    note: str = ""
    tone: str = ""


def tree_text(tree: Tree, definition: str = "", *, live: bool = False, style: Style = PLAIN) -> str:
    """The tree, ending with a line break. live: pods were given, so that ready pods are shown beside desired ones.

    A row per component and per instance; a component that only groups shows the sums below it and its written count.
    """
    sums = totals(tree)
    columns = sorted(sums.desired, key=display_order)[:_MOST_COLUMNS]
    view = _View(tuple(columns), live)
    roots = ((view.leaf(tree.root),) if tree.root.bears_pods else ()) + tuple(map(view.node, tree.root.children))
    parts = [_header(tree, definition, style), *_problem_lines(tree, style), ""]
    rows = [row for root in roots for row in _rows(root, "", "", "", style)]
    parts += _table(rows, view, style)
    parts += ["", *_totals(sums, live, style)]
    parts += gang_lines(tree, view.columns, live=live, style=style)
    parts += left_over(tree, style)
    return "\n".join(line.rstrip() for line in parts) + "\n"


def _header(tree: Tree, definition: str, style: Style) -> str:
    name = f"{tree.namespace}/{tree.name}" if tree.namespace else tree.name
    written = next((i.scale.replicas for i in tree.root.instances if i.scale is not None), None)
    words = [
        style.paint(BOLD, printable(f"{tree.gvk.kind or 'object'} {name}".rstrip())),
        ", ".join(style.paint(_TONES.get(s.value, YELLOW), s.value) for s in tree.statuses)
        or style.paint(DIM, "no status"),
    ]
    if written is not None and not tree.root.bears_pods:
        words.append(f"replicas {written}")
    if definition:
        words.append(style.paint(DIM, printable(definition)))
    return (_GAP + " ").join(words)


def _problem_lines(tree: Tree, style: Style) -> Iterator[str]:
    own = () if tree.root.bears_pods else tree.root.problems
    for problem in (*tree.status.problems, *own):
        yield style.paint(RED, f"! {_problem(problem)}")


def _problem(problem: Problem) -> str:
    return cut(f"{dotted(problem.at[-2:])}: {problem.message}" if problem.at else problem.message)


class _View:
    """Turns components into nodes with cells: pods, then each resource per pod, then each in total."""

    def __init__(self, columns: tuple[str, ...], live: bool) -> None:
        self.columns = columns
        self.live = live

    def node(self, component: Component) -> Node:
        """A component with everything below it."""
        children = tuple(map(self.node, component.children))
        if component.bears_pods:
            leaf = self.leaf(component)
            return Node(leaf.name, leaf.cells, leaf.notes, leaf.children + children)
        pods, total = _below(component)
        written = [i.scale.desired for i in component.instances if i.scale is not None]
        name = component.name + (f" (replicas {', '.join(map(str, written))})" if written else "")
        notes = tuple((RED, f"! {_problem(p)}") for p in component.problems)
        cells = self._cells(pods, None, total)
        groups = [
            one for i in component.instances if len(i.groups) > 1 for one in group_nodes(i, len(cells), with_pods=False)
        ]
        return Node(name, cells, notes, (*groups, *children))

    def leaf(self, component: Component) -> Node:
        """A pod-bearing component without what its children show."""
        notes = [(RED, f"! {_problem(p)}") for p in component.problems]
        pods, total = _sums(component, component.instances)
        if component.definition.instance_ids is None:
            instance = component.instances[0] if component.instances else None
            cells, more, nodes = self._instance(component, instance)
            return Node(component.name, cells, (*more, *notes), nodes)
        children = []
        for instance in component.instances:
            cells, more, nodes = self._instance(component, instance)
            children.append(Node(instance.id or '""', cells, more, nodes))
        return Node(component.name, self._cells(pods, None, total), tuple(notes), tuple(children))

    def _instance(
        self, component: Component, instance: Instance | None
    ) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...], tuple[Node, ...]]:
        if instance is None:
            return self._cells(Counts(), None, {}), (), ()
        request = pod_request(instance.pod)
        pods, total = _sums(component, (instance,))
        notes: list[tuple[str, str]] = [(RED, f"! {printable(p)}") for p in request.problems]
        if instance.pod is not None and instance.pod.missed:
            spec = component.definition.spec
            expr = (spec.pod_template or spec.pod_spec) if spec is not None else None
            what = f"{expr.use.value if expr is not None else 'its path'} gave null"
            known = (YELLOW, f"no pod spec in the object: {what}") if pods.desired else (DIM, f"not there: {what}")
            notes.append(known)
        image = instance.pod.fragments.get("imagePath") if instance.pod is not None and instance.pod.fragments else None
        if image is not None:
            notes.append((DIM, f"image {cut(str(image))}"))
        rest = [n for n in sorted(request.quantities, key=display_order) if n not in self.columns]
        if rest:
            shown = ", ".join(f"{printable(n)} {to_text(n, request.quantities[n])}" for n in rest)
            notes.append((DIM, f"each pod also: {shown}"))
        if request.claims:
            notes.append(
                (DIM, "each pod claims: " + ", ".join(printable(c.template or c.claim) for c in request.claims))
            )
        notes += state_notes(instance.pods)
        cells = self._cells(pods, request.quantities, total)
        return cells, tuple(notes), pod_nodes(instance, len(cells))

    def _cells(self, pods: Counts, each: Quantities | None, total: Quantities) -> tuple[str, ...]:
        count = (f"{pods.ready}/{pods.desired}", str(pods.current)) if self.live else (str(pods.desired),)
        return (
            *count,
            *(_amount(name, each) if each is not None else "" for name in self.columns),
            *(_amount(name, total) for name in self.columns),
        )


def _amount(name: str, amounts: Quantities) -> str:
    return to_text(name, amounts[name]) if name in amounts else "-"


def _sums(component: Component, instances: Sequence[Instance]) -> tuple[Counts, dict[str, Fraction]]:
    total: dict[str, Fraction] = {}
    for instance in instances:
        add(total, pod_request(instance.pod).quantities, max(instance.desired, 0))
    return counts(component, instances), total


def _below(component: Component) -> tuple[Counts, dict[str, Fraction]]:
    pods = Counts()
    total: dict[str, Fraction] = {}
    for each in component.walk():
        if each.bears_pods:
            more, amounts = _sums(each, each.instances)
            pods += more
            add(total, amounts, 1)
    return pods, total


def _rows(node: Node, lines: str, below: str, branch: str, style: Style) -> Iterator[_Row]:
    tee, corner, bar = ("├─ ", "└─ ", "│  ") if style.unicode else ("|- ", "`- ", "|  ")
    if node.cells:
        yield _Row(lines + branch, printable(node.name), node.cells)
        under = below + (bar if node.children else "   ")
        for tone, note in node.notes:
            yield _Row(under, "", note=note, tone=tone)
    else:
        tone, note = node.notes[0]
        yield _Row(lines + branch, printable(node.name), note=note, tone=tone)
    for i, child in enumerate(node.children):
        last = i == len(node.children) - 1
        yield from _rows(child, below, below + ("   " if last else bar), corner if last else tee, style)


def _table(rows: Sequence[_Row], view: _View, style: Style) -> list[str]:
    counted = ["READY", "PODS"] if view.live else ["PODS"]
    resources = [*map(head_of(view.columns), view.columns)]
    heads = [*counted, *resources, *resources]
    names = max([width(r.lines + r.name) for r in rows if r.cells] or [0])
    widths = [max([len(h), *(len(r.cells[i]) for r in rows if r.cells)]) for i, h in enumerate(heads)]
    out = []
    if resources:
        first, last = len(counted), len(counted) + len(resources)
        blank = " " * (names + len(_GAP) + sum(widths[:first]) + len(_GAP) * first)
        title = _centred("each pod", _span(widths[first:last]), style) + _GAP
        out.append(style.paint(DIM, blank + title + _centred("total", _span(widths[last:]), style)))
    out.append(style.paint(DIM, " " * names + _GAP + _joined(heads, widths)))
    for row in rows:
        label = row.lines + row.name
        if row.cells:
            text = style.paint(DIM, row.lines) + row.name + " " * (names - width(label))
            out.append(text + _GAP + _joined(row.cells, widths))
        else:
            gap = _GAP if row.name else ""
            out.append(style.paint(DIM, row.lines) + row.name + gap + style.paint(row.tone, row.note))
    return out


def _span(widths: Sequence[int]) -> int:
    return sum(widths) + len(_GAP) * (len(widths) - 1)


def _joined(cells: Sequence[str], widths: Sequence[int]) -> str:
    return _GAP.join(cell.rjust(w) for cell, w in zip(cells, widths, strict=True))


def _centred(word: str, columns: int, style: Style) -> str:
    if columns < len(word) + 4:
        return word.center(columns)
    dash = "─" if style.unicode else "-"
    return f" {word} ".center(columns, dash)


def _totals(sums: Totals, live: bool, style: Style) -> Iterator[str]:
    pods = f"{sums.pods.desired} {'pod' if sums.pods.desired == 1 else 'pods'}"
    if live:
        pods += f" desired, {sums.pods.current} there, {sums.pods.ready} ready"
    yield style.paint(BOLD, "Total") + _GAP + pods
    names = sorted({*sums.desired, *sums.current}, key=display_order)
    wide = max((width(printable(n)) for n in names), default=0)
    for name in names:
        amount = _amount(name, sums.desired)
        now = f"{_GAP}{to_text(name, sums.current.get(name, Fraction(0)))} now" if live else ""
        yield f"{_GAP}{printable(name).ljust(wide)}{_GAP}{amount.rjust(8)}{now}"
    if sums.claims:
        now = f"{_GAP}{sums.current_claims} now" if live else ""
        yield f"{_GAP}{sums.claims} device {'claim' if sums.claims == 1 else 'claims'}{now}"
    for unread in sums.unread:
        yield style.paint(RED, f"{_GAP}! not certain: {printable(unread)} could not be read")
    if sums.problems:
        yield style.paint(RED, f"{_GAP}! amounts that could not be read are not in the sums")
