"""From libyaml's events to plain values, with the places of all nodes beside them, in one pass and bounded."""

from __future__ import annotations

import math
from typing import Any, Final

from kartatest.diagnostics import Edit
from kartatest.source import Json, Source, Span
from kartatest.value import value
from kartatest.yamlpos import scalars
from kartatest.yamlpos.codes import DUPLICATE_KEY, INVALID_YAML, NOT_JSON, TOO_LARGE, Code

MAX_DEPTH: Final = 256
"""Levels of nesting that are read; real objects stay below 60, and readers after us recurse."""

MAX_ALIAS_COST: Final = 200_000
"""What aliases may repeat in one document: nodes, plus one per 32 characters of text."""

MAX_NODES: Final = 500_000
"""Keys, values, lists and mappings that are read from one text; a large object has some 20,000."""

_DOCUMENT_COST: Final = 20

MAX_FAULTS: Final = 100
"""Findings per document; a file that has more has them for one reason."""


def clipped(text: str) -> str:
    """The text, or its beginning where it is too long for a message."""
    return text if len(text) <= 80 else text[:79] + "…"


_MERGE: Final = object()
_NO_KEY: Final = object()


@value
class Fault:
    """A finding about the text, before it has a source. edits mend what nobody could read before."""

    code: Code
    span: Span
    message: str
    help: str = ""
    edits: tuple[Edit, ...] = ()


class Places:
    """Where the nodes of a document are. Nodes are numbered as they come; a key's number is its value's less one.

    kids: for a mapping's number its keys with their values' numbers, for a list's the numbers of its items.
    """

    __slots__ = ("ends", "kids", "starts")

    def __init__(self) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.kids: dict[int, dict[str, int] | list[int]] = {}

    def add(self, start: int, end: int) -> int:
        """The number of a new node at these characters."""
        self.starts.append(start)
        self.ends.append(end)
        return len(self.starts) - 1


class Built:
    """One document: its value, places and faults. empty: there was nothing in it. stopped: it was given up."""

    __slots__ = ("empty", "faults", "places", "stopped", "value")

    def __init__(self) -> None:
        self.value: Json = None
        self.places = Places()
        self.faults: list[Fault] = []
        self.empty = False
        self.stopped = False


class _StopError(Exception):
    """The document costs too much to go on."""


class _Frame:
    """A list or mapping that is being filled."""

    __slots__ = ("anchor", "cost", "end", "key", "key_id", "kids", "merged", "node", "value")

    def __init__(self, value: Json, node: int, anchor: str | None, cost: int) -> None:
        self.value = value
        self.node = node
        self.anchor = anchor
        self.cost = cost
        self.end = -1
        self.key: Any = _NO_KEY
        self.key_id = -1
        self.kids: Any = {} if isinstance(value, dict) else []
        self.merged: set[str] | None = None


