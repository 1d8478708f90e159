"""`@text`, `@json`, `@csv` and the other formats; tojson, tostring, fromjson."""

from __future__ import annotations

import codecs
from collections.abc import Callable
from typing import TypeAlias
from urllib.parse import quote

from kartatest.jq.budget import Meter
from kartatest.jq.builtins.registry import function
from kartatest.jq.operators import whole
from kartatest.jq.values import Written, fail, number_text, preview, text_of, to_float, to_json
from kartatest.source import Json


def _each_bad_byte(error: UnicodeError) -> tuple[str, int]:
    """Go puts one U+FFFD for each byte that is no UTF-8."""
    assert isinstance(error, UnicodeDecodeError)
    return "\ufffd", error.start + 1


codecs.register_error("kartatest-each-byte", _each_bad_byte)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "kartatest-each-byte")


_Show: TypeAlias = Callable[[Json, Meter], str]

_HTML = str.maketrans({"<": "&lt;", ">": "&gt;", "&": "&amp;", "'": "&apos;", '"': "&quot;"})
_TSV = str.maketrans({"\t": "\\t", "\r": "\\r", "\n": "\\n", "\\": "\\\\", "\0": "\\0"})
_BASE64 = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")


def _row(name: str, separator: str, escape: Callable[[str], str], null: str = "") -> _Show:
    def show(v: Json, meter: Meter) -> str:
        if not isinstance(v, list):
            raise fail(f"{name} takes an array, not {preview(v)}")
        meter.spend(1 + len(v) // 2)
        cells = []
        for x in v:
            if isinstance(x, (list, dict)):
                raise fail(f"{name} cannot hold {preview(x)}")
            cell = escape(meter.text(x)) if isinstance(x, str) else to_json(x)
            cells.append(null if cell == "null" and not isinstance(x, str) else cell)
        return separator.join(cells)

    return show


def _csv(text: str) -> str:
    return '"' + text.replace('"', '""').replace("\0", "\\0") + '"'


def _sh(text: str) -> str:
    return "'" + text.replace("'", "'\\''").replace("\0", "\\0") + "'"


_sh_row = _row("@sh", " ", _sh, "null")


def _base64(v: Json, meter: Meter) -> str:
    from base64 import b64encode

    return b64encode(text_of(v, meter).encode("utf-8", "replace")).decode("ascii")


def _base64d(v: Json, meter: Meter) -> str:
    from base64 import b64decode

    text = text_of(v, meter).partition("=")[0].replace("\r", "").replace("\n", "")
    if len(text) % 4 == 1 or not _BASE64.issuperset(text):
        raise fail(f"{preview(v)} is not base64")
    return _text(b64decode(text + "=" * (-len(text) % 4)))


def _uri(v: Json, meter: Meter) -> str:
    return quote(text_of(v, meter), safe="", errors="replace")


def _urid(v: Json, meter: Meter) -> str:
    parts = text_of(v, meter).encode("utf-8", "replace").split(b"%")
    meter.spend(1 + len(parts) // 4)
    found = [parts[0]]
    for part in parts[1:]:
        try:
            found.append(bytes([int(part[:2].decode("ascii"), 16)]) if len(part[:2].strip()) == 2 else b"?"[:0])
            if len(part[:2].strip()) != 2 or b"_" in part[:2] or part[:1] in b"+-":
                raise ValueError
        except ValueError:
            raise fail(f"{preview(v)} is not percent-encoded") from None
        found.append(part[2:])
    return _text(b"".join(found))


_FORMATS: dict[str, _Show] = {
    "@text": text_of,
    "@json": to_json,
    "@html": lambda v, meter: text_of(v, meter).translate(_HTML),
    "@uri": _uri,
    "@urid": _urid,
    "@csv": _row("@csv", ",", _csv),
    "@tsv": _row("@tsv", "\t", lambda text: text.translate(_TSV)),
    "@sh": lambda v, meter: _sh_row(v if isinstance(v, list) else [v], meter),
    "@base64": _base64,
    "@base64d": _base64d,
}


def format_function(name: str, meter: Meter) -> Callable[[Json], str]:
    """The function of a format, "@csv" or the like; an unknown one fails when it is run (gojq)."""
    show = _FORMATS.get(name)
    if show is None:

        def unknown(_v: Json) -> str:
            raise fail(f"there is no format {name}")

        return unknown

    def counted(v: Json) -> str:
        if isinstance(v, str) and name == "@text":
            return v
        return meter.text(show(v, meter))

    return counted


@function("format", 1)
def _format(meter: Meter, v: Json, name: Json) -> str:
    if not isinstance(name, str):
        raise fail(f"the name of a format is a string, not {preview(name)}")
    return format_function("@" + name, meter)(v)


@function("tojson")
def _tojson(meter: Meter, v: Json) -> str:
    return to_json(v, meter)


@function("tostring")
def _tostring(meter: Meter, v: Json) -> str:
    return text_of(v, meter)


def _float(text: str) -> float:
    number = Written(text)
    return float(number) if number_text(float(number)) == text else number


def _int(text: str) -> int | float:
    if len(text) > 4000:
        return to_float(float(text))
    number = int(text)
    return whole(number) if text != "-0" else Written("-0")


def _no_constant(text: str) -> Json:
    raise ValueError(f"{text} is not JSON")


@function("fromjson")
def _fromjson(meter: Meter, v: Json) -> Json:
    import json

    if not isinstance(v, str):
        raise fail(f"only a string can be read as JSON, not {preview(v)}")
    meter.build(8 * len(v))
    try:
        return json.loads(v, parse_float=_float, parse_int=_int, parse_constant=_no_constant)
    except ValueError:
        raise fail(f"{preview(v)} is not JSON") from None
