"""An edit made in the text of its file: only the changed places are rewritten, comments and layout stay.

Every text made here is read again and compared with the edited object; where that does not hold, there is no text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from kartatest.edit.model import ABSENT, Change
from kartatest.edit.values import at_place
from kartatest.source import DocPath, Json, Source, same
from kartatest.yamlpos import Document, documents

# Text that every YAML reader takes for a string when it stands without quotes.
_PLAIN = re.compile(r"[A-Za-z_/][A-Za-z0-9_/.@+-]*(?::[A-Za-z0-9_/][A-Za-z0-9_/.@+-]*)*|[0-9]+(?:m|[KMGT]i)")
_WORDS = frozenset({"true", "false", "yes", "no", "on", "off", "y", "n", "null", "nan", "inf"})


class Part(NamedTuple):
    """What is edited in one document: where its object stands, the changes in it, and the object they make."""

    document: Document
    base: DocPath
    changes: Sequence[Change]
    result: Json


class _Splice(NamedTuple):
    start: int
    end: int
    text: str


class _NoPlace(Exception):  # noqa: N818 - a signal within this module
    """A place that the text does not hold by itself: behind an alias, in a merge key."""


def edited_text(source: Source, parts: Sequence[Part]) -> str | None:
    """The source's text with the parts' changes in it, the text itself when there are none.

    None where it cannot be done in place: an anchor or a merge key shares the part, or the layout is out of the common.
    """
    try:
        splices = [s for part in parts for s in _splices(part)]
    except _NoPlace:
        return None
    line_end = "\r\n" if "\r\n" in source.text else "\n"
    pieces: list[str] = []
    end = 0
    for splice in sorted(splices, key=lambda s: (s.start, s.end)):  # those at one place stay in their order
        if splice.start < end:
            return None
        pieces += [source.text[end : splice.start], splice.text.replace("\n", line_end)]
        end = splice.end
    text = "".join([*pieces, source.text[end:]])
    return text if text == source.text or _holds(Source(source.name, text), parts) else None


def _holds(source: Source, parts: Sequence[Part]) -> bool:
    """Whether the text reads as what was meant: each part's result at its place, everything else as before."""
    found = documents(source)
    wanted: dict[int, Json] = {}
    for part in parts:
        whole = wanted.get(part.document.index, part.document.value)
        wanted[part.document.index] = _with(whole, part.base, part.result)
    values = {d.index: d.value for d in found.documents}
    if found.diagnostics and not all(d.source.text for d in found.diagnostics):
        return False
    return all(i in values and same(values[i], value) for i, value in wanted.items())


def _with(value: Json, at: DocPath, new: Json) -> Json:
    if not at:
        return new
    if isinstance(value, dict):
        return {**value, at[0]: _with(value[at[0]], at[1:], new)}
    return [_with(item, at[1:], new) if i == at[0] else item for i, item in enumerate(value)]


def _splices(part: Part) -> Iterator[_Splice]:
    anew: dict[DocPath, bool] = {}  # objects that keep none of their entries are written as a whole, once
    for change in part.changes:
        at, parent = (*part.base, *change.path), (*part.base, *change.path[:-1])
        if change.new is not ABSENT and change.old is not ABSENT:
            yield _replaced(part.document, at, change.new)
            continue
        result = at_place(part.result, change.path[:-1])
        if parent not in anew:
            old = at_place(part.document.value, parent)
            anew[parent] = bool(old) and all(key not in result for key in old)
            if anew[parent]:
                yield _replaced(part.document, parent, result)
        if anew[parent]:
            continue
        if change.new is not ABSENT:
            yield _inserted(part, parent, change)
        else:
            _known(part.document, at)
            span = part.document.entry_span(at)
            yield _Splice(span.start, span.end, "")


def _known(document: Document, at: DocPath) -> None:
    if not document.exists(at):
        raise _NoPlace
    for n in range(len(at) + 1):
        span = document.span(at[:n])
        if document.source.text[span.start : span.end].startswith(("*", "&", "!")):
            raise _NoPlace


