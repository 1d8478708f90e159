"""What suspend, resume and set share: options, the objects of a file with their places, and how an edit is shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from kartatest.cli import lookup, objects, terminal
from kartatest.definition.model import Definition
from kartatest.errors import EditError, NothingFoundError, UsageError
from kartatest.source import DocPath, Json, JsonObject, Source

if TYPE_CHECKING:
    from kartatest.edit.model import Edited
    from kartatest.yamlpos import Document

_F = TypeVar("_F", bound=Callable[..., Any])


class Target(NamedTuple):
    """An object of a file. Where it stands whole in a document: the document and its path there; else None."""

    obj: JsonObject
    document: Document | None
    base: DocPath
    definition: str


class _Done(NamedTuple):
    target: Target
    edited: Edited


def options(command: _F) -> _F:
    """The options that every edit has."""
    for option in reversed(
        (
            click.option("-f", "--file", required=True, metavar="FILE", help="Workload or recording; - for stdin."),
            lookup.DEFINITION_OPTION,
            click.option("--frame", type=int, metavar="N", help="Frame of a recording, from 0; the last by default."),
            click.option("--component", metavar="NAME", help="Only this component."),
            click.option(
                "-o", "--output", type=click.Choice(["diff", "yaml", "json"]), default="diff", show_default=True
            ),
            click.option("--in-place", is_flag=True, help="Write the file instead of printing, all or nothing."),
        )
    ):
        command = option(command)
    return command


def run(
    edit: Callable[[Definition, JsonObject], Edited],
    *,
    file: str,
    definitions: tuple[Path, ...],
    frame: int | None,
    output: str,
    in_place: bool,
) -> int:
    """Edit each object of the file and show it, or write it. Always 0; what cannot be done is raised.

    Objects without a definition are left alone and named on stderr; one that cannot be edited stops all.
    """
    if in_place and file == "-":
        raise UsageError("stdin cannot be written; leave out --in-place")
    source = objects.text(file)
    given = lookup.given(definitions)
    done: list[_Done] = []
    missing: list[str] = []
    targets = _targets(source, frame)
    for target, workload in targets:
        try:
            choice = lookup.definition_for(workload.gvk, given, name=target.definition)
        except NothingFoundError as error:
            missing.append(str(error))
            continue
        try:
            done.append(_Done(target, edit(choice.definition, target.obj)))
        except EditError as error:
            name = f"{workload.gvk.kind} {_name(target.obj)}: " if len(targets) > 1 else ""
            raise EditError([f"{name}{reason}" for reason in error.reasons]) from None
    if not done:
        raise NothingFoundError("; ".join(missing))
    for message in missing:
        click.echo(f"karta: {message}", err=True)
    for note in dict.fromkeys(note for d in done for note in d.edited.notes):
        click.echo(f"karta: {note}", err=True)
    if not any(d.edited.changes for d in done):
        click.echo("karta: nothing to change", err=True)
    _show(source, done, output=output, file=Path(file) if in_place else None)
    return 0


def _name(obj: JsonObject) -> str:
    metadata = obj.get("metadata")
    return str(metadata.get("name", "")) if isinstance(metadata, dict) else ""


def _targets(source: Source, frame: int | None) -> list[tuple[Target, objects.Workload]]:
    """The workloads of a file, each with the place of its object where the text holds it as it is."""
    from kartatest.source import same
    from kartatest.yamlpos import documents

    found: list[tuple[Target, objects.Workload]] = []
    held = [(d, base, value) for d in documents(source).documents for base, value in _held(d.value)]
    for workload in objects.workloads(source, frame=frame):
        at = next((i for i in reversed(range(len(held))) if same(held[i][2], workload.obj)), None)
        document, base, _ = held.pop(at) if at is not None else (None, (), None)
        found.append((Target(workload.obj, document, base, workload.definition), workload))
    return found


def _held(value: Json) -> list[tuple[DocPath, Json]]:
    """The objects that a document holds: itself, or the items of a List."""
    if not isinstance(value, dict) or "frames" in value or "events" in value:
        return []
    items = value.get("items")
    if isinstance(items, list) and str(value.get("kind", "List")).endswith("List"):
        return [(("items", i), item) for i, item in enumerate(items)]
    return [((), value)]


def _show(source: Source, done: Sequence[_Done], *, output: str, file: Path | None) -> None:
    whole = all(d.target.document is not None for d in done)
    text = _edited(source, done) if whole else None
    if file is not None:
        if not whole:
            raise UsageError(f"{file} holds recorded states, which are not edited; print the object with -o yaml")
        if any(d.edited.changes for d in done):
            if text is None:
                raise UsageError(f"{file} cannot be edited in place, its parts are shared by anchors; use -o yaml")
            from kartatest.recording.write import replace_text

            target = file.resolve()
            mode = target.stat().st_mode & 0o7777
            replace_text(target, text)
            target.chmod(mode)
        return
    if output == "json":
        shown = [d.edited.obj for d in done]
        terminal.write_json(shown[0] if len(shown) == 1 else shown)
        return
    if whole and text is None:
        click.echo("karta: the text cannot be kept, so the objects are written anew", err=True)
    before = source.text if text is not None else _dumped([d.target.obj for d in done])
    after = text if text is not None else _dumped([d.edited.obj for d in done])
    name = source.name if text is not None else f"{source.name} (written anew)"
    terminal.write(after if output == "yaml" else _diff(before, after, name))


def _edited(source: Source, done: Sequence[_Done]) -> str | None:
    from kartatest.edit.text import Part, edited_text

    parts = [Part(d.target.document, d.target.base, d.edited.changes, d.edited.obj) for d in done if d.target.document]
    return edited_text(source, parts)


def _dumped(values: Sequence[Json]) -> str:
    from kartatest.edit.text import written

    return "---\n".join(map(written, values))


def _diff(before: str, after: str, name: str) -> str:
    """A unified diff that `patch` takes; "" when the texts are alike."""
    from difflib import unified_diff

    lines = unified_diff(before.splitlines(keepends=True), after.splitlines(keepends=True), name, name)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
