"""Live pods in a drawn tree: a line for each, what is wrong where there are many, replica groups, pods left over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from kartatest.report.style import DIM, GREEN, YELLOW, Node, Style
from kartatest.report.text import cut, printable
from kartatest.resolve.model import Instance, PodPlace, Tree
from kartatest.resolve.pods import is_current, is_deleting, is_ready, name, node, phase, reason
from kartatest.resolve.totals import states
from kartatest.source import JsonObject

MOST = 10
"""Pods, groups or names of one sort that are shown."""


def pod_nodes(instance: Instance, columns: int) -> tuple[Node, ...]:
    """A node per pod; of several replicas with more than one pod a node each, with its pods below.

    columns: cells in a row.
    """
    if len(instance.groups) < 2 or all(len(group.pods) < 2 for group in instance.groups):
        return _lines(instance.pods)
    keyed = {id(pod) for group in instance.groups for pod in group.pods}
    loose = [pod for pod in instance.pods if id(pod) not in keyed]
    return (*group_nodes(instance, columns, with_pods=True), *_lines(loose))


def group_nodes(instance: Instance, columns: int, *, with_pods: bool) -> tuple[Node, ...]:
    """A node per replica key, numbers by size."""
    nodes = []
    ordered = sorted(instance.groups, key=lambda group: _ordered(group.key))
    for group in ordered[:MOST]:
        there = [pod for pod in group.pods if is_current(pod)]
        wanted = len(there) if group.desired is None else group.desired
        cells = (f"{sum(map(is_ready, there))}/{wanted}", str(len(there)), *[""] * (columns - 2))
        below = _lines(group.pods) if with_pods else ()
        nodes.append(Node(f"{{{group.key}}}", cells, (), below))
    if len(ordered) > MOST:
        nodes.append(Node("...", (), ((DIM, f"and {len(ordered) - MOST} more replicas"),)))
    return tuple(nodes)


def _ordered(key: str) -> tuple[int, int, str]:
    return (0, int(key), key) if key.isascii() and key.isdigit() and len(key) < 20 else (1, 0, key)


def _lines(pods: Sequence[JsonObject]) -> tuple[Node, ...]:
    """A node per pod, the unhealthy first, no more than a screen can bear."""
    ordered = sorted(pods, key=_is_well)
    nodes = []
    for pod in ordered[:MOST]:
        why = reason(pod)
        words = [phase(pod), f"({why})" if why else "", node(pod)]
        tone = GREEN if _is_well(pod) else YELLOW if is_current(pod) else DIM
        nodes.append(Node(name(pod) or "?", (), ((tone, printable(" ".join(w for w in words if w))),)))
    if len(ordered) > MOST:
        nodes.append(Node("...", (), ((DIM, f"and {len(ordered) - MOST} more pods"),)))
    return tuple(nodes)


def _is_well(pod: JsonObject) -> bool:
    return (is_ready(pod) or phase(pod) == "Succeeded") and not is_deleting(pod)


def state_notes(pods: Sequence[JsonObject]) -> Iterator[tuple[str, str]]:
    """How many pods are doing, where not each has a line of its own."""
    if len(pods) <= MOST:
        return
    found = states(pods)
    deleting = [f"{found.deleting} being deleted"] if found.deleting else []
    yield DIM, ", ".join([*(f"{count} {word}" for word, count in found.phases.items()), *deleting])
    if found.reasons:
        yield YELLOW, "not ready: " + _some(f"{word} {count}" for word, count in found.reasons.items())
    if found.nodes:
        yield DIM, f"on {len(found.nodes)} nodes" if len(found.nodes) > MOST else "on " + ", ".join(found.nodes)


def left_over(tree: Tree, style: Style) -> Iterator[str]:
    """The pods that are no component's, and those in doubt, by what is said of them; then what else is to be said."""
    strays: dict[str, list[str]] = {}
    for stray in tree.strays:
        if stray.cause != "elsewhere":
            strays.setdefault(stray.reason, []).append(name(stray.pod))
    yield from _section("Unassigned", strays, style)
    doubts: dict[str, list[str]] = {}
    for one in tree.contested:
        where = f"{one.component}[{one.instance}]" if one.instance else one.component
        doubts.setdefault(f"counted for {where!r}, but {one.reason}", []).append(name(one.pod))
    yield from _section("Contested", doubts, style)
    others = sum(stray.cause == "elsewhere" for stray in tree.strays)
    if others:
        yield ""
        yield style.paint(DIM, f"{others} {'pod' if others == 1 else 'pods'} of other workloads left out")
    for warning in tree.warnings:
        if not isinstance(warning, PodPlace):
            yield style.paint(YELLOW, f"! {printable(warning)}")


def _section(title: str, found: Mapping[str, Sequence[str]], style: Style) -> Iterator[str]:
    count = sum(map(len, found.values()))
    if not count:
        return
    yield ""
    yield f"{style.paint(YELLOW, title)}  {count} {'pod' if count == 1 else 'pods'}"
    reasons = list(found.items())
    for why, names in reasons[:MOST]:
        yield style.paint(YELLOW, f"! {_some(printable(n) or '?' for n in names)}: {cut(why)}")
    if len(reasons) > MOST:
        yield style.paint(DIM, f"  and {sum(len(names) for _, names in reasons[MOST:])} more")


def _some(words: Iterable[str]) -> str:
    every = list(words)
    rest = f" and {len(every) - MOST} more" if len(every) > MOST else ""
    return ", ".join(every[:MOST]) + rest
