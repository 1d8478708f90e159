"""The pages of the rules: as text for `karta explain`, as files in docs/rules.

`python -m kartatest.lint.docs` writes docs/rules of a checkout; with --check it writes nothing and exits 1 when a
page differs.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kartatest.lint.rule import Rule
from kartatest.lint.rules import RULES

FAMILIES = {
    "0": "Loading",
    "1": "Structure",
    "2": "Expressions",
    "3": "Pod spec, scale and edits",
    "4": "Statuses",
    "5": "Pod selectors",
    "6": "Pod groups",
    "7": "Evidence from recordings",
    "9": "Housekeeping",
}


def page_text(rule: Rule) -> str:
    """What a rule is about, for a terminal: headline, summary, reason, source."""
    lines = [f"{rule.code} {rule.name} ({rule.severity.word}; {FAMILIES[rule.family].lower()})", "", rule.summary, ""]
    lines += [*_wrapped(rule.why), "", f"Source: {rule.source}"]
    lines += [f"Silence it: # karta: ignore[{rule.code}] the reason"] if rule.silenceable else []
    return "\n".join(lines) + "\n"


def index_text() -> str:
    """All rules in code order, one a line: code, severity, name, summary."""
    width = max(len(r.name) for r in RULES)
    return "".join(f"{r.code}  {r.severity.word:<7}  {r.name:<{width}}  {r.summary}\n" for r in RULES)


def pages(examples: Path) -> dict[str, str]:
    """File name to content of all that belongs in docs/rules; examples is tests/lint/rules of a checkout."""
    return {"README.md": _index(), **{f"{r.code}.md": _page(r, examples / r.code) for r in RULES}}


def _index() -> str:
    out = ["# Rules", "", "Made by `python -m kartatest.lint.docs`.", ""]
    out += ["`--select`, `--ignore` and `karta.toml` say which of them run; a comment silences one place:", ""]
    out += ["```yaml", "podSpecPath: .spec.template  # karta: ignore[KT203] the field is new in v0.12", "```"]
    for family, title in FAMILIES.items():
        rules = [r for r in RULES if r.family == family]
        if rules:
            out += ["", f"## {title}", "", "| code | name | severity | what is wrong |", "| --- | --- | --- | --- |"]
            out += [f"| [{r.code}]({r.code}.md) | {r.name} | {r.severity.word} | {_cell(r.summary)} |" for r in rules]
    return "\n".join(out) + "\n"


def _page(rule: Rule, examples: Path) -> str:
    out = [f"# {rule.code} {rule.name}", "", f"{rule.severity.word.capitalize()}. {rule.summary}", "", rule.why, ""]
    out += [f"Source: {rule.source}.", ""]
    bad = sorted((p for p in examples.glob("bad*.yaml") if "." not in p.stem), key=lambda p: (len(p.stem), p.stem))
    good = sorted((p for p in examples.glob("good*.yaml") if "." not in p.stem), key=lambda p: (len(p.stem), p.stem))
    if bad:
        out += ["## Wrong", "", *_block("yaml", _text(bad[0]))]
    for file in bad:
        if file.with_suffix(".out").is_file():
            out += [f"`karta lint {file.name}` says:", "", *_block("text", _text(file.with_suffix(".out")))]
        if (fixed := file.with_suffix(".fixed.yaml")).is_file():
            out += ["and its repair is:", "", *_block("diff", _diff(file, fixed))]
    for file in good:
        if bad and len(diff := _diff(bad[0], file)) < len(_text(file)):
            out += [f"## Right: {_title(file)}", "", "Beside the first example:", "", *_block("diff", diff)]
        else:
            out += [f"## Right: {_title(file)}", "", *_block("yaml", _text(file))]
    return "\n".join(out).rstrip("\n") + "\n"


def _title(file: Path) -> str:
    words = file.stem.partition("-")[2]
    return words.replace("-", " ") or "an example"


def _text(file: Path) -> str:
    return file.read_text("utf-8").rstrip("\n")


def _diff(before: Path, after: Path) -> str:
    from difflib import unified_diff

    lines = unified_diff(_text(before).split("\n"), _text(after).split("\n"), n=2, lineterm="")
    return "\n".join(line for line in list(lines)[2:])


def _block(language: str, text: str) -> Iterator[str]:
    fence = "```" if "```" not in text else "~~~~"
    yield from (fence + language, text, fence, "")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _wrapped(text: str) -> list[str]:
    from textwrap import wrap

    return wrap(text, 100)


def main() -> int:
    """Write docs/rules, or with --check say which pages differ."""
    import sys

    root = Path(__file__).resolve().parents[2]
    folder = root / "docs" / "rules"
    wanted = pages(root / "tests" / "lint" / "rules")
    there = {p.name: p.read_text("utf-8") for p in folder.glob("*.md")}
    differ = sorted(n for n in wanted.keys() | there.keys() if wanted.get(n) != there.get(n))
    if "--check" in sys.argv[1:]:
        for name in differ:
            print(f"docs/rules/{name} is not what the rules say; run python -m kartatest.lint.docs")
        return int(bool(differ))
    folder.mkdir(parents=True, exist_ok=True)
    for name in differ:
        if name in wanted:
            (folder / name).write_text(wanted[name], "utf-8")
        else:
            (folder / name).unlink()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
