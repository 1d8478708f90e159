"""karta eval: one jq expression on an object, as the engine of a definition runs it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import click

from kartatest.cli import objects, terminal
from kartatest.errors import FileError, NothingFoundError, UsageError
from kartatest.source import DocPath, Json, Source

if TYPE_CHECKING:
    from kartatest.infer import Inferred
    from kartatest.jq.compile import Program
    from kartatest.jq.errors import JqError
    from kartatest.yamlpos import Document


class _Target(NamedTuple):
    """A value to run on. Where it stands whole in a document: the document and its path there; else None."""

    name: str
    value: Json
    document: Document | None
    at: DocPath


class _Result(NamedTuple):
    """What the program gave: outputs with their paths in the value (None: made by the program), or the error.

    placed: False where the engine does not say where its outputs come from.
    """

    target: _Target
    outputs: list[tuple[Json, DocPath | None]]
    error: JqError | None
    inferred: Inferred | None = None
    """What it gives on every object of the kind; None where the types of the kind are not known."""
    placed: bool = True


@click.command("eval", epilog="Example: karta eval '.spec.replicatedJobs[].name' -f jobset.yaml")
@click.argument("expression", metavar="EXPR")
@click.option("-f", "--file", metavar="FILE", help="Object, manifests or recording; - for stdin.")
@click.option("--pods", metavar="FILE", help="Run on each pod in this file, as a pod selector does.")
@click.option("--frame", type=int, metavar="N", help="Frame of a recording, from 0; the last by default.")
@click.option(
    "--engine",
    type=click.Choice(["ours", "libjq", "both"]),
    default="ours",
    show_default=True,
    help="libjq: run it by that alone, within limits. both: by ours, and fail where libjq gives something else.",
)
@click.option("-o", "--output", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(*, expression: str, file: str | None, pods: str | None, frame: int | None, engine: str, output: str) -> int:
    """Run one expression: its outputs, where in the file they stand, and whether it can be written through.

    Exits 1 when the expression is wrong or fails. A file with several objects gives one result each.
    """
    if (file is None) == (pods is None):
        raise UsageError("give either -f FILE or --pods FILE")
    from kartatest.jq.compile import compile as compile_text
    from kartatest.jq.errors import JqCompileError, JqError

    source = objects.text(file if file is not None else pods or "")
    targets = list(_targets(source, frame, only_pods=pods is not None))
    if not targets:
        raise NothingFoundError(f"there is {'no pod' if pods is not None else 'nothing'} in {source.name}")
    try:
        if not expression.strip():
            raise JqCompileError("the expression is empty")
        program = compile_text(expression)
    except JqError as error:
        results, writable = [_Result(target, [], error) for target in targets[:1]], False
    else:
        from kartatest.jq.shape import writable as is_writable

        results = _by_libjq(expression, targets) if engine == "libjq" else [_run(program, t) for t in targets]
        writable = is_writable(program.tree)
    if output == "json":
        data = [_data(result, writable) for result in results]
        terminal.write_json(data[0] if len(data) == 1 else data)
    else:
        for result in results:
            _print(result, expression, several=len(results) > 1)
        if not any(result.error for result in results):
            click.echo(f"# {'a' if writable else 'no'} path that can be written through")
    failed = any(result.error is not None for result in results)
    if engine == "both":
        from kartatest.replay import differing

        for target in targets:
            for line in differing([expression], target.value, target.name or source.name):
                click.echo(f"karta: {line}", err=True)
                failed = True
    return int(failed)


def _by_libjq(expression: str, targets: list[_Target]) -> list[_Result]:
    """libjq does not say where its outputs stand."""
    from kartatest.jq.errors import JqError
    from kartatest.jq.reference import Reference
    from kartatest.jq.worker import Worker

    results: list[_Result] = []
    with Worker() as worker:
        reference = Reference([expression], worker)
        for target in targets:
            try:
                outputs = reference.run(expression, target.value)
                results.append(_Result(target, [(value, None) for value in outputs], None, placed=False))
            except JqError as error:
                results.append(_Result(target, [], error))
    return results


def _run(program: Program, target: _Target) -> _Result:
    from kartatest.jq.errors import JqError

    inferred = _inferred(program, target.value)
    try:
        return _Result(target, [(t.value, t.path) for t in program.trace(target.value)], None, inferred)
    except JqError as error:
        return _Result(target, [], error, inferred)


def _inferred(program: Program, value: Json) -> Inferred | None:
    """What the program gives on every object of the value's kind, in the newest release that is known."""
    from kartatest.definition.model import Gvk
    from kartatest.schema import schema_for

    if not isinstance(value, dict) or not isinstance(value.get("kind"), str) or not value["kind"]:
        return None
    schema = schema_for(Gvk.of(value))
    if schema is None:
        return None
    from kartatest.infer import infer

    return infer(program.tree, schema.root)


