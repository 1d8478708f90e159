"""karta get: one row per workload of a cluster."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kartatest.cli import access, lookup, terminal
from kartatest.definition.model import Definition

if TYPE_CHECKING:
    from kartatest.cluster.inventory import Workload
    from kartatest.cluster.model import Cluster

_INTERVAL_SECONDS = 2


@click.command("get", epilog="Example: karta get -A; karta get jobset -n research --watch")
@click.argument("type_", required=False, metavar="[TYPE]")
@click.option("-A", "--all-namespaces", "everywhere", is_flag=True, help="In every namespace.")
@access.options
@lookup.DEFINITION_OPTION
@click.option("-w", "--watch", is_flag=True, help="Go on, and print each row that changes.")
@click.option("-o", "--output", type=click.Choice(["table", "json"]), default="table", show_default=True)
def command(
    *,
    type_: str | None,
    everywhere: bool,
    kubeconfig: Path | None,
    context: str,
    namespace: str,
    request_timeout: str,
    definitions: tuple[Path, ...],
    watch: bool,
    output: str,
) -> int:
    """List workloads: type, status, pods ready of desired, GPUs asked for, age.

    TYPE is a kind, plural, short name, or the name of a definition; without it, every kind that has a definition is
    listed, and what another workload owns is left out. Nothing of karta's needs to be installed in the cluster.
    """
    from kartatest.cluster.inventory import definitions_for
    from kartatest.errors import NothingFoundError, UsageError

    if watch and output != "table":
        raise UsageError("--watch prints rows; leave out -o")
    given = lookup.given(definitions)
    only = definitions_for(type_, given) if type_ else ()
    cluster, own = access.connect(access.access(kubeconfig, context, namespace, request_timeout))
    where = "" if everywhere else own
    if watch:
        _follow(cluster, where, given, only)
    found = _workloads(cluster, where, given, only, told=set())
    if output == "json":
        from kartatest.report.inventory import data

        terminal.write_json([data(workload, datetime.now(UTC)) for workload in found])
    elif found:
        from kartatest.report.inventory import cells, table

        terminal.write(table([cells(w, datetime.now(UTC)) for w in found], namespaces=everywhere))
    if not found:
        raise NothingFoundError(
            "there is no workload" + (f" in the namespace {where!r}; -A looks in all" * bool(where))
        )
    return 0


def _workloads(
    cluster: Cluster, namespace: str, given: Sequence[Definition], only: Sequence[Definition], told: set[str]
) -> tuple[Workload, ...]:
    """The workloads; what could not be seen is told on stderr, each thing once."""
    from kartatest.cluster.inventory import inventory

    found = inventory(cluster, namespace=namespace, given=given, only=only)
    for note in found.notes:
        if note not in told:
            click.echo(f"karta: {note}", err=True)
        told.add(note)
    return found.workloads


def _follow(cluster: Cluster, namespace: str, given: Sequence[Definition], only: Sequence[Definition]) -> None:
    """Prints all rows, then for ever each row whose cells other than the age have changed, or that is gone."""
    from kartatest.report.inventory import table

    told: set[str] = set()
    before: dict[tuple[str, ...], tuple[str, ...]] = {}
    shown: list[tuple[str, ...]] = []
    while True:
        rows = dict(_rows(_workloads(cluster, namespace, given, only, told)))
        changed = [row for key, row in rows.items() if key not in before or before[key][:-1] != row[:-1]]
        gone = [(*row[:3], "gone", "-", "-", "-") for key, row in before.items() if key not in rows]
        if changed or gone:
            terminal.write(table([*changed, *gone], namespaces=not namespace, below=shown))
            shown = shown or changed
        before = rows
        time.sleep(_INTERVAL_SECONDS)


def _rows(found: Sequence[Workload]) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    from kartatest.report.inventory import cells

    for workload in found:
        row = cells(workload, datetime.now(UTC))
        yield row[:3], row
