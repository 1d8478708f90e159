"""karta replay: recordings through their definitions, as a matrix of frames and statuses."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kartatest.cli import lookup, recordings

if TYPE_CHECKING:
    from kartatest.definition.model import Definition
    from kartatest.recording.model import Recording
    from kartatest.replay import Replay


@click.command(
    "replay",
    epilog="Example: kubectl get jobset train -o yaml --watch > flow.yaml; karta replay flow.yaml",
)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@lookup.DEFINITION_OPTION
@click.option("--exact", is_flag=True, help="Fail on several statuses at once and on Undefined, unless expected.")
@click.option(
    "--engine",
    type=click.Choice(["ours", "libjq", "both"]),
    default="ours",
    show_default=True,
    help="libjq: run expressions by it alone, within limits. both: by ours, and fail where libjq differs.",
)
@click.option("-o", "--output", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(*, paths: tuple[str, ...], definitions: tuple[Path, ...], exact: bool, engine: str, output: str) -> int:
    """Read recordings through a definition and print which statuses hold in which frame.

    PATH is a recording, a manifest, a dump of kubectl, a folder of these, or - for standard input. Several states of
    one object are the frames of one flow. The exit code is 1 when a frame reads other statuses than it expects, when
    an expression fails, or when a file is wrong.
    """
    from kartatest.replay import replay
    from kartatest.report.matrix import counted, matrix, rows

    found = recordings.find(paths, definitions)
    replays = _by_libjq(found.pairs) if engine == "libjq" else [replay(d, r) for d, r in found.pairs]
    if output == "json":
        import json

        sys.stdout.write(json.dumps(rows(replays), indent=2, ensure_ascii=False) + "\n")
    elif replays:
        from kartatest.cli.terminal import colors

        sys.stdout.write(matrix(replays, color=colors()))
    counts = counted(replays)
    failed = found.failed or bool(counts.mismatches or counts.unreadable)
    if exact:
        failed = failed or bool(counts.overlaps or counts.undefined)
    if engine == "both":
        from kartatest.replay import disagreements

        for line in (line for r in replays for line in disagreements(r.definition, [r.recording])):
            click.echo(f"karta: {line}", err=True)
            failed = True
    return int(failed)


def _by_libjq(pairs: Sequence[tuple[Definition, Recording]]) -> list[Replay]:
    from kartatest.jq.worker import Worker
    from kartatest.replay import by_libjq, replay

    replays = []
    with Worker() as worker:
        for definition, recording in pairs:
            with by_libjq(definition, worker):
                replays.append(replay(definition, recording))
    return replays
