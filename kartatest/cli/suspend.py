"""karta suspend: a workload as the suspend actions of its definition leave it."""

from __future__ import annotations

from typing import Any

import click

from kartatest.cli import edits


@click.command("suspend", epilog="Example: karta suspend -f jobset.yaml -o yaml | kubectl replace -f -")
@edits.options
def command(*, component: str | None, **rest: Any) -> int:
    """Show what suspending a workload changes in its file.

    The actions are those of every component that has some. All are checked before one is made; where one cannot be
    made, nothing is changed, and the reason is named.
    """
    from kartatest import edit

    return edits.run(lambda definition, obj: edit.suspend(definition, obj, component=component), **rest)