class Builder:
    """Builds the documents of one stream of events. base is added to all offsets.

    current is the document in work, or the last one; its faults stand even when the parser gives up on it.
    room is how many nodes may still come; documents cost some as well.
    """

    def __init__(self, parser: Any, source: Source, base: int, room: int = MAX_NODES) -> None:
        import yaml

        self._next = parser.get_event
        self._source = source
        self._base = base
        self._events = yaml.events
        self.room = room
        self.current: Built | None = None

    def document(self) -> Built | None:
        """The next document; None at the end of the stream. Syntax errors of the parser pass through."""
        ev = self._events
        while True:
            event = self._next()
            if event is None or type(event) is ev.StreamEndEvent:
                return None
            if type(event) is ev.DocumentStartEvent:
                built = self.current = Built()
                if event.version and event.version != (1, 1):
                    built.faults.append(self._version(event))
                try:
                    self._fill(built)
                except _StopError:
                    built.stopped = True
                self.room -= len(built.places.starts) + _DOCUMENT_COST
                return built

    def _version(self, event: Any) -> Fault:
        start = event.start_mark.index + self._base
        stated = "%YAML {}.{}".format(*event.version)
        return Fault(
            NOT_JSON,
            Span(start, start + len(stated)),
            f"Kubernetes reads YAML 1.1 and refuses a document with '{stated}'",
            "remove the line",
        )

    def _fill(self, built: Built) -> None:  # one loop: a call per event would double the time of loading
        ev = self._events
        scalar_event, alias_event, end_event = ev.ScalarEvent, ev.AliasEvent, ev.DocumentEndEvent
        map_start, list_start = ev.MappingStartEvent, ev.SequenceStartEvent
        base, next_event = self._base, self._next
        places, faults = built.places, built.faults
        starts, ends, kids = places.starts, places.ends, places.kids
        keys: dict[str, str] = {}
        values: dict[str, Json] = {}
        unknown = _NO_KEY
        anchors: dict[str, tuple[Json, int] | None] = {}
        stack: list[_Frame] = []
        top: _Frame | None = None
        cost = repeated = 0
        plain = scalars.plain
        room = self.room
        while True:
            event = next_event()
            kind = type(event)
            start = event.start_mark.index + base
            node = len(starts)
            if node > room:
                message = f"the file holds more than {MAX_NODES:,} values"
                faults.append(Fault(TOO_LARGE, Span(start, start), message, "split it into several files"))
                raise _StopError
            if kind is scalar_event:
                starts.append(start)
                ends.append(event.end_mark.index + base)
                text = event.value
                if top is not None and top.key is _NO_KEY and type(top.value) is dict:
                    if event.tag is None and event.implicit[0]:
                        if text == "<<":
                            top.key = _MERGE
                        elif text in keys:
                            top.key = keys[text]
                        else:
                            top.key = keys[text] = self._key(plain(text), text, node, built)
                    else:
                        top.key = self._key(self._scalar(event, node, built), text, node, built)
                    top.key_id = node
                    if event.anchor:
                        anchors[event.anchor] = (top.key, 1)
                    if top.key in top.kids and not (top.merged and top.key in top.merged):
                        self._duplicate(top, built)
                    continue
                if event.tag is None and event.implicit[0]:
                    value = values.get(text, unknown)
                    if value is unknown:
                        value = plain(text)
                        if type(value) is float and not math.isfinite(value):
                            self._no_number(text, node, built)
                            value = text
                        else:
                            values[text] = value
                elif event.tag is None:
                    value = text
                else:
                    value = self._scalar(event, node, built)
                weight = 1 + (len(text) >> 5)
                cost += weight
                if event.anchor:
                    anchors[event.anchor] = (value, weight)
                if top is None:
                    built.empty = not text and event.tag is None and event.implicit[0]
            elif kind is map_start or kind is list_start:
                if top is not None and top.key is _NO_KEY and type(top.value) is dict:
                    faults.append(Fault(NOT_JSON, Span(start, start + 1), "a list or mapping cannot be a key"))
                    raise _StopError
                if len(stack) >= MAX_DEPTH:
                    text = f"more than {MAX_DEPTH} levels of nesting"
                    faults.append(
                        Fault(TOO_LARGE, Span(start, start + 1), text, "no Kubernetes object nests this deeply")
                    )
                    raise _StopError
                node = places.add(start, start)
                if event.tag is not None:
                    self._container_tag(event, node, built)
                top = _Frame({} if kind is map_start else [], node, event.anchor, cost)
                stack.append(top)
                cost += 1
                if event.anchor:
                    anchors[event.anchor] = None
                continue
            elif kind is alias_event:
                node = places.add(start, event.end_mark.index + base)
                value, weight = self._alias(event, anchors, node, built)
                repeated += weight
                cost += weight
                if repeated > MAX_ALIAS_COST:
                    faults.append(
                        Fault(
                            TOO_LARGE,
                            Span(start, ends[node]),
                            f"aliases repeat more than {MAX_ALIAS_COST:,} values",
                            "write the parts out, or use fewer aliases of aliases",
                        )
                    )
                    raise _StopError
                if top is not None and top.key is _NO_KEY and type(top.value) is dict:
                    top.key = self._key(value, event.anchor, node, built)
                    top.key_id = node
                    if top.key in top.kids and not (top.merged and top.key in top.merged):
                        self._duplicate(top, built)
                    continue
            elif kind is end_event:
                return
            else:
                assert top is not None
                stack.pop()
                value, node = top.value, top.node
                end = event.end_mark.index + base
                if end == start and top.end >= 0:  # a block "ends" where the next thing starts
                    end = top.end
                ends[node] = end
                kids[node] = top.kids
                if top.anchor:
                    anchors[top.anchor] = (value, cost - top.cost)
                top = stack[-1] if stack else None
            if top is None:
                built.value = value
                continue
            top.end = ends[node]
            if type(top.value) is list:
                top.value.append(value)
                top.kids.append(node)
            elif top.key is _MERGE:
                self._merge(top, value, node, built)
                top.key = _NO_KEY
            else:
                top.value[top.key] = value
                top.kids[top.key] = node
                top.key = _NO_KEY

    def _fault(self, built: Built, code: Code, node: int, message: str, help_text: str = "") -> None:
        if len(built.faults) < MAX_FAULTS:
            span = Span(built.places.starts[node], built.places.ends[node])
            built.faults.append(Fault(code, span, message, help_text))

    def _scalar(self, event: Any, node: int, built: Built) -> Json:
        if event.tag is None:
            return event.value
        try:
            value = scalars.tagged(event.tag, event.value)
        except scalars.ScalarError as error:
            self._fault(built, NOT_JSON, node, str(error), "remove the tag")
            return event.value
        if isinstance(value, float) and not math.isfinite(value):
            self._no_number(event.value, node, built)
            return event.value
        return value

    def _no_number(self, text: str, node: int, built: Built) -> None:
        self._fault(
            built,
            NOT_JSON,
            node,
            f"the number {clipped(text)!r} cannot be written as JSON",
            "quote it if text is meant",
        )

    def _key(self, value: Json, text: str, node: int, built: Built) -> str:
        if value is None or isinstance(value, dict | list):
            self._fault(built, NOT_JSON, node, "a key must be text", "quote it if text is meant")
            return text
        return scalars.key_text(value, text)

    def _container_tag(self, event: Any, node: int, built: Built) -> None:
        own = "map" if type(event) is self._events.MappingStartEvent else "seq"
        shown = clipped(scalars.shown_tag(event.tag))
        if shown not in ("!", "!!" + own):
            built.places.ends[node] = built.places.starts[node] + len(shown)
            self._fault(built, NOT_JSON, node, f"the tag {shown!r} means nothing here", "remove the tag")

    def _alias(
        self, event: Any, anchors: dict[str, tuple[Json, int] | None], node: int, built: Built
    ) -> tuple[Json, int]:
        if event.anchor not in anchors:
            self._fault(built, INVALID_YAML, node, f"the alias {clipped('*' + event.anchor)!r} has no anchor before it")
            return None, 1
        target = anchors[event.anchor]
        if target is None:
            self._fault(
                built, INVALID_YAML, node, f"the alias {clipped('*' + event.anchor)!r} stands inside its own anchor"
            )
            return None, 1
        return target

    def _duplicate(self, frame: _Frame, built: Built) -> None:
        if len(built.faults) >= MAX_FAULTS:
            return
        line, _ = self._source.position(built.places.starts[frame.kids[frame.key] - 1])
        message = f"the key {clipped(frame.key)!r} appears twice in this mapping, first in line {line}"
        self._fault(built, DUPLICATE_KEY, frame.key_id, message, "remove one of the two")

    def _merge(self, frame: _Frame, value: Json, node: int, built: Built) -> None:
        parts = value if isinstance(value, list) else [value]
        if not all(isinstance(p, dict) for p in parts):
            self._fault(built, INVALID_YAML, node, "the value of '<<' must be a mapping or a list of mappings")
            return
        places = built.places
        frame.merged = frame.merged or set()
        for part in reversed(parts):
            for key, item in part.items():
                frame.value[key] = item
                places.add(places.starts[frame.key_id], places.ends[frame.key_id])
                frame.kids[key] = places.add(places.starts[node], places.ends[node])
                frame.merged.add(key)
