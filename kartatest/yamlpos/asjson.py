"""JSON that YAML readers choke on: escaped surrogate pairs, keys of more than 1,024 characters, DEL in a text."""

from __future__ import annotations

from kartatest.source import Json
from kartatest.yamlpos import scalars
from kartatest.yamlpos.build import MAX_DEPTH, MAX_NODES, Built


def document(text: str) -> Built | None:
    """The one JSON list or mapping that the text is, its only place being the whole; None when it is none.

    Numbers are read as in YAML. None as well for what nests too deeply or is too much.
    """
    stripped = text.lstrip("\ufeff \t\r\n")
    if not stripped.startswith(("{", "[")):
        return None
    import json

    built = Built()
    try:
        built.value = json.loads(stripped, parse_float=scalars.plain, parse_constant=_refused)
    except (ValueError, RecursionError):
        return None
    if not _bounded(built.value):
        return None
    built.places.kids[built.places.add(len(text) - len(stripped), len(text.rstrip()))] = {}
    return built


def _refused(word: str) -> Json:
    raise ValueError(f"{word} is no JSON")


def _bounded(value: Json) -> bool:
    level, nodes = [value], 0
    for _ in range(MAX_DEPTH):
        nodes += len(level)
        below = [v for v in level if isinstance(v, dict | list)]
        if not below or nodes > MAX_NODES:
            return nodes <= MAX_NODES
        level = [item for v in below for item in (v.values() if isinstance(v, dict) else v)]
    return False
