"""Reads an operator's data file; what is wrong with it comes as diagnostics, each at its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

from kartatest.cluster.operators.model import PLACEHOLDER, WORDS, Operator, Run, Webhooks
from kartatest.diagnostics import Diagnostic
from kartatest.recording.codes import OPERATOR_SHAPE, Part, kind_of, near
from kartatest.source import DocPath, Json, Source
from kartatest.value import value
from kartatest.yamlpos import documents

_NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?")
_VERSION = re.compile(r"v\d+\.\d+\.\d+([-+][0-9A-Za-z.-]+)?")
_PORT = re.compile(r"port\.[a-z0-9-]+")
_OPEN = re.compile(r"\$\{[^}]*$")
_READY = re.compile(r"https?://.+")
Reader: TypeAlias = Callable[[Part, DocPath, Json], Json]


@value
class Loaded:
    """The operator of a file, None when it could not be read; and all that is wrong with it, sorted."""

    operator: Operator | None
    diagnostics: tuple[Diagnostic, ...]


def load(source: Source, file: Path | None = None) -> Loaded:
    """The operator that a text describes. file is where it stands: paths of a local binary start there."""
    read = documents(source)
    found = list(read.diagnostics)
    operator = None
    if read.documents:
        part = Part(source, read.documents[0], 0, 0)
        operator = _operator(part, file)
        for extra in read.documents[1:]:
            Part(source, extra, 0, 0, part.found).add(OPERATOR_SHAPE, (), "a file describes one operator")
        found += part.found
    ordered = tuple(sorted(found, key=lambda d: d.sort_key))
    return Loaded(None if ordered else operator, ordered)


def _operator(part: Part, file: Path | None) -> Operator | None:
    given = _mapping(part, (), part.document.value, _OPERATOR)
    if not isinstance(part.document.value, dict):
        return None
    for key in ("name", "versions"):
        if key not in part.document.value:
            part.add(OPERATOR_SHAPE, (), f"an operator lacks {key!r}")
    if ("module" in given) == ("binary" in given):
        part.add(
            OPERATOR_SHAPE, (), "an operator has either a module or a binary", "module: what is built; binary: a file"
        )
    listed = part.document.value.get("versions")
    if "binary" in given and isinstance(listed, list) and len(listed) != 1:
        part.add(OPERATOR_SHAPE, ("versions",), "a binary has one version")
    for index, run in enumerate(given.get("run", ())):
        if not run.name and len(given["run"]) > 1:
            part.add(OPERATOR_SHAPE, ("run", index), "one of several processes needs a name", on_key=True)
    if part.found:
        return None
    run = tuple(Run(r.name or given["name"], r.args, r.env, r.ready, r.stand_in) for r in given.pop("run", (Run(""),)))
    return Operator(**given, run=run, file=file)


def _fault(part: Part, at: DocPath, wanted: str, given: Json) -> None:
    name = next((repr(step) for step in reversed(at) if isinstance(step, str)), "this")
    part.add(OPERATOR_SHAPE, at, f"{name} must be {wanted}, not {kind_of(given)}")


def _text(part: Part, at: DocPath, given: Json) -> Json:
    if isinstance(given, str) and given:
        for asked in PLACEHOLDER.findall(given):
            if asked not in WORDS and not _PORT.fullmatch(asked):
                help_text = near(asked, WORDS) or f"one of port.<name>, {', '.join(WORDS)}"
                part.add(OPERATOR_SHAPE, at, f"nothing is called ${{{asked}}}", help_text)
        if _OPEN.search(given):
            part.add(OPERATOR_SHAPE, at, "a ${ has no } behind it")
        return given
    if given == "":
        part.add(OPERATOR_SHAPE, at, f"{at[-1]!r} is empty")
    else:
        _fault(part, at, "text", given)
    return ""


def _like(pattern: re.Pattern[str], what: str) -> Reader:
    def read(part: Part, at: DocPath, given: Json) -> Json:
        text = _text(part, at, given)
        if text and not pattern.fullmatch(text):
            part.add(OPERATOR_SHAPE, at, f"{text!r} is no {what}")
        return text

    return read


def _one_of(*words: str) -> Reader:
    def read(part: Part, at: DocPath, given: Json) -> Json:
        if given not in words:
            help_text = near(str(given), words) or f"one of {', '.join(words)}"
            part.add(OPERATOR_SHAPE, at, f"{given!r} is none of the words that can stand here", help_text)
        return given

    return read


def _flag(part: Part, at: DocPath, given: Json) -> Json:
    if not isinstance(given, bool):
        _fault(part, at, "true or false", given)
    return given is True


def _port(part: Part, at: DocPath, given: Json) -> Json:
    if not isinstance(given, int) or isinstance(given, bool) or not 0 < given < 65536:
        part.add(OPERATOR_SHAPE, at, f"{given!r} is no port")
        return 0
    return given


def _list(item: Reader) -> Reader:
    def read(part: Part, at: DocPath, given: Json) -> Json:
        if not isinstance(given, list):
            _fault(part, at, "a list", given)
            return ()
        return tuple([item(part, (*at, index), one) for index, one in enumerate(given)])

    return read


def _some(item: Reader) -> Reader:
    def read(part: Part, at: DocPath, given: Json) -> Json:
        found = _list(item)(part, at, given)
        if given == []:
            part.add(OPERATOR_SHAPE, at, f"{at[-1]!r} is empty")
        return found

    return read


def _map(item: Reader) -> Reader:
    def read(part: Part, at: DocPath, given: Json) -> Json:
        if not isinstance(given, dict):
            _fault(part, at, "a mapping", given)
            return {}
        return {key: item(part, (*at, key), one) for key, one in given.items()}

    return read


def _any(_part: Part, _at: DocPath, given: Json) -> Json:
    return given


def _object(part: Part, at: DocPath, given: Json) -> Json:
    metadata = given.get("metadata") if isinstance(given, dict) else None
    named = isinstance(metadata, dict) and isinstance(metadata.get("name"), str)
    if not named or not isinstance(given.get("apiVersion"), str) or not isinstance(given.get("kind"), str):
        part.add(OPERATOR_SHAPE, at, "an object lacks apiVersion, kind or metadata.name")
    return given


def _mapping(part: Part, at: DocPath, given: Json, readers: Mapping[str, tuple[str, Reader]]) -> dict[str, Json]:
    """The fields that a mapping gives, by our names; with a finding for what is not known."""
    if not isinstance(given, dict):
        _fault(part, at, "a mapping", given)
        return {}
    found = {}
    for key, one in given.items():
        if key in readers:
            name, reader = readers[key]
            found[name] = reader(part, (*at, key), one)
        else:
            help_text = near(str(key), readers) or f"known keys: {', '.join(readers)}"
            part.add(OPERATOR_SHAPE, (*at, key), f"unknown key {key!r}", help_text, on_key=True)
    return found


def _run(part: Part, at: DocPath, given: Json) -> Json:
    return Run(**{"name": "", **_mapping(part, at, given, _RUN)})


def _webhooks(part: Part, at: DocPath, given: Json) -> Json:
    found = _mapping(part, at, given, _WEBHOOKS)
    for key in ("way", "files"):
        if isinstance(given, dict) and key not in given:
            part.add(OPERATOR_SHAPE, at, f"'webhooks' lacks {key!r}", on_key=True)
    if found.get("way") == "service" and "service" not in found:
        part.add(OPERATOR_SHAPE, at, "webhooks that are found by a service lack its name, 'service'", on_key=True)
    return Webhooks(**{"way": "url", "files": (), **found})


_TEXTS = _list(_text)
_STAND_IN = re.compile(r"[a-z_]+")
_RUN: Mapping[str, tuple[str, Reader]] = {
    "name": ("name", _like(_NAME, "name of a process")),
    "args": ("args", _TEXTS),
    "env": ("env", _map(_text)),
    "ready": ("ready", _like(_READY, "http address")),
    "standIn": ("stand_in", _like(_STAND_IN, "name of a stand-in")),
}
_WEBHOOKS: Mapping[str, tuple[str, Reader]] = {
    "way": ("way", _one_of("url", "service")),
    "files": ("files", _some(_text)),
    "service": ("service", _text),
    "secret": ("secret", _text),
    "names": ("names", _map(_text)),
    "selectors": ("selectors", _map(_any)),
    "without": ("left_out", _TEXTS),
}
_OPERATOR: Mapping[str, tuple[str, Reader]] = {
    "name": ("name", _like(_NAME, "name of an operator: small letters, digits and -")),
    "kinds": ("kinds", _TEXTS),
    "module": ("module", _text),
    "package": ("package", _text),
    "versions": ("versions", _some(_like(_VERSION, "version like v1.2.3"))),
    "replaces": ("replaces", _flag),
    "binary": ("binary", _text),
    "crds": ("crds", _TEXTS),
    "without": ("without", _TEXTS),
    "namespace": ("namespace", _like(_NAME, "name of a namespace")),
    "needs": ("needs", _TEXTS),
    "objects": ("objects", _list(_object)),
    "after": ("after", _TEXTS),
    "webhooks": ("webhooks", _webhooks),
    "files": ("files", _map(_text)),
    "run": ("run", _some(_run)),
    "fixedPorts": ("fixed_ports", _list(_port)),
    "standIns": ("stand_ins", _TEXTS),
}
