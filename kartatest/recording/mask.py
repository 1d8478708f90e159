"""Takes out of objects what differs from run to run, or should not be published.

Masked values are counted names ("node-1") in the order in which they are first met, so masking what is masked changes
nothing, equal values stay equal across the frames of a recording and different ones different. Times keep their
distances: the earliest becomes 2000-01-01T00:00:00Z. What a status is read from (phases, reasons, counts) stays.
Dropped without a trace: resource versions, managed fields, self links, the last-applied annotation.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import TypeAlias

from kartatest.recording.model import GangExpectation, Recording
from kartatest.source import Json, JsonObject

_Names: TypeAlias = dict[str, str]

_UUID = re.compile(r"(?<![0-9A-Za-z])[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}(?![0-9A-Za-z])")
_TIME = re.compile(r"(?<!\d)(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)(?!\d)")
_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
_TOKEN = re.compile(
    r"(?<![\w-])(?:masked-secret-\d+(?![\w-])|eyJ[\w-]{8,}\.[\w.-]+|(?:gh[pousr]|hf)_\w{16,}|nvapi-[\w-]{16,}|sk-[\w-]{20,}"
    r"|AKIA[A-Z0-9]{16}|(?<=earer )[\w.~+/=-]{8,})"
)
_SECRET_WORD = r"(?:secret|token|passw|credential|api[_-]?key|access[_-]?key|private[_-]?key)"
_SECRET_NAME = re.compile(rf"(?i){_SECRET_WORD}(?!.*(?:name|path|dir|mount|ref|file|expiry|ttl|seconds|id)$)")
_SECRET_FLAG = re.compile(rf"(?i)(--?[\w-]*{_SECRET_WORD}(?![\w-]*(?:name|path|dir|file|ref)\b)[\w-]*[= ])([^\s\"']+)")

_URL_PASSWORD = re.compile(r"://[^\s/:@]*:([^\s/@]+)@")

_IP_KEYS = frozenset({"podIP", "podIPs", "hostIP", "hostIPs", "clusterIP", "clusterIPs", "ip"})
_NODE_KEYS = frozenset({"nodeName", "nominatedNodeName", "kubernetes.io/hostname"})
_FIXED_ADDRESSES = frozenset({"127.0.0.1", "0.0.0.0", "::1", "::"})
_TOKEN_VOLUME = re.compile(r"(?<![\w.-])kube-api-access-[a-z0-9]{5}(?![\w-])")
_DROPPED = frozenset({"managedFields", "resourceVersion", "selfLink"})
_LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


def mask(recording: Recording) -> Recording:
    """The recording with every object masked, and the names under `gang`; one set of names for all of its frames."""
    said = list(dict.fromkeys(name for f in recording.frames for one in f.gang for name in _said(one)))
    objects = [o for f in recording.frames for o in (f.obj, *f.pods, *f.owners)]
    *others, last = mask_objects([*objects, {"names": said}])
    masked = iter(others)
    names = dict(zip(said, last["names"], strict=True))
    frames = tuple(
        replace(
            f,
            obj=next(masked),
            pods=tuple(next(masked) for _ in f.pods),
            owners=tuple(next(masked) for _ in f.owners),
            gang=tuple(_renamed(expectation, names) for expectation in f.gang),
        )
        for f in recording.frames
    )
    return replace(recording, frames=frames)


def _said(expectation: GangExpectation) -> Iterator[str]:
    yield from expectation.groups or ()
    for pod, place in expectation.pods.items():
        yield from (pod, place)


def _renamed(expectation: GangExpectation, names: _Names) -> GangExpectation:
    groups = None if expectation.groups is None else {names[name]: n for name, n in expectation.groups.items()}
    pods = {names[pod]: names[place] for pod, place in expectation.pods.items()}
    return replace(expectation, groups=groups, pods=pods)


def mask_objects(objects: Sequence[JsonObject]) -> tuple[JsonObject, ...]:
    """The objects masked, in their order, with names counted over all of them. The arguments stay as they are."""
    found = _Found()
    _collect_secrets(objects, found)
    _collect_ids(objects, found)
    _collect_words(objects, found)
    return tuple(_masked(obj, (), dict(obj), found) for obj in objects)


@dataclass
class _Found:
    """What was met, each with its masked name. A later kind is looked for only in what earlier ones leave."""

    secrets: _Names = field(default_factory=dict)
    uids: _Names = field(default_factory=dict)
    nodes: _Names = field(default_factory=dict)
    shift: timedelta = timedelta()
    words: _Names = field(default_factory=dict)
    word: re.Pattern[str] | None = None
    done: _Names = field(default_factory=dict)
    node: re.Pattern[str] | None = None


def _collect_secrets(objects: Iterable[JsonObject], found: _Found) -> None:
    for obj in objects:
        for path, text in _texts(obj, ()):
            for start, end in _secret_spans(obj, path, text):
                found.secrets.setdefault(text[start:end], f"masked-secret-{len(found.secrets) + 1}")


def _collect_ids(objects: Iterable[JsonObject], found: _Found) -> None:
    earliest: datetime | None = None
    for obj in objects:
        for path, text in _texts(obj, ()):
            if path[-1:] == ("uid",):
                found.uids.setdefault(text, _uid(len(found.uids)))
            elif _under(path, _NODE_KEYS):
                found.nodes.setdefault(text, f"node-{len(found.nodes) + 1}" if text else "")
            else:
                rest = _without_secrets(obj, path, text, found)
                for uid in _UUID.findall(rest):
                    found.uids.setdefault(uid, _uid(len(found.uids)))
                for time in filter(None, map(_time, _TIME.finditer(rest))):
                    earliest = min(earliest or time, time)
    found.shift = _EPOCH - earliest if earliest else timedelta()
    found.node = _any_of(found.nodes)


def _collect_words(objects: Iterable[JsonObject], found: _Found) -> None:
    """Addresses and generated names, as they stand once the rest is masked."""
    generated: _Names = {}
    volumes: _Names = {}
    for obj in objects:
        masked = _masked(obj, (), dict(obj), found)
        for path, text in _texts(masked, ()):
            if _under(path, _IP_KEYS) and _is_address(text) and text not in _FIXED_ADDRESSES:
                found.words.setdefault(text, _address(text, len(found.words) + 1))
            for volume in _TOKEN_VOLUME.findall(text):
                volumes.setdefault(volume, f"kube-api-access-{len(volumes) + 1:05d}")
        name, prefix = _generated_name(masked)
        if name:
            generated.setdefault(name, prefix)
    found.words.update(volumes)
    numbers = {name: number for number, name in enumerate(generated, 1)}
    for name in sorted(generated, key=len):  # a name may be made from a shorter one that was itself made up
        inside = {word: new for word, new in found.words.items() if word in generated[name]}
        found.words[name] = f"{_replaced(generated[name], _any_of(inside), inside)}{numbers[name]:05d}"
    found.word = _any_of(found.words)


def _texts(value: Json, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Every text of a value with its path, keys in sorted order so that the order of the file does not show."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key in sorted(value):
            if not _drops(path, key):
                yield from _texts(value[key], (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _texts(item, (*path, index))


def _masked(obj: JsonObject, path: tuple[str | int, ...], value: Json, found: _Found) -> Json:
    """The value at a path of obj, masked by all that was found so far."""
    if isinstance(value, str):
        return _masked_text(obj, path, value, found)
    if isinstance(value, dict):
        return {key: _masked(obj, (*path, key), item, found) for key, item in value.items() if not _drops(path, key)}
    if isinstance(value, list):
        return [_masked(obj, (*path, index), item, found) for index, item in enumerate(value)]
    return value


def _masked_text(obj: JsonObject, path: tuple[str | int, ...], text: str, found: _Found) -> str:
    if path[-1:] == ("uid",):
        return found.uids[text]
    if _under(path, _NODE_KEYS):
        return found.nodes[text]
    text = _without_secrets(obj, path, text, found)
    text = _UUID.sub(lambda m: found.uids[m[0]], text)
    text = _TIME.sub(lambda m: _shifted(m, found.shift), text)
    if path[-1:] == ("message",):
        text = _replaced(text, found.node, found.nodes)
    if found.word is None:
        return text
    if text not in found.done:
        found.done[text] = _replaced(text, found.word, found.words)
    return found.done[text]


def _without_secrets(obj: JsonObject, path: tuple[str | int, ...], text: str, found: _Found) -> str:
    for start, end in reversed(_secret_spans(obj, path, text)):
        text = text[:start] + found.secrets[text[start:end]] + text[end:]
    return text


def _drops(path: tuple[str | int, ...], key: str) -> bool:
    if path[-1:] == ("metadata",):
        return key in _DROPPED
    return path[-2:] == ("metadata", "annotations") and key == _LAST_APPLIED


def _under(path: tuple[str | int, ...], keys: frozenset[str]) -> bool:
    """Whether the value's nearest key is one of these; list indices do not count."""
    return next((part for part in reversed(path) if isinstance(part, str)), None) in keys


