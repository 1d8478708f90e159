"""karta replay: recordings through their definitions, as a matrix of frames and statuses."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from kartatest.cli import lookup, recordings


@click.command(
    "replay",
    epilog="Example: kubectl get jobset train -o yaml --watch > flow.yaml; karta replay flow.yaml",
)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@lookup.DEFINITION_OPTION
@click.option("--exact", is_flag=True, help="Fail on several statuses at once and on Undefined, unless expected.")
@click.option(
    "--engine",
    type=click.Choice(["ours", "both"]),
    default="ours",
    show_default=True,
    help="Both: also run every expression with libjq, and fail where the two differ.",
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
    replays = [replay(definition, recording) for definition, recording in found.pairs]
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
