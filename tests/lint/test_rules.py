"""Every rule on its examples: tests/lint/rules/<code>/ holds whole small definitions, found by their names.

bad*.yaml        gives exactly bad*.out, with all rules on
bad*.fixed.yaml  what all repairs, unsafe ones too, make of bad*.yaml
good*.yaml       gives nothing
<name>.recording.yaml, or a folder <name>.recordings: what is replayed through <name>.yaml for rules that need it
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from kartatest.definition.evidence import Evidence
from kartatest.lint import fix
from kartatest.lint.engine import lint
from kartatest.lint.rules import RULES
from kartatest.report import text
from kartatest.source import Source

RULES_FOLDER = Path(__file__).parent / "rules"
INPUTS = sorted(p for p in RULES_FOLDER.glob("KT*/*.yaml") if p.stem.startswith(("bad", "good")) and "." not in p.stem)
BAD = [p for p in INPUTS if p.stem.startswith("bad")]
GOOD = [p for p in INPUTS if p.stem.startswith("good")]


def name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def evidence(path: Path) -> Callable[..., Evidence] | None:
    """What the recordings beside an example show; None when there are none."""
    files = [path.with_suffix(".recording.yaml"), *sorted(path.with_suffix(".recordings").glob("*.yaml"))]
    files = [f for f in files if f.is_file()]
    if not files:
        return None
    from kartatest import replay
    from kartatest.recording.load import load

    recordings = []
    for file in files:
        loaded = load(Source(file.name, file.read_text("utf-8")))
        assert not loaded.diagnostics, file
        recordings += loaded.recordings
    return lambda item: replay.evidence(item.definition, recordings)


def expect(file: Path, actual: str, request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--karta-update", default=False):
        file.write_text(actual, "utf-8")
    assert file.is_file(), f"{file.name} is missing; write it with --karta-update and read it"
    assert actual == file.read_text("utf-8")


@pytest.mark.parametrize("path", BAD, ids=name)
def test_bad_example_gives_its_output(path: Path, request: pytest.FixtureRequest) -> None:
    source = Source(path.name, path.read_text("utf-8"))
    found = lint(source, evidence=evidence(path))
    expect(path.with_suffix(".out"), "\n".join(map(text.finding, found)), request)
    assert path.parent.name in {d.code for d in found}


@pytest.mark.parametrize("path", GOOD, ids=name)
def test_good_example_gives_nothing(path: Path) -> None:
    found = lint(Source(path.name, path.read_text("utf-8")), evidence=evidence(path))
    assert "\n".join(map(text.finding, found)) == ""


@pytest.mark.parametrize("path", BAD, ids=name)
def test_repairs_give_the_fixed_text_and_are_stable(path: Path, request: pytest.FixtureRequest) -> None:
    before = path.read_text("utf-8")
    done = fix.stable(Source(path.name, before), lambda s: lint(s, evidence=evidence(path)), unsafe=True)
    fixed = path.with_suffix(".fixed.yaml")
    if done.count == 0:
        assert not fixed.exists()
        return
    expect(fixed, done.source.text, request)
    assert not any(d.edits for d in done.left), "a repair that leaves its finding, or makes another"


@pytest.mark.parametrize("rule", [r for r in RULES if r.check], ids=lambda r: r.code)
def test_rule_has_examples(rule: object) -> None:
    folder = RULES_FOLDER / rule.code  # type: ignore[attr-defined]
    stems = {p.stem.split("-")[0] for p in INPUTS if p.parent == folder}
    assert stems == {"bad", "good"}, f"{folder} needs bad*.yaml and good*.yaml"


def test_codes_and_names_are_unique_and_in_order() -> None:
    codes = [r.code for r in RULES]
    assert codes == sorted(set(codes))
    assert len({r.name for r in RULES}) == len(RULES)


def test_no_example_without_a_rule() -> None:
    assert {p.name for p in RULES_FOLDER.iterdir()} <= {r.code for r in RULES}


def test_no_output_without_an_example() -> None:
    used = {p.with_suffix(s) for p in BAD for s in (".out", ".fixed.yaml")}
    assert {p for p in RULES_FOLDER.glob("*/*") if p.name.endswith((".out", ".fixed.yaml"))} <= used
