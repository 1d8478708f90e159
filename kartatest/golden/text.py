"""What a definition reads in a recording, as stable text that is read in a diff.

A line per frame with its statuses, then the tree, unless an earlier frame had the same. No line depends
on anything but the recording and the definition's paths, and none repeats what the recording already says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from kartatest.definition.model import Definition
from kartatest.recording.model import Recording
from kartatest.replay import FrameResult, containers, replay
from kartatest.resolve.gangs import Gang, gangs
from kartatest.resolve.model import Component, Instance, Problem, Quantities, Scale, Tree
from kartatest.resolve.pods import is_current, is_deleting, is_ready, phase
from kartatest.resolve.quantity import display_order, to_text
from kartatest.resolve.requests import pod_request
from kartatest.resolve.selectors import pod_name
from kartatest.resolve.totals import label, totals
from kartatest.source import Json, JsonObject, dotted


def text(definition: Definition, recording: Recording) -> str:
    """The golden of a recording: ends with a line break, has at least a head, the same for equal input."""
    result = replay(definition, recording)
    lines = [f"definition: {definition.name}", f"recording: {recording.name}"]
    shown: dict[tuple[str, ...], int] = {}
    for frame in result.frames:
        head = f"frame {frame.frame.index}: {_statuses(frame)}"
        body = tuple(_tree(frame.tree))
        if body in shown:
            lines += [""] if lines[-1].startswith(" ") else []
            lines.append(f"{head} (tree as in frame {shown[body]})")
        else:
            shown[body] = frame.frame.index
            lines += ["", head, *body]
    return "".join(f"{line}\n" for line in lines)


def _statuses(frame: FrameResult) -> str:
    if frame.tree.status.problems:
        return "unreadable, " + "; ".join(_problem(p) for p in frame.tree.status.problems)
    return ", ".join(frame.statuses) or "no statuses are mapped"


def _tree(tree: Tree) -> Iterator[str]:
    yield from _component(tree.root, 1)
    sums = totals(tree)
    yield f"  total: {_counted(sums.pods.desired, 'pod')}{_requests(sums.desired)}{_claims(sums.claims)}"
    if any(instance.pods for component in tree.walk() for instance in component.instances):
        yield f"  live: {_counted(sums.pods.current, 'pod')}, {sums.pods.ready} ready{_requests(sums.current)}"
    yield from _gangs(tree)
    for pod in tree.unassigned:
        yield f"  unassigned pod: {_text(pod_name(pod))}"
    for problem in sums.problems:
        yield f"  problem: {_text(problem)}"
    for warning in tree.warnings:
        yield f"  warning: {_text(warning)}"


def _gangs(tree: Tree) -> Iterator[str]:
    """What has to start together, and how much of it is there."""
    found = gangs(tree)
    for gang in found.gangs:
        several = "" if gang.count == 1 else f" x{gang.count}" if gang.count is not None else ", split by keys"
        yield f"  gang {_text(gang.label)}{several}: {_needed(gang)}"
        for part in gang.parts:
            yield f"    {_text(part.label)}: {_needed(part)}"
    for fault in found.faults:
        yield f"  problem: {_text(fault)}"


def _needed(gang: Gang) -> str:
    if gang.fault:
        return f"unreadable, {_text(gang.fault)}"
    there = [pod for pod in gang.pods if is_current(pod)]
    live = f"; {len(there)} here, {sum(map(is_ready, there))} ready" if gang.pods else ""
    return f"{_counted(gang.minimum, 'pod')}{_requests(gang.requests)}{_claims(gang.claims)}{live}"


def _claims(count: int) -> str:
    return f", {_counted(count, 'device claim')}" if count else ""


def _component(component: Component, depth: int) -> Iterator[str]:
    """The component's instances, then what hangs off it; a root that only groups gives no line of its own."""
    indent = "  " * depth
    is_shown = component.bears_pods or component.definition.scale is not None or component.problems or depth > 1
    if is_shown and component.instances:
        for instance in component.instances:
            yield f"{indent}{_text(label(component, instance))}{_scale(instance.scale)}"
            yield from (f"{indent}  {line}" for line in _instance(instance))
    elif is_shown:
        yield f"{indent}{_text(component.name)}: no instances"
    for problem in component.problems:
        yield f"{indent}  problem: {_problem(problem)}"
    below = depth + 1 if is_shown else depth
    for child in component.children:
        yield from _component(child, below)


def _instance(instance: Instance) -> Iterator[str]:
    if instance.pod is not None and instance.pod.missed:
        yield "no pod spec"
    elif instance.pod is not None:
        for container in containers(instance):
            yield f"container {_container(container)}"
        image = (instance.pod.fragments or {}).get("imagePath")
        if image is not None:
            yield f"image {_text(image)}"
        request = pod_request(instance.pod).quantities
        yield f"per pod:{_requests(request).lstrip(',') or ' no requests'}"
    if instance.pods:
        yield "pods: " + ", ".join(map(_pod, instance.pods))


def _pod(pod: JsonObject) -> str:
    """ "chat-0", "chat-0 (Failed)": a word about pods that do not count as current."""
    state = "" if is_current(pod) else f" ({'deleting' if is_deleting(pod) else phase(pod)})"
    return _text(pod_name(pod)) + state


def _scale(scale: Scale | None) -> str:
    """ " replicas 4, minimum 2": only what is written."""
    if scale is None:
        return ""
    written = (("replicas", scale.replicas), ("minimum", scale.minimum), ("maximum", scale.maximum))
    return ": " + (", ".join(f"{name} {count}" for name, count in written if count is not None) or "no count")


def _container(container: Json) -> str:
    if not isinstance(container, dict):
        return "(not an object)"
    name, image = container.get("name"), container.get("image")
    return f"{_text(name) if isinstance(name, str) else '(no name)'}, image {_text(image) if image else 'not set'}"


def _requests(amounts: Quantities) -> str:
    """ ", nvidia.com/gpu 8, cpu 500m": "" for none."""
    return "".join(f", {name} {_amount(name, amounts)}" for name in sorted(amounts, key=display_order))


def _amount(name: str, amounts: Mapping[str, Fraction]) -> str:
    return to_text(name, amounts[name])


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _problem(problem: Problem) -> str:
    return f"{_text(problem.message)} ({dotted(problem.at)})"


def _text(value: Json) -> str:
    """Text on one line, with control characters as escapes."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in str(value))
