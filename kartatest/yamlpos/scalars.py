"""What a YAML scalar means to Kubernetes, and how to write a text so that it stays one.

Kubernetes reads YAML as sigs.k8s.io/yaml does (probed: v1.6.0 with go.yaml.in/yaml/v2 2.4.2): YAML 1.1 without
dates and base 60, then JSON, where a number without a fraction is an integer.
"""

from __future__ import annotations

import math
import re
from typing import Final

from kartatest.source import Json

_WORDS: Final[dict[str, Json]] = {
    **{w: True for word in ("y", "yes", "on", "true") for w in (word, word.capitalize(), word.upper())},
    **{w: False for word in ("n", "no", "off", "false") for w in (word, word.capitalize(), word.upper())},
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), math.nan),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), math.inf),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), -math.inf),
}
_HINTS: Final = frozenset("+-0123456789.~nNtTfFyYoO")
_INT: Final = re.compile(r"[+-]?(?:0[xX](?P<hex>[0-9a-fA-F]+)|0[bB](?P<bin>[01]+)|0[oO]?(?P<oct>[0-7]+)|[1-9][0-9]*|0)")
_FLOAT: Final = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_STRAY: Final = re.compile(r"(?<![0-9])_|_(?![0-9])")
_TAG: Final = "tag:yaml.org,2002:"


class ScalarError(ValueError):
    """The tag and the text of a scalar do not go together, or the tag is not known."""


def plain(text: str) -> Json:
    """The value of an unquoted scalar: None, bool, int, float or the text itself. NaN and infinities included."""
    if not text:
        return None
    if text[0] not in _HINTS:
        return text
    if text in _WORDS:
        return _WORDS[text]
    return _number(text) if text[0] in "+-.0123456789" else text


def _number(text: str) -> Json:
    if text[0] == "." and _STRAY.search(text):
        return text
    digits = text.replace("_", "")
    if match := _INT.fullmatch(digits):
        negative = digits[0] == "-"
        kind = match.lastgroup
        base = {"hex": 16, "bin": 2, "oct": 8}.get(kind or "", 10)
        size = len(match[kind]) if kind else len(digits)
        if size <= 64:  # longer ones are out of range whatever they are; int() of very long text costs time
            number = int(match[kind], base) if kind else abs(int(digits))
            if number < 2**63 or (number == 2**63 and negative) or (number < 2**64 and digits[0] not in "+-"):
                return -number if negative else number
    if _FLOAT.fullmatch(digits):
        return _json_number(float(digits), text)
    return text


def _json_number(number: float, text: str) -> Json:
    """Integral floats become integers, as JSON text has it; what a float cannot hold stays text."""
    if math.isinf(number):
        return text
    return int(number) if number.is_integer() and abs(number) < 2**63 else number


def tagged(tag: str, text: str) -> Json:
    """The value of a scalar with a tag. Raises ScalarError for tags that do not fit or are not known."""
    if tag == "!" or tag == _TAG + "str" or tag == _TAG + "timestamp":
        return text
    if tag == _TAG + "binary":
        import base64

        try:
            return base64.b64decode("".join(text.split()), validate=True).decode("utf-8", "replace")
        except ValueError:
            raise ScalarError("the text behind '!!binary' is not base64") from None
    value = plain(text)
    fits = {
        "int": isinstance(value, int) and _INT.fullmatch(text.replace("_", "")) is not None,
        "float": isinstance(value, int | float) and not isinstance(value, bool),
        "bool": isinstance(value, bool),
        "null": value is None,
    }
    word = tag.removeprefix(_TAG)
    if word not in fits:
        raise ScalarError(f"the tag {shown_tag(tag)[:80]!r} means nothing here")
    if not fits[word]:
        raise ScalarError(f"{text[:80]!r} is not what its tag {shown_tag(tag)!r} says")
    return value


def shown_tag(tag: str) -> str:
    """A tag as people write it: "!!int" for the long form."""
    return "!!" + tag.removeprefix(_TAG) if tag.startswith(_TAG) else tag


def key_text(value: Json, text: str) -> str:
    """The JSON key for a YAML key that was read as value: text for booleans and numbers as Kubernetes writes them."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and not math.isfinite(value):
        return text
    return str(value)


_BARE: Final = re.compile(r"[A-Za-z_./$(](?:[^\s:#{}\[\],&*!|>'\"%@`]| (?=\S)|:(?=[^\s{}\[\],]))*")


def quote(text: str, *, flow: bool = False) -> str:
    """A YAML scalar on one line that every reader takes for exactly this text; bare where that is certain.

    Otherwise in double quotes, or in single ones where double quotes or backslashes would need escapes. flow: it is
    to stand in brackets or braces.
    """
    if _BARE.fullmatch(text) and text.isprintable() and isinstance(plain(text), str) and not (flow and ":" in text):
        return text
    if all(c.isprintable() for c in text):
        return "'" + text.replace("'", "''") + "'" if set(text) & set('"\\') else f'"{text}"'
    return '"' + "".join(_escaped(c) for c in text) + '"'


_ESCAPES: Final = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r", "\0": "\\0"}


def _escaped(char: str) -> str:
    if char in _ESCAPES or char.isprintable():
        return _ESCAPES.get(char, char)
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
