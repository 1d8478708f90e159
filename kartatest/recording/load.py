"""Reads recordings: our own files, plain manifests, watch dumps, and recorded-flow files with `schemaVersion: 1`.

Which one a document is shows in its keys: `frames` is ours, `schemaVersion` with `events` a recorded flow, and what
has `apiVersion` and `kind` is a manifest. In manifests several states of one object (group, kind, namespace, name)
are the frames of one flow, in their order; different objects are different recordings.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace

from kartatest.diagnostics import Diagnostic
from kartatest.recording import frames, manifests
from kartatest.recording.codes import LOADING_CODES as LOADING_CODES
from kartatest.recording.codes import Part
from kartatest.recording.model import Recording
from kartatest.source import Source
from kartatest.value import value

_BLANK = re.compile(r"\s*")


@value
class Loaded:
    """Recordings in the order of the file (objects of manifests last), and all that is wrong with it, sorted."""

    recordings: tuple[Recording, ...]
    diagnostics: tuple[Diagnostic, ...]


def load(source: Source) -> Loaded:
    """All recordings in a text. Never raises for what the text says; () of both for definitions alone."""
    recordings: list[Recording] = []
    states: list[manifests.State] = []
    found: list[Diagnostic] = []
    for part in _parts(source, found):
        value = part.document.value
        if not isinstance(value, dict):
            states += manifests.states(part)
        elif "frames" in value and "kind" not in value:
            recordings += filter(None, [frames.recording(part)])
        elif "events" in value and "schemaVersion" in value:
            recordings += filter(None, [manifests.recorded_flow(part)])
        else:
            states += manifests.states(part)
        found += part.found
    if len(recordings) > 1:
        recordings = [replace(r, part=f"{index}") for index, r in enumerate(recordings, 1)]
    recordings += manifests.flows(source.name, states)
    return Loaded(tuple(recordings), tuple(sorted(found, key=lambda d: d.sort_key)))


def _parts(source: Source, found: list[Diagnostic]) -> Iterator[Part]:
    """The documents of a text: YAML, or JSON values one after another as `kubectl get -o json --watch` prints them."""
    from kartatest.yamlpos import documents

    index = 0
    for start, end in _json_values(source.text) or [(0, len(source.text))]:
        whole = (start, end) == (0, len(source.text))
        read = documents(source if whole else Source(source.name, source.text[start:end]))
        found += [replace(d, source=source, span=d.span.shift(start)) for d in read.diagnostics]
        for document in read.documents:
            yield Part(source, document, index, start)
            index += 1


def _json_values(text: str) -> list[tuple[int, int]]:
    """Where the JSON values of a text are; [] when it is not a stream of at least two.

    The last may be cut off, as in a dump of a watch that was stopped.
    """
    if not text.lstrip().startswith("{"):
        return []
    decode = json.JSONDecoder().raw_decode
    values: list[tuple[int, int]] = []
    end = 0
    try:
        while (start := _BLANK.match(text, end).end()) < len(text):  # type: ignore[union-attr]  # matches anywhere
            _, end = decode(text, start)
            values.append((start, end))
    except (ValueError, RecursionError):
        values += [(end, len(text))] if values else []
    return values if len(values) > 1 else []
