"""One definition against every release of an operator whose types are known: what resolves where, and what breaks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kartatest.definition.model import Definition, Expr, Gvk, Root
from kartatest.source import DocPath

if TYPE_CHECKING:
    from kartatest.infer import Inferred
    from kartatest.jq.ast import Ast
    from kartatest.jq.shape import Path
    from kartatest.schema import Schema


@dataclass(frozen=True, slots=True)
class PathRow:
    """One path that the definition reads. types: per release, oldest first, its type in words; None: not there."""

    path: str
    types: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """One expression in one release: its result in words, and what is wrong with it; () when nothing is."""

    result: str
    problems: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether every path of it is there and its result fits."""
        return not self.problems


@dataclass(frozen=True, slots=True)
class ExprRow:
    """One expression, where it first stands, and what it is per release, oldest first."""

    at: DocPath
    use: str
    text: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Break:
    """What a release breaks that the one before it, or none, had in order."""

    release: str
    at: DocPath
    use: str
    problem: str


@dataclass(frozen=True)
class Matrix:
    """A definition × the releases of its kind, oldest first. () releases: nobody knows the kind."""

    file: str
    definition: str
    kind: Gvk
    releases: tuple[str, ...] = ()
    paths: tuple[PathRow, ...] = ()
    expressions: tuple[ExprRow, ...] = ()
    breaks: tuple[Break, ...] = field(default=())

    @property
    def broken(self) -> bool:
        """Whether something is wrong in the newest release."""
        return any(not row.cells[-1].ok for row in self.expressions)

    def first(self, row: PathRow) -> str | None:
        """The first release that has the path."""
        return next((r for r, type_ in zip(self.releases, row.types, strict=True) if type_ is not None), None)

    def last(self, row: PathRow) -> str | None:
        """The last release that has the path."""
        pairs = [*zip(self.releases, row.types, strict=True)]
        return next((r for r, type_ in reversed(pairs) if type_ is not None), None)


def matrix(definition: Definition, schemas: Sequence[Schema]) -> Matrix:
    """The workload expressions of a definition in each of the schemas, which are oldest first."""
    from kartatest.definition.walk import expressions
    from kartatest.infer import infer

    kind = definition.root.kind or Gvk("", "", "")
    exprs: list[tuple[Expr, Ast]] = []
    seen: set[tuple[str, str]] = set()
    for expr in expressions(definition):
        key = (expr.use.value, expr.text)
        tree = _tree(expr) if expr.root is Root.WORKLOAD and key not in seen else None
        seen.add(key)
        if tree is not None:
            exprs.append((expr, tree))
    found = [[infer(tree, schema.root) for schema in schemas] for _, tree in exprs]
    rows = tuple(
        ExprRow(expr.at, expr.use.value, expr.text, tuple(_cell(expr, one) for one in per_release))
        for (expr, _), per_release in zip(exprs, found, strict=True)
    )
    releases = tuple(schema.tag or "?" for schema in schemas)
    return Matrix(
        file=definition.file,
        definition=definition.name,
        kind=kind,
        releases=releases,
        paths=tuple(_path_rows([one for per_release in found for one in per_release], schemas)),
        expressions=rows,
        breaks=tuple(_breaks(rows, releases)),
    )


def _tree(expr: Expr) -> Ast | None:
    from kartatest.jq import parse
    from kartatest.jq.errors import JqError

    try:
        return parse(expr.text) if expr.text.strip() else None
    except JqError:
        return None


def _cell(expr: Expr, inferred: Inferred) -> Cell:
    from kartatest.jq.shape import path_text
    from kartatest.lint.results import wrong

    problems = [
        f"`{path_text((*m.holder.origin, m.name))}` is not there" if m.holder.origin is not None else f"no {m.name!r}"
        for m in inferred.missing
    ]
    misfit = wrong(expr.use, inferred.value)
    if misfit is not None:
        problems.append(f"gives {misfit[0]}; takes {misfit[1]}")
    return Cell(str(inferred), tuple(dict.fromkeys(problems)))


def _path_rows(found: Sequence[Inferred], schemas: Sequence[Schema]) -> Iterator[PathRow]:
    """The paths that are read in some release or in vain, without those that only lead on to others."""
    from kartatest.infer import words
    from kartatest.infer.lattice import of_type
    from kartatest.infer.types import spelled, type_at
    from kartatest.jq.shape import path_text

    every: set[Path] = {read.path for inferred in found for read in inferred.reads}
    every |= {(*m.holder.origin, m.name) for one in found for m in one.missing if m.holder.origin is not None}
    every = {one for path in every for one in {p for s in schemas for p in spelled(s.root, path)} or {path}}
    prefixes = {path[:end] for path in every for end in range(len(path))}
    for path in sorted(every - prefixes, key=path_text):
        types = [type_at(schema.root, path) for schema in schemas]
        yield PathRow(path_text(path), tuple(None if t is None else words(of_type(t, None, None)) for t in types))


def _breaks(rows: Sequence[ExprRow], releases: Sequence[str]) -> Iterator[Break]:
    for index, release in enumerate(releases):
        for row in rows:
            before = set(row.cells[index - 1].problems) if index else set()
            for problem in row.cells[index].problems:
                if index and problem not in before:
                    yield Break(release, row.at, row.use, problem)