def _any_of(names: _Names) -> re.Pattern[str] | None:
    """Matches any of the names where no longer word begins or goes on; the longest first."""
    if not any(names):
        return None
    words = sorted(filter(None, names), key=lambda n: (-len(n), n))
    ends = {True: r"(?![\w:])", False: r"(?!\w)"}  # what follows an IPv6 address is a part of it
    return re.compile(r"(?<![\w.:-])(?:" + "|".join(re.escape(w) + ends[":" in w] for w in words) + ")")


def _replaced(text: str, pattern: re.Pattern[str] | None, names: _Names) -> str:
    return pattern.sub(lambda m: names[m[0]], text) if pattern else text


def _uid(index: int) -> str:
    return f"00000000-0000-4000-8000-{index + 1:012d}"


def _generated_name(obj: JsonObject) -> tuple[str, str]:
    """Name and the prefix it was generated from; ("", "") when somebody chose the name."""
    metadata = obj.get("metadata")
    if not isinstance(metadata, dict):
        return "", ""
    name, prefix = metadata.get("name"), metadata.get("generateName")
    if isinstance(name, str) and isinstance(prefix, str) and prefix and name.startswith(prefix) and name != prefix:
        return name, prefix
    return "", ""


def _secret_spans(obj: JsonObject, path: tuple[str | int, ...], text: str) -> list[tuple[int, int]]:
    """Parts of a text that look like secrets, in order: values of telling names, known tokens, telling flags.

    An annotation may have a telling name itself, or hold an object in which there are secrets.
    """
    if not text or path[-1:] == ("uid",) or _under(path, _NODE_KEYS):
        return []
    held: list[tuple[int, int]] = []
    if path[-2:-1] == ("annotations",):
        if _SECRET_NAME.search(str(path[-1])):
            return [(0, len(text))]
        held = _spans_in_json(text)
    if path[-1:] == ("value",):
        entry: Json = obj
        for part in path[:-1]:
            entry = entry[part]
        name = entry.get("name") if isinstance(entry, dict) else None
        if isinstance(name, str) and _SECRET_NAME.search(name):
            return [(0, len(text))]
    if obj.get("kind") == "Secret" and path[:1] in (("data",), ("stringData",)):
        return [(0, len(text))]
    spans = sorted(
        [m.span() for m in _TOKEN.finditer(text)]
        + [m.span(2) for m in _SECRET_FLAG.finditer(text)]
        + [m.span(1) for m in _URL_PASSWORD.finditer(text)]
        + held
    )
    return [span for i, span in enumerate(spans) if i == 0 or span[0] >= spans[i - 1][1]]