def _in_flow(document: Document, at: DocPath) -> bool:
    """Whether the value at the path is, or stands inside of, a collection in brackets."""
    spans = (document.span(at[:n]) for n in range(len(at) + 1))
    return any(
        isinstance(at_place(document.value, at[:n]), (dict, list)) and document.source.text[s.start : s.end][:1] in "[{"
        for n, s in enumerate(spans)
    )


def _replaced(document: Document, at: DocPath, new: Json) -> _Splice:
    _known(document, at)
    source, span = document.source, document.span(at)
    old = source.text[span.start : span.end]
    if _in_flow(document, at[:-1]) or (old[:1] and old[0] in "[{"):
        return _Splice(span.start, span.end, _flow(new, document))
    key = document.key_span(at)
    if (isinstance(new, (dict, list)) and new) or not old or isinstance(at_place(document.value, at), (dict, list)):
        if key is None:
            raise _NoPlace
        column = source.position(key.start)[1] - 1
        colon = source.text.index(":", key.end)
        end = max(span.end, colon + 1)
        return _Splice(colon + 1, end, _value(new, column))
    return _Splice(span.start, span.end, _scalar(new, quoted=old.startswith(('"', "'"))))


def _inserted(part: Part, parent: DocPath, change: Change) -> _Splice:
    """A new entry behind the last one of its object."""
    document, key = part.document, str(change.path[-1])
    _known(document, parent)
    source, span = document.source, document.span(parent)
    old: Mapping[str, Json] = at_place(document.value, parent)
    if not isinstance(old, dict):
        raise _NoPlace
    places = [document.span((*parent, k)) for k in old if document.exists((*parent, k))]
    last = max(places, key=lambda s: s.end) if places else None
    if _in_flow(document, parent):
        entry = f"{_flow(key, document)}: {_flow(change.new, document)}"
        if last is None:
            return _Splice(span.end - 1, span.end - 1, entry)
        first = document.key_span((*parent, next(k for k in old if document.exists((*parent, k)))))
        line, column = source.position(first.start) if first else (0, 0)
        own_line = not source.line(line)[: column - 1].strip() if first else False
        return _Splice(last.end, last.end, f",\n{source.line(line)[: column - 1]}{entry}" if own_line else f", {entry}")
    first = document.key_span((*parent, next(iter(old)))) if last is not None else None
    if last is None or first is None:
        raise _NoPlace
    column = source.position(first.start)[1] - 1
    stop = source.text.find("\n", last.end)
    lead, stop = ("", stop + 1) if stop >= 0 else ("\n", len(source.text))
    return _Splice(stop, stop, f"{lead}{' ' * column}{_scalar(key, quoted=False)}:{_value(change.new, column)}\n")


def _flow(value: Json, document: Document) -> str:
    """A value inside of brackets; as JSON where the whole document is in brackets, as JSON is."""
    if _in_flow(document, ()):
        return _json(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_flow(k, document)}: {_flow(v, document)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_flow(v, document) for v in value) + "]"
    return _scalar(value, quoted=False)


def _value(value: Json, column: int) -> str:
    """What stands behind the colon of a key at this column."""
    if not isinstance(value, (dict, list)) or not value:
        return f" {_scalar(value, quoted=False)}"
    pad = " " * (column + 2)
    return "\n" + "\n".join(pad + line for line in written(value).split("\n")[:-1])


def written(value: Json) -> str:
    """An object or list as YAML in block style, keys in their order, texts in quotes unless every reader agrees."""
    import yaml

    class Dumper(yaml.SafeDumper):
        def ignore_aliases(self, data: Json) -> bool:
            return True

    def of_str(dumper: yaml.SafeDumper, data: str) -> yaml.ScalarNode:
        return dumper.represent_scalar("tag:yaml.org,2002:str", data, style=None if _is_plain(data) else '"')

    Dumper.add_representer(str, of_str)
    return str(yaml.dump(value, Dumper=Dumper, allow_unicode=True, width=1 << 20, sort_keys=False))


def _is_plain(text: str) -> bool:
    return bool(_PLAIN.fullmatch(text)) and text.lower() not in _WORDS


def _scalar(value: Json, *, quoted: bool) -> str:
    return value if isinstance(value, str) and not quoted and _is_plain(value) else _json(value)


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)
