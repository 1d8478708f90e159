"""Why a status holds on an object or does not: every matcher part by part, with what it looked at."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from kartatest.definition.model import ConditionMatch, Definition, Matcher, Status, StatusDef
from kartatest.resolve.evaluate import Evaluator, Unreadable, text_of
from kartatest.resolve.model import Condition, StatusResult
from kartatest.resolve.status import read_status
from kartatest.source import DocPath, Json, dotted

if TYPE_CHECKING:
    from kartatest.jq.ast import Ast, Node

_LONGEST = 160
_MOST_PATHS = 6


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a matcher: what it asks, whether it holds, and what it found instead."""

    asks: str
    holds: bool
    found: str


@dataclass(frozen=True, slots=True)
class MatcherReading:
    """A matcher on one object. failed says why it could not be evaluated."""

    matcher: Matcher
    parts: tuple[Part, ...]
    failed: str | None = None

    @property
    def held(self) -> int:
        """How many parts hold."""
        return sum(part.holds for part in self.parts)

    @property
    def holds(self) -> bool:
        """Whether all parts hold; a matcher without parts holds for every object (Q05)."""
        return self.failed is None and self.held == len(self.parts)


@dataclass(frozen=True, slots=True)
class Explanation:
    """lines: the most telling first, indented by level, never (). at: the part of the definition they speak of."""

    lines: tuple[str, ...]
    at: DocPath | None = None


def why(definition: Definition, obj: Json, status: Status | str) -> tuple[str, ...]:
    """The lines of `explanation`."""
    return explanation(definition, obj, status).lines


def explanation(definition: Definition, obj: Json, status: Status | str) -> Explanation:
    """Why the status holds on the object or does not.

    For a status that holds, the matcher that makes it hold. For one that does not, how near its matchers came: the
    nearest with all its parts, the others in one line each. A status without mapping is said to be so.
    """
    word = Status(status) if isinstance(status, str) else status
    mapped = definition.root.status
    if mapped is None:
        return Explanation((f"{definition.name!r} maps no statuses: its root component has no statusDefinition",))
    evaluator = Evaluator(obj)
    result = read_status(mapped, evaluator)
    if result.problems:
        return _unreadable(definition, result, obj)
    if word is Status.UNDEFINED:
        return Explanation(_why_undefined(mapped, result, evaluator))
    mapping = next((m for m in mapped.mappings if m.status is word), None)
    if mapping is None or not mapping.matchers:
        return Explanation((f"no matcher is mapped to {word.value}",), mapped.at)
    readings = [read_matcher(m, result, evaluator) for m in mapping.matchers]
    true = next((r for r in readings if r.holds), None)
    if true is not None:
        head = f"{word.value} holds by {_place(true.matcher.at)}:"
        return Explanation((head, *_parts(true, result, obj)), true.matcher.at)
    ordered = sorted(readings, key=_nearness, reverse=True)
    head = f"{word.value} does not hold:"
    return Explanation((head, *_near_misses(ordered, result, obj)), ordered[0].matcher.at)


def _unreadable(definition: Definition, result: StatusResult, obj: Json) -> Explanation:
    problem = result.problems[0]
    text = _source(definition, problem.at)
    lines = ["the statuses cannot be read, because an expression that is reached fails:"]
    lines += [f"  {_place(problem.at)}: {problem.message}"]
    if text:
        lines += [f"  expression: {_one_line(text)}"]
        lines += [f"  {path} is {value}" for path, value in looked_at(text, obj)]
    return Explanation(tuple(lines), problem.at)


def read_matcher(matcher: Matcher, result: StatusResult, evaluator: Evaluator) -> MatcherReading:
    """Every part of the matcher, also those behind the first that does not hold."""
    parts: list[Part] = []
    if matcher.phase:
        found = "there is no phase" if result.phase is None else f"it is {_quoted(result.phase)}"
        parts.append(Part(f"the phase should be {_quoted(matcher.phase)}", result.phase == matcher.phase, found))
    by_type = {condition.type: condition for condition in result.conditions}
    parts += [_condition_part(wanted, by_type.get(wanted.type)) for wanted in matcher.conditions]
    failed = None
    if matcher.expression is not None:
        asks = f"the expression should give {_quoted(matcher.expected or '')}"
        try:
            outputs = evaluator.outputs(matcher.expression)
        except Unreadable as error:
            failed = error.problem.message
            parts.append(Part(asks, False, f"it fails: {failed}"))
        else:
            text = text_of(outputs[0]) if outputs else None
            parts.append(Part(asks, text == (matcher.expected or ""), _outputs(outputs)))
    return MatcherReading(matcher, tuple(parts), failed)


def _condition_part(wanted: ConditionMatch, found: Condition | None) -> Part:
    details = [f"{name} {_quoted(v)}" for name, v in (("status", wanted.status), ("reason", wanted.reason)) if v]
    asks = f"condition `{wanted.type}` " + (f"should have {' and '.join(details)}" if details else "should be there")
    if found is None:
        return Part(asks, False, f"`{wanted.type}` is absent")
    held = (not wanted.status or found.status == wanted.status) and (not wanted.reason or found.reason == wanted.reason)
    reason = f", reason {_quoted(found.reason)}" if found.reason else ""
    message = f", message {_quoted(_short(found.message))}" if found.message else ""
    return Part(asks, held, f"its status is {_quoted(found.status)}{reason}{message}")


