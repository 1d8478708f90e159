"""A Tree as text for people: roles with pods, requests per pod and in total, what could not be read, and sums."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from kartatest.report.text import cut, printable, width
from kartatest.resolve.model import Component, Instance, Problem, Quantities, Tree
from kartatest.resolve.pods import is_current, is_deleting, is_ready, node, phase, reason
from kartatest.resolve.quantity import display_order, is_accelerator, to_text
from kartatest.resolve.requests import pod_request
from kartatest.resolve.selectors import pod_name
from kartatest.resolve.totals import Counts, Totals, add, counts, totals
from kartatest.source import JsonObject, dotted

_MOST_COLUMNS = 3
_MOST_PODS = 10
_GAP = "  "

_RESET = "\x1b[0m"
_BOLD, _DIM, _RED, _GREEN, _YELLOW = "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[32m", "\x1b[33m"
_TONES = {"Running": _GREEN, "Completed": _GREEN, "Failed": _RED, "Degraded": _RED}


class Style(NamedTuple):
    """How to draw. unicode: the terminal can show line-drawing characters; color: it takes ANSI colours."""

    unicode: bool = True
    color: bool = False

    def paint(self, tone: str, text: str) -> str:
        """The text in that colour, if colours are wanted."""
        return f"{tone}{text}{_RESET}" if self.color and text else text


PLAIN = Style()


class _Row(NamedTuple):
    """name with its tree lines; cells, or a note that runs across them."""

    lines: str
    name: str
    cells: tuple[str, ...] = ()
    note: str = ""
    tone: str = ""


class _Node(NamedTuple):
    """What becomes a row, the notes under it, and what hangs below."""

    name: str
    cells: tuple[str, ...]
    notes: tuple[tuple[str, str], ...] = ()
    children: tuple[_Node, ...] = ()


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
    parts += _warnings(tree, style)
    return "\n".join(line.rstrip() for line in parts) + "\n"


def _header(tree: Tree, definition: str, style: Style) -> str:
    name = f"{tree.namespace}/{tree.name}" if tree.namespace else tree.name
    written = next((i.scale.replicas for i in tree.root.instances if i.scale is not None), None)
    words = [
        style.paint(_BOLD, printable(f"{tree.gvk.kind or 'object'} {name}".rstrip())),
        ", ".join(style.paint(_TONES.get(s.value, _YELLOW), s.value) for s in tree.statuses)
        or style.paint(_DIM, "no status"),
    ]
    if written is not None and not tree.root.bears_pods:
        words.append(f"replicas {written}")
    if definition:
        words.append(style.paint(_DIM, printable(definition)))
    return (_GAP + " ").join(words)


def _problem_lines(tree: Tree, style: Style) -> Iterator[str]:
    own = () if tree.root.bears_pods else tree.root.problems
    for problem in (*tree.status.problems, *own):
        yield style.paint(_RED, f"! {_problem(problem)}")


def _problem(problem: Problem) -> str:
    return cut(f"{dotted(problem.at[-2:])}: {problem.message}" if problem.at else problem.message)


class _View:
    """Turns components into nodes with cells: pods, then each resource per pod, then each in total."""

    def __init__(self, columns: tuple[str, ...], live: bool) -> None:
        self.columns = columns
        self.live = live

    def node(self, component: Component) -> _Node:
        """A component with everything below it."""
        children = tuple(map(self.node, component.children))
        if component.bears_pods:
            leaf = self.leaf(component)
            return _Node(leaf.name, leaf.cells, leaf.notes, leaf.children + children)
        pods, total = _below(component)
        written = [i.scale.desired for i in component.instances if i.scale is not None]
        name = component.name + (f" (replicas {', '.join(map(str, written))})" if written else "")
        notes = tuple((_RED, f"! {_problem(p)}") for p in component.problems)
        return _Node(name, self._cells(pods, None, total), notes, children)

    def leaf(self, component: Component) -> _Node:
        """A pod-bearing component without what its children show."""
        notes = [(_RED, f"! {_problem(p)}") for p in component.problems]
        pods, total = _sums(component, component.instances)
        if component.definition.instance_ids is None:
            instance = component.instances[0] if component.instances else None
            cells, more, nodes = self._instance(component, instance)
            return _Node(component.name, cells, (*more, *notes), nodes)
        children = []
        for instance in component.instances:
            cells, more, nodes = self._instance(component, instance)
            children.append(_Node(instance.id or '""', cells, more, nodes))
        return _Node(component.name, self._cells(pods, None, total), tuple(notes), tuple(children))

    def _instance(
        self, component: Component, instance: Instance | None
    ) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...], tuple[_Node, ...]]:
        if instance is None:
            return self._cells(Counts(), None, {}), (), ()
        request = pod_request(instance.pod)
        pods, total = _sums(component, (instance,))
        notes: list[tuple[str, str]] = [(_RED, f"! {printable(p)}") for p in request.problems]
        if instance.pod is not None and instance.pod.missed:
            spec = component.definition.spec
            expr = (spec.pod_template or spec.pod_spec) if spec is not None else None
            what = f"{expr.use.value if expr is not None else 'its path'} gave null"
            known = (_YELLOW, f"no pod spec in the object: {what}") if pods.desired else (_DIM, f"not there: {what}")
            notes.append(known)
        rest = [n for n in sorted(request.quantities, key=display_order) if n not in self.columns]
        if rest:
            shown = ", ".join(f"{printable(n)} {to_text(n, request.quantities[n])}" for n in rest)
            notes.append((_DIM, f"each pod also: {shown}"))
        if request.claims:
            notes.append(
                (_DIM, "each pod claims: " + ", ".join(printable(c.template or c.claim) for c in request.claims))
            )
        return self._cells(pods, request.quantities, total), tuple(notes), _pods(instance.pods)

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


def _pods(pods: Sequence[JsonObject]) -> tuple[_Node, ...]:
    """A node per pod, the unhealthy first, no more than a screen can bear."""
    ordered = sorted(pods, key=_is_well)
    nodes = []
    for pod in ordered[:_MOST_PODS]:
        why = reason(pod)
        words = [phase(pod), f"({why})" if why else "", node(pod)]
        note = printable(" ".join(w for w in words if w))
        tone = _GREEN if _is_well(pod) else _YELLOW if is_current(pod) else _DIM
        nodes.append(_Node(pod_name(pod) or "?", (), ((tone, note),)))
    if len(ordered) > _MOST_PODS:
        nodes.append(_Node("...", (), ((_DIM, f"and {len(ordered) - _MOST_PODS} more pods"),)))
    return tuple(nodes)


def _is_well(pod: JsonObject) -> bool:
    return (is_ready(pod) or phase(pod) == "Succeeded") and not is_deleting(pod)


def _rows(node: _Node, lines: str, below: str, branch: str, style: Style) -> Iterator[_Row]:
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
    resources = [*map(_head(view.columns), view.columns)]
    heads = [*counted, *resources, *resources]
    names = max([width(r.lines + r.name) for r in rows if r.cells] or [0])
    widths = [max([len(h), *(len(r.cells[i]) for r in rows if r.cells)]) for i, h in enumerate(heads)]
    out = []
    if resources:
        first, last = len(counted), len(counted) + len(resources)
        blank = " " * (names + len(_GAP) + sum(widths[:first]) + len(_GAP) * first)
        title = _centred("each pod", _span(widths[first:last]), style) + _GAP
        out.append(style.paint(_DIM, blank + title + _centred("total", _span(widths[last:]), style)))
    out.append(style.paint(_DIM, " " * names + _GAP + _joined(heads, widths)))
    for row in rows:
        label = row.lines + row.name
        if row.cells:
            text = style.paint(_DIM, row.lines) + row.name + " " * (names - width(label))
            out.append(text + _GAP + _joined(row.cells, widths))
        else:
            gap = _GAP if row.name else ""
            out.append(style.paint(_DIM, row.lines) + row.name + gap + style.paint(row.tone, row.note))
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


def _head(columns: Sequence[str]) -> Callable[[str], str]:
    """Short column titles: GPU where there is one kind of accelerator, else the part of the name that differs."""
    accelerators = [c for c in columns if is_accelerator(c)]

    def head(name: str) -> str:
        if [name] == accelerators and name.endswith("/gpu"):
            return "GPU"
        return printable(name.rpartition("/")[2])[:14].upper()

    return head


def _totals(sums: Totals, live: bool, style: Style) -> Iterator[str]:
    pods = f"{sums.pods.desired} {'pod' if sums.pods.desired == 1 else 'pods'}"
    if live:
        pods += f" desired, {sums.pods.current} there, {sums.pods.ready} ready"
    yield style.paint(_BOLD, "Total") + _GAP + pods
    names = sorted({*sums.desired, *sums.current}, key=display_order)
    wide = max((width(printable(n)) for n in names), default=0)
    for name in names:
        amount = _amount(name, sums.desired)
        now = f"{_GAP}{to_text(name, sums.current.get(name, Fraction(0)))} in use" if live else ""
        yield f"{_GAP}{printable(name).ljust(wide)}{_GAP}{amount.rjust(8)}{now}"
    if sums.claims:
        yield f"{_GAP}{sums.claims} device {'claim' if sums.claims == 1 else 'claims'}"
    for unread in sums.unread:
        yield style.paint(_RED, f"{_GAP}! not certain: {printable(unread)} could not be read")
    if sums.problems:
        yield style.paint(_RED, f"{_GAP}! amounts that could not be read are not in the sums")


def _warnings(tree: Tree, style: Style) -> Iterator[str]:
    if tree.unassigned:
        count = len(tree.unassigned)
        yield ""
        yield f"{style.paint(_YELLOW, 'Unassigned')}{_GAP}{count} {'pod' if count == 1 else 'pods'}"
    for warning in tree.warnings:
        yield style.paint(_YELLOW, f"! {printable(warning)}")
