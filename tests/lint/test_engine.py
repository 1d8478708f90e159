"""The engine: nothing hidden, nothing twice, the right places, our own faults with a note."""

from __future__ import annotations

from pathlib import Path

import pytest

from kartatest.definition.evidence import Evidence, FrameEvidence
from kartatest.diagnostics import Severity
from kartatest.errors import UsageError
from kartatest.lint import docs
from kartatest.lint.config import Config, find, parsed
from kartatest.lint.engine import in_order, lint, linted
from kartatest.lint.rule import Finding, LintContext, Rule, closest
from kartatest.lint.rules import RULES
from kartatest.lint.select import codes, selected
from kartatest.source import Source

ROOT = Path(__file__).parents[2]
GOOD = (ROOT / "tests/lint/rules/KT103/good.yaml").read_text("utf-8")


def test_one_fault_does_not_hide_the_next() -> None:
    text = GOOD
    for before, after in (
        ("ownerRef: trainer", "ownerRef: nobody"),
        ("podTemplateSpecPath: .spec.leader", "podTemplateSpecPath: .spec.("),
        ("byPhase: Running", "byPhase: 1"),
        ("name: example-com-trainer-v1", "name: other"),
    ):
        text = text.replace(before, after)
    found = [d.code for d in lint(Source("x.yaml", text))]
    assert {"KT002", "KT010", "KT103", "KT113"} <= set(found)
    assert found.count("KT103") == 2


def test_findings_are_sorted_and_said_once() -> None:
    twice = list(lint(Source("x.yaml", GOOD.replace("ownerRef: trainer", "ownerRef: nobody"))))
    assert list(in_order([*reversed(twice), *twice])) == twice
    assert [d.sort_key for d in twice] == sorted(d.sort_key for d in twice)


def test_a_rule_that_raises_goes_up_with_its_name() -> None:
    def check(ctx: LintContext) -> list[Finding]:
        raise ZeroDivisionError

    rule = Rule("KT199", "x", Severity.ERROR, "s", "w", "s", check)
    with pytest.raises(ZeroDivisionError) as caught:
        lint(Source("x.yaml", GOOD), rules=[rule])
    assert caught.value.__notes__ == ["while running KT199 on x.yaml, document 0"]


def test_places() -> None:
    def check(ctx: LintContext) -> list[Finding]:
        at = (*ctx.definition.root.at, "statusDefinition", "phaseDefinition", "path")
        from kartatest.source import Span

        return [Finding(at, "step", within=Span(1, 7)), Finding(at, "key", on_key=True), Finding((*at, "x", 1), "near")]

    found = lint(Source("x.yaml", GOOD), rules=[Rule("KT199", "x", Severity.ERROR, "s", "w", "s", check)])
    marked = {d.message: GOOD[d.span.start : d.span.end] for d in found}
    assert marked == {"step": "status", "key": "path", "near": ".status.phase"}


def test_syntax_errors_are_placed_in_every_style() -> None:
    for written in (".a | )", "'.a | )'", '".a | )"', "|-\n            .a | )", ">-\n            .a |\n            )"):
        text = GOOD.replace("path: .status.phase", f"path: {written}")
        (found,) = lint(Source("x.yaml", text))
        assert (found.code, text[found.span.start : found.span.end]) == ("KT002", ")"), written


def test_what_comes_in_through_aliases_is_said_once() -> None:
    text = GOOD.replace("podTemplateSpecPath: .spec.leader.template", "podTemplateSpecPath: &x .spec | )")
    text = text.replace("podTemplateSpecPath: .spec.worker.template", "podTemplateSpecPath: *x")
    found = [d for d in lint(Source("x.yaml", text)) if d.code == "KT002"]
    assert [text[d.span.start : d.span.end] for d in found] == [")"]


def test_empty_and_foreign_texts() -> None:
    assert [d.code for d in lint(Source("x", ""))] == ["KT006"]
    assert [d.code for d in lint(Source("x", "a: 1"))] == ["KT007"]
    assert linted(Source("x", ""), rules=()).items == ()


def test_evidence_is_asked_for_each_definition_and_handed_to_rules() -> None:
    frame = FrameEvidence("r", 0, ("Running",), None, None, (), {}, {}, ())
    seen: list[int] = []

    def check(ctx: LintContext) -> list[Finding]:
        seen.append(len(ctx.evidence.frames))
        return []

    rule = Rule("KT799", "x", Severity.ERROR, "s", "w", "s", check)
    lint(Source("x.yaml", f"{GOOD}---\n{GOOD}"), rules=[rule], evidence=lambda item: Evidence((frame,)))
    assert seen == [1, 1]


