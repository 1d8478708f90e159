"""JSON text in a definition: the value of a suspend or resume action."""

from __future__ import annotations

import json
import re

from kartatest.source import Json

_HALF = re.compile("[\ud800-\udfff]")


def decoded(text: str) -> Json:
    """The value, integers exact. Raises ValueError where the text is none, or no value that can be written (Q51).

    Beside wrong JSON that is NaN and Infinity, which Python reads and Go does not, a number past the largest float,
    half of a surrogate pair, and what nests too deeply.
    """
    try:
        value = json.loads(text, parse_constant=_refused, parse_float=_finite)
    except RecursionError:
        raise ValueError("it nests too deeply") from None
    if "\\u" in text and _HALF.search(json.dumps(value, ensure_ascii=False)):
        raise ValueError("it holds half of a surrogate pair")
    return value


def _refused(word: str) -> Json:
    raise ValueError(f"{word} is no JSON")


def _finite(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise ValueError(f"{text} is past the largest number")
    return number
