"""From bytes to text, with a finding instead of an exception where they are none."""

from __future__ import annotations

import codecs
from pathlib import Path

from kartatest.diagnostics import Diagnostic
from kartatest.errors import FileError
from kartatest.source import Source, Span
from kartatest.yamlpos.codes import NOT_TEXT, TOO_LARGE

MAX_CHARACTERS = 10_000_000
"""Length of a text that is read unless the caller says otherwise."""

_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"),
         (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))  # fmt: skip


def read(file: Path | str, *, name: str | None = None, limit: int = MAX_CHARACTERS) -> Source | Diagnostic:
    """The file's text, or why it is none (KT004) or too much (KT005).

    name is what the user calls the file, its path by default. Raises FileError when the file cannot be read.
    """
    path = Path(file)
    shown = name if name is not None else str(file)
    try:
        with path.open("rb") as stream:
            data = stream.read(4 * limit + 1)
    except OSError as error:
        raise FileError(f"cannot read {shown}: {(error.strerror or str(error)).lower()}") from None
    return decoded(data, shown, limit=limit)


def decoded(data: bytes, name: str, *, limit: int = MAX_CHARACTERS) -> Source | Diagnostic:
    """Bytes as text: UTF-8, or what a byte order mark says (the mark is dropped). A finding where they are neither."""
    encoding, skip = "utf-8", 0
    for mark, stated in _BOMS:
        if data.startswith(mark):
            encoding, skip = stated, len(mark) if stated == "utf-8" else 0
            break
    if len(data) > 4 * limit:
        return too_large(Source(name, ""), limit)
    try:
        text = data[skip:].decode(encoding)
    except UnicodeDecodeError as error:
        good = data[skip : skip + error.start].decode(encoding, "ignore")
        source = Source(name, data[skip:].decode(encoding, "replace"))
        help_text = "save the file as UTF-8"
        if b"\0" in data[:200]:
            help_text = "this looks like a binary file or UTF-16 text; save it as UTF-8"
        at = len(good)
        byte = data[skip + error.start]
        message = f"the byte 0x{byte:02x} is not {encoding.upper()} text"
        return _diagnostic(source, Span(at, min(at + 1, len(source.text))), message, help_text)
    source = Source(name, text)
    return too_large(source, limit) if len(text) > limit else source


def too_large(source: Source, limit: int) -> Diagnostic:
    """The finding for a text of more than limit characters."""
    c = TOO_LARGE
    return Diagnostic(
        c.code,
        c.name,
        c.severity,
        source,
        Span(0, 0),
        f"the file has more than {limit:,} characters",
        "split it into several files",
    )


def _diagnostic(source: Source, span: Span, message: str, help_text: str) -> Diagnostic:
    c = NOT_TEXT
    return Diagnostic(c.code, c.name, c.severity, source, span, message, help_text)
