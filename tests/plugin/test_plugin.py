"""The plugin in small pytest runs of their own."""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

# Runs in this process forget the modules that they import. What is here beforehand stays, which is quicker, and needed
# for PyYAML: its compiled part cannot be imported twice.
for module in ("yaml", "kartatest.golden", "kartatest.lint.engine", "kartatest.recording", "kartatest.replay", "jq"):
    import_module(module)

RIG = Path(__file__).parents[1] / "rig"
DEF = "--karta-def=trainrig.yaml"


@pytest.fixture
def rig(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    monkeypatch.delenv("CI", raising=False)
    shutil.copy(RIG / "trainrig.yaml", pytester.path)
    shutil.copytree(RIG / "fixtures", pytester.path / "fixtures")
    return pytester


def ids(result: pytest.RunResult) -> list[str]:
    return [line for line in result.outlines if "::" in line]


def test_items_and_their_node_ids(rig: pytest.Pytester) -> None:
    assert ids(rig.runpytest("--collect-only", "-q", DEF)) == [
        "trainrig.yaml::schema",
        "trainrig.yaml::lint",
        "trainrig.yaml::expressions",
        "trainrig.yaml::edits",
        "trainrig.yaml::v1.2.0-completed::frame[0]",
        "trainrig.yaml::v1.2.0-completed::frame[1]",
        "trainrig.yaml::v1.2.0-completed::frame[2]",
        "trainrig.yaml::v1.2.0-completed::tree",
        "trainrig.yaml::v1.2.0-completed::pods",
    ]
    one = "trainrig.yaml::v1.2.0-completed::frame[1]"
    assert ids(rig.runpytest("--collect-only", "-q", DEF, one)) == [one]
    assert ids(rig.runpytest("--collect-only", "-q", one)) == [one]
    assert len(ids(rig.runpytest("--collect-only", "-q", DEF, "-k", "completed and frame"))) == 3


def test_a_good_definition_passes(rig: pytest.Pytester) -> None:
    rig.makepyfile(test_mine="def test_mine(): pass")
    rig.runpytest(DEF).assert_outcomes(passed=10, warnings=rig_warnings(rig))


def rig_warnings(rig: pytest.Pytester) -> int:
    from kartatest.pytest_plugin.checks import lint
    from kartatest.pytest_plugin.state import State

    file = rig.path / "trainrig.yaml"
    state = State((file,), rig.path)
    item = state.loaded(file).items[0]
    return len(lint(file, item, state.recordings(file, item.definition))[0])


def test_settings_of_the_project_hold(rig: pytest.Pytester) -> None:
    (rig.path / "fixtures").rename(rig.path / "flows")
    rig.makepyprojecttoml('[tool.karta]\nselect = ["KT225"]\nfail-on = "warning"\nfixtures = "flows"\n')
    result = rig.runpytest(DEF)
    result.assert_outcomes(passed=8, failed=1)
    result.stdout.fnmatch_lines(["trainrig.yaml:28:*KT225*"])


def test_the_definition_joins_what_is_collected_anyway(rig: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    rig.makepyfile(test_mine="def test_mine(): pass", test_other="def test_other(): pass")
    (rig.path / "sub").mkdir()
    assert len(ids(rig.runpytest("--collect-only", "-q", DEF))) == 11
    assert len(ids(rig.runpytest("--collect-only", "-q", DEF, "."))) == 11
    assert len(ids(rig.runpytest("--collect-only", "-q", DEF, "test_mine.py"))) == 10
    rig.makeini(f"[pytest]\naddopts = {DEF}\ntestpaths = test_mine.py\n")
    assert len(ids(rig.runpytest("--collect-only", "-q"))) == 10
    monkeypatch.chdir(rig.path / "sub")
    assert len(ids(rig.runpytest("--collect-only", "-q"))) == 9  # paths of the settings hold from below too
    monkeypatch.chdir(rig.path)
    assert len(ids(rig.runpytest("--collect-only", "-q", "test_other.py"))) == 1


def test_without_a_definition_yaml_files_are_left_alone(rig: pytest.Pytester) -> None:
    result = rig.runpytest("--collect-only", "-q")
    assert ids(result) == []
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_failures_say_why(rig: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(RIG / "broken.yaml", rig.path / "fixtures" / "v1.2.0-broken.yaml")
    monkeypatch.setenv("COLUMNS", "120")
    result = rig.runpytest(DEF, "-k", "broken")
    result.assert_outcomes(failed=4, passed=1, deselected=9)  # three frames and the golden; frame 2 expects nothing
    result.stdout.fnmatch_lines(
        [
            "expected Running, read Undefined",
            "frame 0 of v1.2.0-broken in fixtures/v1.2.0-broken.yaml:5",
            "note: the controller says Up before the pods are counted",
            "Running does not hold:",
            "  nearest is statusMappings.running[[]0]: 2 of 3 parts hold; `Available` is absent",
            '    fails: condition `Available` should have status "True"; `Available` is absent',
            "  trainrig.yaml:20",
            "  20 | - byConditions:",
            "frame 1 of v1.2.0-broken in *",
            "Failed does not hold:",
            "Running holds by statusMappings.running[[]0]:",
            "expected Running, read nothing, for an expression fails",
            "frame 3 of v1.2.0-broken in *:19",
            "there is no golden fixtures/v1.2.0-broken.golden",
            "FAILED trainrig.yaml::v1.2.0-broken::frame[[]0] - expected Running, read Undefined",
        ]
    )
    result.stdout.no_fnmatch_line("*Traceback*")
    result.stdout.no_fnmatch_line("*items.py*")


def test_what_is_wrong_with_files_fails(rig: pytest.Pytester) -> None:
    (rig.path / "fixtures" / "v3.yaml").write_text("frames:\n- {object: {apiVersion: v1, kind: X}, expects: []}\n")
    text = (rig.path / "trainrig.yaml").read_text("utf-8")
    (rig.path / "trainrig.yaml").write_text(text.replace("ownerRef: trainrig", "ownerRef: trainrigg"), "utf-8")
    result = rig.runpytest(DEF, "-k", "schema or lint or load")
    result.stdout.fnmatch_lines(["*unknown key 'expects'*", "*did you mean 'expect'?*"])
    result.stdout.fnmatch_lines(["*trainrigg*"])
    assert result.parseoutcomes()["failed"] >= 2
    (rig.path / "trainrig.yaml").write_text("kind: Karta\napiVersion: run.ai/v1alpha1\nspec: [1\n", "utf-8")
    result = rig.runpytest(DEF)
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["trainrig.yaml:*error*KT001*"])


def test_update_and_prune(rig: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    golden = rig.path / "fixtures" / "v1.2.0-completed.golden"
    stale = rig.path / "fixtures" / "v0-old.golden"
    right = golden.read_text("utf-8")
    golden.write_text("", "utf-8")
    stale.write_text("", "utf-8")
    rig.runpytest(DEF, "-k", "schema", "--karta-update").assert_outcomes(passed=1, deselected=8)
    assert golden.read_text("utf-8") == ""  # only goldens of items that ran
    monkeypatch.setenv("CI", "true")
    assert rig.runpytest(DEF, "--karta-update").ret == pytest.ExitCode.USAGE_ERROR
    monkeypatch.delenv("CI")
    result = rig.runpytest(DEF, "-k", "tree", "--karta-update", "--karta-prune")
    assert golden.read_text("utf-8") == right
    assert not stale.exists()
    result.stdout.fnmatch_lines(["removed *v0-old.golden, which has no recording"])


def test_coverage_by_recordings(rig: pytest.Pytester) -> None:
    assert rig.runpytest(DEF, "-k", "schema", "--karta-fail-under-coverage=80").ret == pytest.ExitCode.OK
    result = rig.runpytest(DEF, "-k", "schema", "--karta-fail-under-coverage=95")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        ["*recordings reach 8 of 9 expressions and matchers, 89%, less than 95%", "*never reached: *failed[[]0]"]
    )


def test_no_recordings(rig: pytest.Pytester) -> None:
    shutil.rmtree(rig.path / "fixtures")
    result = rig.runpytest(DEF)
    assert result.parseoutcomes()["passed"] == 2
    result.stdout.fnmatch_lines(["*KartaWarning: trainrig.yaml: there are no recordings*", "*kind: Karta"])


def test_recordings_are_found_beside_and_where_they_are_said_to_be(rig: pytest.Pytester) -> None:
    shutil.move(rig.path / "fixtures", rig.path / "elsewhere")
    assert len(ids(rig.runpytest("--collect-only", "-q", DEF))) == 2
    assert len(ids(rig.runpytest("--collect-only", "-q", DEF, "--karta-fixtures=elsewhere"))) == 9
    shutil.copy(rig.path / "elsewhere" / "v1.2.0-completed.yaml", rig.path)
    assert len(ids(rig.runpytest("--collect-only", "-q", DEF))) == 9
    assert rig.runpytest(DEF, "--karta-fixtures=gone").ret == pytest.ExitCode.USAGE_ERROR
    assert rig.runpytest("--karta-def=gone.yaml").ret == pytest.ExitCode.USAGE_ERROR


def test_files_beside_the_definition_may_be_anything(rig: pytest.Pytester) -> None:
    (rig.path / "chart.yaml").write_text("kind: TrainRig\n{{ if x }}\n", "utf-8")
    (rig.path / "notes.json").write_bytes(b"\xff TrainRig")
    (rig.path / "other.yaml").write_text("frames: []\n", "utf-8")  # names no kind of this definition
    assert len(ids(rig.runpytest("--collect-only", "-q", DEF))) == 9
    (rig.path / "flow.yaml").write_text("frames: [{objct: {kind: TrainRig}}]\n", "utf-8")
    assert "trainrig.yaml::load[flow.yaml]" in ids(rig.runpytest("--collect-only", "-q", DEF))


def test_several_definitions_in_a_file(rig: pytest.Pytester) -> None:
    text = (rig.path / "trainrig.yaml").read_text("utf-8")
    other = text.replace("demo-io-trainrig-v1", "second").replace("kind: TrainRig", "kind: OtherRig")
    (rig.path / "trainrig.yaml").write_text(f"{text}---\n{other}", "utf-8")
    found = ids(rig.runpytest("--collect-only", "-q", DEF))
    assert "trainrig.yaml::demo-io-trainrig-v1::v1.2.0-completed::frame[0]" in found
    assert [i for i in found if "::second::" in i] == ["trainrig.yaml::second::lint"]


def test_workers_share_the_items(rig: pytest.Pytester) -> None:
    pytest.importorskip("xdist")
    (rig.path / "fixtures" / "v1.2.0-completed.golden").unlink()
    result = rig.runpytest_subprocess(DEF, "-n2", "--karta-update", "-p", "no:hypothesispytest")
    assert result.parseoutcomes()["passed"] == 9
    assert (rig.path / "fixtures" / "v1.2.0-completed.golden").exists()


def test_fixtures(rig: pytest.Pytester) -> None:
    rig.makepyfile(
        """
        import pytest
        from kartatest.errors import FileError, NothingFoundError

        def test_reads(karta_definition, karta_resolve, karta_recording):
            definition = karta_definition("trainrig.yaml")
            frames = karta_recording("fixtures/v1.2.0-completed.yaml").frames
            by_definition = karta_resolve(frames[0].obj, definition)
            assert [s.value for s in by_definition.statuses] == ["Initializing"]
            assert karta_resolve(frames[0].obj, "trainrig.yaml").statuses == by_definition.statuses
            with pytest.raises(FileError):
                karta_definition("gone.yaml")

        def test_the_one_of_the_run(request, karta_definition):
            if request.config.option.karta_def:
                assert karta_definition().name == "demo-io-trainrig-v1"
            else:
                with pytest.raises(NothingFoundError):
                    karta_definition()
        """
    )
    rig.runpytest("-k", "test_fixtures").assert_outcomes(passed=2)
    rig.runpytest("-k", "test_fixtures", DEF).assert_outcomes(passed=2, deselected=9)


def test_importing_the_plugin_is_cheap() -> None:
    program = (
        "import sys, pytest\n"
        "before = set(sys.modules)\n"
        "import kartatest.pytest_plugin\n"
        "print(*sorted(m for m in set(sys.modules) - before))"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert set(found) == {"kartatest", "kartatest.pytest_plugin"}


def test_edits_that_cannot_be_made_fail(rig: pytest.Pytester) -> None:
    file = rig.path / "trainrig.yaml"
    text = file.read_text("utf-8")
    indent = text[: text.index("statusDefinition")].rpartition("\n")[2]
    actions = [
        "suspendDefinition:",
        '  suspendActions: [{path: ".spec.nobody[0].suspend", value: "true"}]',
        '  resumeActions: [{path: .spec.suspend, value: "false"}]',
    ]
    file.write_text(text.replace("statusDefinition", f"\n{indent}".join([*actions, "statusDefinition"]), 1), "utf-8")
    result = rig.runpytest(DEF, "-k", "edits")
    result.assert_outcomes(failed=1, deselected=8)
    result.stdout.fnmatch_lines(
        ["frame 0 of v1.2.0-completed, and 2 more: *suspend action 1: `.spec.nobody` is absent, so it has no entry*"]
    )
