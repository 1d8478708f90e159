"""What the README and the guides show is what karta prints. `pytest --karta-update` writes the outputs anew."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

import kartatest
from kartatest.cli import group, main

ROOT = Path(__file__).parents[2]
SHOWN = re.compile(r"(<!-- output of: karta (?P<call>.+?) -->\n```\w*\n)(?P<text>.*?)(```\n<!-- end -->)", re.S)
PAGES = [ROOT / "README.md", ROOT / "docs" / "library.md", *sorted((ROOT / "docs" / "guide").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_shown_outputs_are_real(
    page: Path,
    tmp_path: Path,
    pytestconfig: pytest.Config,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    text = page.read_text("utf-8")

    def real(match: re.Match[str]) -> str:
        capsys.readouterr()
        main(shlex.split(match["call"]))
        printed = "".join(line.rstrip() + "\n" for line in capsys.readouterr().out.splitlines())
        return f"{match[1]}{printed}{match[4]}"

    fresh = SHOWN.sub(real, text)
    if pytestconfig.getoption("--karta-update", default=False):
        page.write_text(fresh, "utf-8")
    assert page.read_text("utf-8") == fresh


def test_readme_shows_outputs() -> None:
    assert SHOWN.search((ROOT / "README.md").read_text("utf-8"))


def test_the_python_of_the_readme_does_what_it_says(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.S)
    exec(compile(code, "README.md", "exec"), {})
    said = re.findall(r"^print\(.*\)  # (.*)$", code, re.M)
    assert said == capsys.readouterr().out.splitlines()


@pytest.mark.parametrize("name", kartatest.__all__)
def test_what_the_package_lists_is_there(name: str) -> None:
    assert getattr(kartatest, name) is not None
    assert name in dir(kartatest)


OTHERS = {"--output-watch-events", "--kind-bin"}  # of kubectl; of pytest-kind, which is not always there


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_every_option_that_is_spoken_of_exists(page: Path, pytestconfig: pytest.Config) -> None:
    context = click.Context(group)
    commands = [group.get_command(context, name) for name in group.list_commands(context)]
    known = {"--help", *OTHERS, *(f"--{name.replace('_', '-')}" for name in vars(pytestconfig.option))}
    waiting = [command for command in commands if command is not None]
    while waiting:
        command = waiting.pop()
        known |= {word for p in command.params for word in (*p.opts, *p.secondary_opts)}
        if isinstance(command, click.Group):
            waiting += command.commands.values()
    spoken = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", page.read_text("utf-8")))
    assert spoken - known == set()


def test_every_relative_link_leads_somewhere() -> None:
    broken = [
        f"{page.relative_to(ROOT)}: {target}"
        for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text("utf-8"))
        if "://" not in target and not (page.parent / target).exists()
    ]
    assert not broken


def test_no_help_breaks_off() -> None:
    context = click.Context(group)
    waiting = [group.get_command(context, name) for name in group.list_commands(context)]
    groups = [command for command in waiting if isinstance(command, click.Group)]
    lines = [c.get_short_help_str(limit=66) for one in groups for c in one.commands.values()]
    assert len(lines) > 10
    assert [line for line in lines if line.endswith("...")] == []
