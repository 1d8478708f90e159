"""Laws of linting, on examples with something broken: never an exception, places inside the text, repairs that mend."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from kartatest.lint import fix
from kartatest.lint.engine import in_order, lint
from kartatest.report import REPORTERS
from kartatest.source import Source

EXAMPLES = [p.read_text("utf-8") for p in sorted((Path(__file__).parent / "rules").glob("KT*/*.yaml"))]
BITS = (
    "# karta: ignore[KT103] x", "#karta: ignore[KT9", "# karta ignore KT101", "|", "&a ", "*a", "<<: *a", "\n", "  ",
    "'", '"', "{", "}", "[", "]", ": ", "- ", "\t", "\r\n", "\u2028", "\x85", "😀", "| ", ".a[]", "---\n", "...\n",
    "!!str ", "%YAML 1.2\n", "\x00", "null", "1.0", "~", "#",
)  # fmt: skip


@st.composite
def broken(draw: st.DrawFn) -> str:
    """An example with characters put in, taken out, or lines exchanged."""
    text = draw(st.sampled_from(EXAMPLES))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(text)))
        what = draw(st.integers(0, 2))
        if what == 0:
            text = text[:at] + draw(st.sampled_from(BITS)) + text[at:]
        elif what == 1:
            text = text[:at] + text[at + draw(st.integers(1, 12)) :]
        else:
            lines = text.split("\n")
            a, b = (draw(st.integers(0, len(lines) - 1)) for _ in range(2))
            lines[a], lines[b] = lines[b], lines[a]
            text = "\n".join(lines)
    return text


@given(broken())
@settings(max_examples=300)
def test_any_text_is_checked_reported_and_mended(text: str) -> None:
    source = Source("x.yaml", text)
    found = lint(source)
    assert in_order(found) == found
    for d in found:
        assert 0 <= d.span.start <= d.span.end <= len(text)
        assert all(0 <= e.span.start <= e.span.end <= len(text) for e in d.edits)
        assert d.message
        assert not d.message.endswith(".")
    for reporter in REPORTERS.values():
        reporter(found)
    done = fix.stable(source, lint, unsafe=True)
    assert fix.stable(done.source, lint, unsafe=True).count == 0
    if not any(d.code == "KT001" for d in found):
        assert not any(d.code == "KT001" for d in done.left)


@given(st.sampled_from(EXAMPLES), st.integers(0, 3))
@settings(max_examples=100)
def test_every_finding_can_be_silenced_by_its_code(text: str, seed: int) -> None:
    found = [d for d in lint(Source("x.yaml", text)) if not d.code.startswith(("KT00", "KT90"))]
    if not found:
        return
    code = found[seed % len(found)].code
    silenced = f"{text.rstrip()}\n# karta: ignore-file[{code}] a law\n"
    assert code not in {d.code for d in lint(Source("x.yaml", silenced))}
