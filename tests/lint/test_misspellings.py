"""Planted misspellings: a letter left out of any field name of any workload path is found, unless it is no fault."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from kartatest import catalog
from kartatest.definition.load import load
from kartatest.definition.model import Definition, Root
from kartatest.definition.walk import expressions
from kartatest.infer import Value, infer
from kartatest.infer import paths as steps
from kartatest.jq import ast as jq
from kartatest.jq import parse
from kartatest.jq.ast import walk
from kartatest.jq.errors import JqError
from kartatest.lint.engine import lint
from kartatest.schema import Type, schema_for
from kartatest.source import Source

FILES = catalog.paths()


def definition(file: Path) -> Definition:
    return load(Source(file.name, file.read_text("utf-8"))).items[0].definition


def names(text: str) -> Iterator[tuple[int, str]]:
    """Where each field name of an expression stands, and the name."""
    for node in walk(parse(text)):
        if isinstance(node, jq.Index) and isinstance(node.key, jq.Literal) and isinstance(node.key.value, str):
            name, end = node.key.value, node.span.end
            if text[end - len(name) : end] == name:
                yield end - len(name), name
            elif text[end - len(name) - 2 : end - 2] == name:  # ["name"]
                yield end - len(name) - 2, name


class Holders:
    """What each field is looked for in, by the end of the step."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.of: dict[int, list[Value]] = {}
        field = steps._field

        def recorded(interp: object, node: jq.Index, span: object, target: Value, name: str) -> Value:
            self.of.setdefault(node.span.end, []).append(target)
            return field(interp, node, span, target, name)  # type: ignore[arg-type]

        monkeypatch.setattr(steps, "_field", recorded)

    def excuse(self, end: int, name: str) -> str | None:
        """Why a name may be right where it stands; None when it is in no type."""
        for value in self.of.get(end, ()):
            for shape in value.objects:
                if not isinstance(shape, Type):
                    return "the expression made the object"
                if shape.open:
                    return "the CRD preserves unknown fields"
                if shape.additional is not None:
                    return "the names are the user's"
                if name in shape.fields:
                    return "the shorter name exists"
        return None


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_a_letter_left_out_is_found(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = definition(file)
    assert read.root.kind is not None
    schema = schema_for(read.root.kind)
    assert schema is not None
    texts = {e.text for e in expressions(read) if e.root is Root.WORKLOAD and e.text}
    holders = Holders(monkeypatch)
    found: Counter[str] = Counter()
    missed: list[str] = []
    for text in sorted(texts):
        for at, name in names(text):
            if f"(?<{name}>" in text:  # what `capture` gives is no object of a schema
                continue
            for i in range(len(name)):
                shorter = name[:i] + name[i + 1 :]
                mutant = text[:at] + shorter + text[at + len(name) :]
                try:
                    tree = parse(mutant)
                except JqError:
                    found["no jq"] += 1
                    continue
                holders.of.clear()
                reported = any(m.name == shorter for m in infer(tree, schema.root).missing)
                end = at + len(shorter) + (2 if text[at - 1 : at] == '"' else 0)
                if reported:
                    found["reported"] += 1
                elif excuse := holders.excuse(end, shorter):
                    found[excuse] += 1
                else:
                    missed.append(mutant[max(0, at - 30) : at + 30])
    print(file.stem, dict(found))
    assert not missed
    assert found["reported"] > 10


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_karta_lint_underlines_the_misspelt_step(file: Path) -> None:
    text = file.read_text("utf-8")
    kind = definition(file).root.kind
    assert kind is not None
    schema = schema_for(kind)
    assert schema is not None
    done = 0
    for right, wrong in ((".status.conditions", ".status.condition"), (".spec.", ".spc."), (".status.", ".statu.")):
        at = _in_an_expression(text, right)
        holder = schema.root if right.count(".") == 2 and right.endswith(".") else schema.root.fields["status"]
        if at < 0 or (isinstance(holder, Type) and holder.open):
            continue
        source = Source(file.name, text[:at] + wrong + text[at + len(right) :])
        word = wrong.strip(".").rpartition(".")[2]
        said = [d for d in lint(source) if d.code in ("KT231", "KT240")]
        assert any(source.text[d.span.start : d.span.end].lstrip(".").endswith(word) for d in said), (file.name, wrong)
        assert min(d.span.start for d in said) >= at - 1
        done += 1
    assert done


def _in_an_expression(text: str, word: str) -> int:
    """Where the word first stands outside of a comment; -1 where it does not."""
    start = 0
    for line in text.splitlines(keepends=True):
        at = line.partition("#")[0].find(word)
        if at >= 0:
            return start + at
        start += len(line)
    return -1