def _targets(source: Source, frame: int | None, *, only_pods: bool) -> Iterator[_Target]:
    """What the file holds to run on: objects, the items of lists, a recording's frame, or any other value."""
    from kartatest.diagnostics import Severity
    from kartatest.report.text import finding
    from kartatest.yamlpos import documents

    read = documents(source)
    for diagnostic in read.diagnostics:
        click.echo(finding(diagnostic), err=True, nl=False)
    if not read.documents and any(d.severity >= Severity.ERROR for d in read.diagnostics):
        raise FileError(f"{source.name} could not be read")
    for document in read.documents:
        for at, value in _values(document, source, frame):
            if not only_pods or (isinstance(value, dict) and value.get("kind") == "Pod"):
                yield _Target(_name(value), value, document if at is not None else None, at or ())


def _values(document: Document, source: Source, frame: int | None) -> Iterator[tuple[DocPath | None, Json]]:
    value = document.value
    if isinstance(value, dict) and "kind" not in value and ("frames" in value or "events" in value):
        yield from _frame(document, source, frame)
    elif isinstance(value, dict) and isinstance(value.get("items"), list) and str(value.get("kind")).endswith("List"):
        yield from ((("items", i), item) for i, item in enumerate(value["items"]))
    else:
        yield (), value


def _frame(document: Document, source: Source, frame: int | None) -> Iterator[tuple[DocPath | None, Json]]:
    """The object of the recording's chosen frame; its place is known where it is written whole."""
    from kartatest.recording.load import load

    for recording in load(source).recordings:
        if not recording.frames or recording.frames[0].document != document.index:
            continue
        if frame is not None and not 0 <= frame < len(recording.frames):
            raise objects.no_frame(frame, source, len(recording.frames))
        chosen = recording.frames[-1 if frame is None else frame]
        at = (*chosen.at, "object")
        yield (at if document.exists(at) else None), chosen.obj


def _name(value: Json) -> str:
    metadata = value.get("metadata") if isinstance(value, dict) else None
    name = metadata.get("name") if isinstance(metadata, dict) else None
    return f"{value.get('kind', '')} {name}".strip() if isinstance(name, str) else ""


def _heading(target: _Target) -> str:
    """Kind and name, or where an object without a name stands in the file."""
    if target.name or target.document is None:
        return target.name or "an object without a name"
    source: Source = target.document.source
    line, column = source.position(target.document.span(target.at).start)
    return f"{source.name}:{line}:{column}"


def _place(target: _Target, path: DocPath | None) -> tuple[str, int, int] | None:
    """File, line and column of an output, where it stands in the file as it is."""
    document = target.document
    if path is None or document is None or not document.exists((*target.at, *path)):
        return None
    source: Source = document.source
    return (source.name, *source.position(document.span((*target.at, *path)).start))


def _data(result: _Result, writable: bool) -> dict[str, Json]:
    import json

    from kartatest.jq.values import to_json

    paths = [None if path is None else list(path) for _, path in result.outputs]
    places = [_place(result.target, path) for _, path in result.outputs]
    return {
        "object": result.target.name or None,
        "outputs": [json.loads(to_json(value)) for value, _ in result.outputs],  # as jq prints them: nan is null
        "error": result.error.message if result.error is not None else None,
        "places": [
            {"path": path and json.loads(to_json(path)), "line": place and place[1], "column": place and place[2]}
            for path, place in zip(paths, places, strict=True)
        ],
        "writable": writable,
        "type": None if result.inferred is None else str(result.inferred),
        "missing": _missing(result),
    }


def _print(result: _Result, expression: str, *, several: bool) -> None:
    """Each output as JSON, then where it stands; an error goes to stderr."""
    from kartatest.jq.shape import path_text
    from kartatest.jq.values import to_json
    from kartatest.report.text import cut, printable

    if several:
        click.echo(f"# {cut(_heading(result.target), 120)}", err=result.error is not None)
    if result.error is not None:
        click.echo(_error(result.error, expression), err=True, nl=False)
    elif not result.outputs:
        click.echo("# no output")
    for value, path in result.outputs:
        place = _place(result.target, path)
        where = f"{place[0]}:{place[1]}:{place[2]}  " if place else ""
        shown = "made by the expression" if path is None else printable(where + path_text(path))
        terminal.write(f"{printable(to_json(value))}\n" + (f"    {shown}\n" if result.placed else ""))
    if result.inferred is not None and result.error is None:
        click.echo(f"# type: {printable(str(result.inferred))}")
        for missing in _missing(result):
            click.echo(f"# no object has {printable(missing)}")


def _missing(result: _Result) -> list[str]:
    """Paths in the expression that no object of the kind has."""
    from kartatest.jq.shape import path_text

    found = result.inferred.missing if result.inferred else ()
    return [path_text((*m.holder.origin, m.name)) for m in found if m.holder.origin is not None]


def _error(error: JqError, expression: str) -> str:
    """The error with the marked part of the expression."""
    from kartatest.diagnostics import Diagnostic, Severity
    from kartatest.report.text import finding
    from kartatest.source import Span

    span = error.span if error.span is not None else Span(0, len(expression))
    found = Diagnostic(
        "jq", "expression", Severity.ERROR, Source("<expression>", expression), span, error.message, error.help
    )
    return finding(found)
