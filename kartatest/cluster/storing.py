"""What an API server makes of an object of a CRD before it stores it: names dropped, defaults filled in, refusals."""

from __future__ import annotations

from collections.abc import Mapping

from kartatest.cluster.model import ApiError
from kartatest.schema.fit import Fault, Misfit, misfits
from kartatest.schema.model import ANY, Base, Schema, Type
from kartatest.source import Json, dotted

_AS_WRITTEN = ("apiVersion", "kind", "metadata")


def stored(schema: Schema, obj: Mapping[str, Json]) -> dict[str, Json]:
    """The object as it would be stored, metadata as it is. Raises ApiError (422, "Invalid") as the server would.

    Patterns, formats and CEL are not looked at, so more is stored than by a real server, never less.
    """
    rest = {name: value for name, value in obj.items() if name not in _AS_WRITTEN}
    kept: dict[str, Json] = {name: obj[name] for name in _AS_WRITTEN if name in obj} | _fitted(schema.root, rest)
    causes = tuple(
        [
            _cause(wrong)
            for wrong in misfits(schema.root, kept)
            if wrong.at[:1] != ("metadata",) and wrong.fault is not Fault.UNKNOWN
        ]
    )
    if causes:
        name = (obj.get("metadata") or {}).get("name", "")
        told = "; ".join(f"{field}: {message}" for field, message in causes)
        raise ApiError(f"{schema.kind} {name!r} is invalid: {told}", code=422, reason="Invalid", causes=causes)
    return kept


def _cause(wrong: Misfit) -> tuple[str, str]:
    """In a server's words, which names the field that is missing, not the object that misses it."""
    if wrong.fault is Fault.MISSING:
        return dotted((*wrong.at, wrong.message.split("'")[1])), "Required value"
    return dotted(wrong.at), wrong.message


def _fitted(found: Type, value: Json) -> Json:
    if found.base is Base.ANY:
        return value
    if isinstance(value, dict):
        kept = {}
        for name, kid in value.items():
            kind = found.field(name) or (ANY if found.open else None)
            if kind is None or (kid is None and not kind.nullable and kind.base is not Base.ANY):
                continue  # unknown; or a null that cannot be stored, which counts as left out
            kept[name] = _fitted(kind, kid)
        for name, kind in found.fields.items():
            if name not in kept and kind.default:
                kept[name] = _fitted(kind, kind.default[0])
        return kept
    if isinstance(value, list) and found.items is not None:
        return [_fitted(found.items, entry) for entry in value]
    return value