def _spans_in_json(text: str) -> list[tuple[int, int]]:
    """Where secrets of an object stand in its JSON text; [] for any other text."""
    if not text.startswith("{"):
        return []
    try:
        obj = json.loads(text)
    except (ValueError, RecursionError):
        return []
    secrets = {inner[a:b] for path, inner in _texts(obj, ()) for a, b in _secret_spans(obj, path, inner)}
    whole = (json.dumps(secret, ensure_ascii=False)[1:-1] for secret in secrets)
    return [m.span() for secret in whole for m in re.finditer(rf"(?<!\w){re.escape(secret)}(?!\w)", text)]


def _time(match: re.Match[str]) -> datetime | None:
    """The instant in whole seconds; None for what is no time, and for the zero time, which means "never"."""
    try:
        time = datetime.fromisoformat(match[1] + match[3].replace("Z", "+00:00")).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return time if time.year > 1 else None


def _shifted(match: re.Match[str], shift: timedelta) -> str:
    time = _time(match)
    try:
        return match[0] if time is None else f"{time + shift:%Y-%m-%dT%H:%M:%S}{match[2] or ''}Z"
    except OverflowError:
        return match[0]


def _is_address(text: str) -> bool:
    from ipaddress import ip_address

    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def _address(text: str, number: int) -> str:
    return f"fd00::{number:x}" if ":" in text else f"10.0.{number // 256 % 256}.{number % 256}"