def test_kinds_of_files_before_are_known() -> None:
    first = linted(Source("a.yaml", GOOD))
    second = linted(Source("b.yaml", GOOD), taken=dict.fromkeys(first.kinds, "a.yaml"))
    assert [(d.code, "a.yaml" in d.message) for d in second.found] == [("KT120", True)]


@pytest.mark.parametrize(
    ("select", "ignore", "has", "lacks"),
    [
        (["ALL"], [], "KT103", None),
        (["ALL"], ["KT1"], "KT002", "KT103"),
        (["KT1"], [], "KT103", "KT002"),
        (["KT103"], ["KT1"], "KT103", "KT104"),
        (["KT1"], ["KT103"], "KT104", "KT103"),
        (["KT103"], ["KT103"], None, "KT103"),
        (["unknown-owner"], ["KT1"], "KT103", "KT104"),
        (["all"], ["unknown-owner"], "KT104", "KT103"),
        (["ALL"], ["ALL"], None, "KT103"),
    ],
)
def test_the_closer_word_decides(select: list[str], ignore: list[str], has: str | None, lacks: str | None) -> None:
    chosen = {r.code for r in selected(select, ignore)}
    assert has is None or has in chosen
    assert lacks not in chosen


def test_unknown_words_are_refused() -> None:
    with pytest.raises(UsageError, match="did you mean 'unknown-owner'"):
        codes("unknown-ower")
    with pytest.raises(UsageError, match="no rule is called 'KT888'"):
        selected(["KT888"])


def test_settings_are_found_upwards(tmp_path: Path) -> None:
    find.cache_clear()
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text('[tool.karta]\nignore = ["KT1"]\nfail-on = "warning"\n')
    (tmp_path / "a" / "pyproject.toml").write_text("[tool.other]\n")
    config = find(below)
    assert (config.ignore, config.fail_on, config.file) == (("KT1",), Severity.WARNING, tmp_path / "pyproject.toml")
    find.cache_clear()
    (tmp_path / "a" / "karta.toml").write_text('fixtures = "rec"\n[per-file-ignores]\n"old/*" = ["KT9"]\n')
    config = find(below)
    assert (config.ignore, config.fixtures) == ((), tmp_path / "a" / "rec")
    assert config.ignored_in(tmp_path / "a" / "old" / "x.yaml") == ("KT9",)
    assert config.ignored_in(tmp_path / "a" / "new" / "x.yaml") == ()
    assert config.ignored_in(tmp_path / "elsewhere.yaml") == ()
    find.cache_clear()


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"selct": []}, "unknown key 'selct'; did you mean 'select'?"),
        ({"select": "KT1"}, "'select' must be a list"),
        ({"ignore": ["KT8"]}, "no rule is called 'KT8'"),
        ({"fail-on": "eror"}, "no severity is called 'eror'; did you mean 'error'?"),
        ({"fixtures": 1}, "'fixtures' must be a string"),
        ({"per-file-ignores": ["x"]}, "must be a table"),
    ],
)
def test_wrong_settings_are_refused(table: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        parsed(Path("karta.toml"), table)
    assert str(caught.value).startswith("karta.toml: ")
    assert message in str(caught.value)


def test_defaults() -> None:
    assert Config() == Config(None, ("ALL",), (), (), None, Severity.ERROR, ())


def test_closest_is_sure_or_silent() -> None:
    assert closest("workr", ["worker", "leader"]) == "worker"
    assert closest("group-c", ["group-a", "group-b"]) is None
    assert closest("x", ["worker"]) is None
    assert closest("x", []) is None


def test_pages_are_what_the_rules_say() -> None:
    wanted = docs.pages(ROOT / "tests" / "lint" / "rules")
    there = {p.name: p.read_text("utf-8") for p in (ROOT / "docs" / "rules").glob("*.md")}
    assert there.keys() == wanted.keys(), "run python -m kartatest.lint.docs"
    assert not [name for name in wanted if there[name] != wanted[name]], "run python -m kartatest.lint.docs"


def test_every_family_has_a_title() -> None:
    assert {r.family for r in RULES} <= docs.FAMILIES.keys()