def _why_undefined(mapped: StatusDef, result: StatusResult, evaluator: Evaluator) -> tuple[str, ...]:
    if result.statuses == (Status.UNDEFINED,):
        return ("no mapped status holds; the nearest:", *_nearest_lines(mapped, result, evaluator))
    words = ", ".join(s.value for s in result.statuses)
    return (f"Undefined does not hold, because {words} does",)


def _nearest_lines(mapped: StatusDef, result: StatusResult, evaluator: Evaluator) -> Iterator[str]:
    best: list[tuple[float, int, str]] = []
    for order, mapping in enumerate(mapped.mappings):
        readings = [read_matcher(m, result, evaluator) for m in mapping.matchers]
        if readings:
            top = max(readings, key=_nearness)
            best.append((-_nearness(top)[0], order, f"  {mapping.status.value}: {_sentence(top)}"))
    yield from (line for _, _, line in sorted(best)[:3])


def _near_misses(ordered: Sequence[MatcherReading], result: StatusResult, obj: Json) -> Iterator[str]:
    """The nearest matcher in full, the next ones in a line each."""
    yield f"  nearest is {_place(ordered[0].matcher.at)}: {_sentence(ordered[0])}"
    yield from ("  " + line for line in _parts(ordered[0], result, obj))
    for other in ordered[1:4]:
        yield f"  also {_place(other.matcher.at)}: {_sentence(other)}"
    if len(ordered) > 4:
        yield f"  and {len(ordered) - 4} more"


def _nearness(reading: MatcherReading) -> tuple[float, int]:
    """How near a matcher came to holding: the share of its parts, then their number."""
    return reading.held / len(reading.parts) if reading.parts else 1.0, reading.held


def _sentence(reading: MatcherReading) -> str:
    """ "2 of 3 parts hold; `Available` is absent" """
    missing = [p for p in reading.parts if not p.holds]
    noun = "part holds" if len(reading.parts) == 1 else "parts hold"
    if not missing:
        return f"{reading.held} of {len(reading.parts)} {noun}"
    first = missing[0]
    reason = first.found if first.found.startswith("`") else f"{first.asks.removeprefix('the ')}: {first.found}"
    return f"{reading.held} of {len(reading.parts)} {noun}; {reason}"


def _parts(reading: MatcherReading, result: StatusResult, obj: Json) -> Iterator[str]:
    """A line per part, then what they looked at."""
    if not reading.parts:
        yield "  the matcher has no parts, so it holds for every object"
    for part in reading.parts:
        yield f"  {'holds' if part.holds else 'fails'}: {part.asks}; {part.found}"
    if reading.matcher.conditions:
        yield f"  conditions there: {_conditions(result.conditions)}"
    if reading.matcher.expression is not None:
        yield f"  expression: {_one_line(reading.matcher.expression.text)}"
        for path, value in looked_at(reading.matcher.expression.text, obj):
            yield f"  {path} is {value}"


def looked_at(text: str, obj: Json) -> Iterator[tuple[str, str]]:
    """The plain paths that an expression names, each with what the object has there, in the order of the text.

    A path whose first part the object lacks is left out: it may be meant for another value than the object.
    """
    from kartatest.jq.ast import walk
    from kartatest.jq.errors import JqError
    from kartatest.jq.parse import parse
    from kartatest.jq.shape import path_text

    try:
        paths = list(dict.fromkeys(p for node in walk(parse(text)) if (p := _keys(node))))
    except JqError:
        return
    longest = [p for p in paths if not any(q != p and q[: len(p)] == p for q in paths)]
    for path in [p for p in longest if isinstance(obj, dict) and p[0] in obj][:_MOST_PATHS]:
        value = obj
        for step in path:
            value = value.get(step) if isinstance(value, dict) else None
        yield path_text(path), "absent" if value is None else _shown(value)


def _shown(value: Json) -> str:
    """A value in short; a list of conditions as `Type=Status` pairs."""
    if isinstance(value, list) and value and all(isinstance(v, dict) and {"type", "status"} <= v.keys() for v in value):
        return _conditions(Condition(str(v["type"]), str(v["status"])) for v in value)
    return _short(json.dumps(value, ensure_ascii=False, sort_keys=True))


def _keys(node: Node) -> tuple[str, ...]:
    """The keys of `.a.b`, also with `?` and `|`; () for anything else."""
    from kartatest.jq.shape import plain_path

    path = plain_path(cast("Ast", node)) or ()
    return tuple(step for step in path if isinstance(step, str)) if all(isinstance(s, str) for s in path) else ()


def _conditions(conditions: Iterable[Condition]) -> str:
    return _short(", ".join(f"{c.type}={c.status}" for c in conditions) or "none")


def _outputs(outputs: Sequence[Json]) -> str:
    if not outputs:
        return "it gives nothing"
    first = _short(json.dumps(outputs[0], ensure_ascii=False, sort_keys=True, default=str))
    return f"it gives {first}" + (f" first, and {len(outputs) - 1} more" if len(outputs) > 1 else "")


def _one_line(text: str) -> str:
    """An expression on one line, cut where it is long."""
    return _short(" ".join(text.split()))


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."


def _place(at: DocPath) -> str:
    """The end of a document path that tells readers where they are: `statusMappings.running[0]`."""
    for index, step in enumerate(at):
        if step in ("statusMappings", "statusDefinition") and index + 1 < len(at):
            if step == "statusDefinition" and "statusMappings" in at:
                continue
            return dotted(at[index:])
    return dotted(at)


def _source(definition: Definition, at: DocPath) -> str:
    from kartatest.definition.walk import expressions

    return next((e.text for e in expressions(definition) if e.at == at), "")
