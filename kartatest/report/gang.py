"""Pod groups as text for people, and as plain data for machines: the forms of `karta gang`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from kartatest.gang.model import Gangs, Outcome, Place, PodGroup, SubGroup, TopologyConstraint
from kartatest.report.style import PLAIN, Style
from kartatest.report.text import printable, width
from kartatest.source import Json, JsonObject

_MOST_PODS = 8
_BOLD, _DIM, _RED, _YELLOW = "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[33m"
_REST: tuple[tuple[Outcome, str, str], ...] = (
    ("grouped", "of no role", _DIM),
    ("refused", "refused", _RED),
    ("crash", "the scheduler crashes on", _RED),
    ("default", "not by the definition", _DIM),
    ("ignored", "left alone", _DIM),
)


class Heading(NamedTuple):
    """What the groups are of. consumer: whose behaviour is shown, "" for the definition's own words."""

    api_version: str
    kind: str
    namespace: str
    name: str
    definition: str
    consumer: str = ""


def gangs_data(gangs: Gangs, heading: Heading, needs: JsonObject | None = None) -> dict[str, Json]:
    """The whole answer. Stable; more keys may come. What does not apply is null; counts are integers.

    needs: as `needs.needs_data` gives it, by the definition's own words whoever the consumer is.
    """
    return {
        "apiVersion": heading.api_version,
        "kind": heading.kind,
        "namespace": heading.namespace,
        "name": heading.name,
        "definition": heading.definition,
        "consumer": heading.consumer or None,
        "groups": [_group_data(group) for group in gangs.groups],
        "pods": [
            {
                "name": place.pod,
                "group": place.group,
                "subGroup": place.sub_group,
                "outcome": place.outcome,
                "text": place.text,
                "reason": place.reason or None,
            }
            for place in gangs.pods
        ],
        "needs": needs,
        "notes": list(gangs.notes),
        "blocked": gangs.blocked or None,
    }


def _group_data(group: PodGroup) -> dict[str, Json]:
    return {
        "name": group.name,
        "minMember": group.min_member,
        "minSubGroup": group.min_sub_group,
        "subGroups": [
            {"name": sub.name, "minMember": sub.min_member, "topology": _topology_data(sub.topology)}
            for sub in group.sub_groups
        ],
        "topology": _topology_data(group.topology),
        "queue": group.queue,
    }


def _topology_data(topology: TopologyConstraint | None) -> Json:
    if topology is None:
        return None
    return {"name": topology.name, "preferred": topology.preferred or None, "required": topology.required or None}


def gangs_text(gangs: Gangs, heading: Heading, *, style: Style = PLAIN) -> str:
    """A table of groups and subgroups with what each needs and the pods in it, then the other pods, then notes."""
    name = f"{heading.namespace}/{heading.name}" if heading.namespace else heading.name
    title = printable(f"{heading.kind} {name}")
    by = {"kai": "as KAI Scheduler groups it"}.get(heading.consumer, "as the definition says")
    lines = [f"{style.paint(_BOLD, title)}   {printable(heading.definition)}   {by}", ""]
    lines += _table(gangs, style) if gangs.groups else ["no pod groups"]
    if gangs.blocked:
        lines += ["", f"{style.paint(_RED, 'no pod will start')}", f"  {printable(gangs.blocked)}"]
    for outcome, words, tone in _REST:
        told = [p for p in gangs.pods if p.outcome == outcome and p.text]
        lines += _rest(told, words, tone, style)
    lines += ["", *(f"{style.paint(_YELLOW, '!')} {printable(note)}" for note in gangs.notes)] if gangs.notes else []
    return "\n".join(line.rstrip() for line in lines) + "\n"


class _Row(NamedTuple):
    lines: str
    name: str
    needs: str
    here: str
    pods: str


def _table(gangs: Gangs, style: Style) -> list[str]:
    inside: dict[str | None, list[Place]] = {}
    for place in gangs.pods:
        if place.outcome != "ignored":
            inside.setdefault(place.group, []).append(place)
    rows = [row for group in gangs.groups for row in _rows(group, inside.get(group.name, []), style)]
    first = max(width(row.lines + row.name) for row in rows)
    needs = max(5, *(width(row.needs) for row in rows))
    header = f"{'':{first}}  {'NEEDS':>{needs}}  {'HERE':>4}  PODS"
    out = [style.paint(_DIM, header)]
    for row in rows:
        pad = " " * (first - width(row.lines + row.name))
        out.append(f"{style.paint(_DIM, row.lines)}{row.name}{pad}  {row.needs:>{needs}}  {row.here:>4}  {row.pods}")
    return out


def _rows(group: PodGroup, inside: Sequence[Place], style: Style) -> Iterable[_Row]:
    """The group, its subgroups, and its pods that are in no subgroup."""
    loose = [place for place in inside if place.sub_group is None]
    more = (*_where(group.topology), f"queue {group.queue}" if group.queue else "")
    needs = str(group.min_member) if group.min_member is not None else _all(len(group.sub_groups))
    shown = "" if group.sub_groups else _named(loose)
    tail = "  ".join(filter(None, [shown, *more]))
    yield _Row("", printable(group.name), needs, str(len(inside)), tail)
    branches: list[tuple[SubGroup | None, list[Place]]] = [
        (sub, [place for place in inside if place.sub_group == sub.name]) for sub in group.sub_groups
    ]
    if group.sub_groups and loose:
        branches.append((None, loose))
    for i, (sub, pods) in enumerate(branches):
        last = i == len(branches) - 1
        lines = ("└─ " if last else "├─ ") if style.unicode else ("`- " if last else "|- ")
        if sub is None:
            yield _Row(lines, "in no subgroup", "", str(len(pods)), _named(pods))
        else:
            tail = "  ".join(filter(None, [_named(pods), *_where(sub.topology)]))
            yield _Row(lines, printable(sub.name), str(sub.min_member), str(len(pods)), tail)


def _all(subgroups: int) -> str:
    return f"{subgroups} of {subgroups}"


def _where(topology: TopologyConstraint | None) -> tuple[str, ...]:
    if topology is None:
        return ()
    levels = [f"{word} {level}" for word, level in _levels(topology) if level]
    return (printable(f"topology {topology.name or '(no name)'}: {', '.join(levels) or '(no level)'}"),)


def _levels(topology: TopologyConstraint) -> tuple[tuple[str, str], ...]:
    return ("prefers one", topology.preferred), ("needs one", topology.required)


def _rest(places: Sequence[Place], words: str, tone: str, style: Style) -> list[str]:
    """Pods of which there is something to say, by what it is."""
    by_text: dict[str, list[Place]] = {}
    for place in places:
        by_text.setdefault(place.text, []).append(place)
    out: list[str] = []
    for text, found in by_text.items():
        out += ["", f"{style.paint(tone, words)} {_named(found)}", f"  {printable(text)}"]
    return out


def _named(places: Sequence[Place]) -> str:
    shown = ", ".join(printable(place.pod) for place in places[:_MOST_PODS])
    left = len(places) - _MOST_PODS
    return f"{shown} and {left} more" if left > 0 else shown
