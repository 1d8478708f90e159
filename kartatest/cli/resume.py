"""karta resume: a workload as the resume actions of its definition leave it, or as it was before it was suspended."""

from __future__ import annotations

from typing import Any

import click

from kartatest.cli import edits, objects
from kartatest.definition.model import Definition
from kartatest.errors import UsageError
from kartatest.source import JsonObject


@click.command("resume", epilog="Example: karta resume -f jobset.yaml --before jobset-recording.yaml --in-place")
@edits.options
@click.option(
    "--before",
    "--recording",
    "before",
    metavar="FILE",
    help="The workload before it was suspended, or a recording that has it.",
)
def command(*, component: str | None, before: str | None, **rest: Any) -> int:
    """Show what resuming a workload changes in its file.

    Resume actions write constants. With --before, what suspending changed is put back as it was; of a recording that
    is the last state that was not suspended yet.
    """
    from kartatest import edit
    from kartatest.edit.history import before_suspending

    if before == "-" and rest["file"] == "-":
        raise UsageError("stdin is read once; give one of -f and --before a file")
    states = objects.states(objects.text(before)) if before is not None else ()

    def resumed(definition: Definition, obj: JsonObject) -> edit.Edited:
        then = before_suspending(definition, obj, states, component=component) if before is not None else None
        return edit.resume(definition, obj, component=component, before=then)

    return edits.run(resumed, **rest)
