"""karta resume: a workload as the resume actions of its definition leave it, or as it was before it was suspended."""

from __future__ import annotations

from typing import Any

import click

from kartatest.cli import edits, objects
from kartatest.definition.model import Definition, Gvk
from kartatest.errors import EditError, NothingFoundError, UsageError
from kartatest.source import JsonObject


@click.command("resume", epilog="Example: karta resume -f jobset.yaml --before jobset-recording.yaml --in-place")
@edits.options
@click.option("--before", metavar="FILE", help="The workload before it was suspended, or a recording that has it.")
def command(*, component: str | None, before: str | None, **rest: Any) -> int:
    """Show what resuming a workload changes in its file.

    Resume actions write constants. With --before, what suspending changed is put back as it was; of a recording that
    is the last state that was not suspended yet.
    """
    from kartatest import edit

    if before == "-" and rest["file"] == "-":
        raise UsageError("stdin is read once; give one of -f and --before a file")
    states = objects.states(objects.text(before)) if before is not None else ()

    def resumed(definition: Definition, obj: JsonObject) -> edit.Edited:
        then = _before(definition, obj, states, component) if before is not None else None
        return edit.resume(definition, obj, component=component, before=then)

    return edits.run(resumed, **rest)


def _before(
    definition: Definition, obj: JsonObject, states: tuple[JsonObject, ...], component: str | None
) -> JsonObject:
    """The last state of the same object that suspending would change. Raises NothingFoundError without one."""
    from kartatest.edit.actions import suspends

    own = [s for s in states if _key(s) == _key(obj)]
    if not own:
        raise NothingFoundError(f"--before has no {Gvk.of(obj)} of the name {_key(obj)[-1]!r}")
    for state in reversed(own):
        try:
            if suspends(definition, state, component=component):
                return state
        except EditError:
            continue
    raise NothingFoundError("--before shows the workload only as it is suspended already")


def _key(obj: JsonObject) -> tuple[str, ...]:
    gvk, metadata = Gvk.of(obj), obj.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    return gvk.group, gvk.kind, str(metadata.get("namespace", "")), str(metadata.get("name", ""))
