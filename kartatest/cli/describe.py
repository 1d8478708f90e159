"""karta describe: the tree of a workload in a file, or in a cluster."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kartatest.cli import access, lookup, objects, terminal
from kartatest.cli import live as live_objects
from kartatest.definition.model import Definition
from kartatest.errors import NothingFoundError, UsageError
from kartatest.resolve.model import Tree
from kartatest.source import JsonObject

if TYPE_CHECKING:
    from kartatest.cluster.model import Access


@click.command(
    "describe",
    epilog="Example: karta describe jobset train; kubectl get jobset train -o yaml | karta describe -f -",
)
@click.argument("type_", required=False, metavar="[TYPE NAME]")
@click.argument("name", required=False, metavar="")
@click.option("-f", "--file", metavar="FILE", help="Workload, recording or kubectl output; - for stdin.")
@click.option("--pods", metavar="FILE", help="Live pods, with the objects that own them where there are any.")
@lookup.DEFINITION_OPTION
@click.option("--frame", type=int, metavar="N", help="Frame of a recording, from 0; the last by default.")
@click.option("-o", "--output", type=click.Choice(["tree", "json", "yaml"]), default="tree", show_default=True)
@click.option("--ascii", "plain", is_flag=True, help="Draw with ASCII only.")
@access.options
def command(
    *,
    type_: str | None,
    name: str | None,
    file: str | None,
    pods: str | None,
    definitions: tuple[Path, ...],
    frame: int | None,
    output: str,
    plain: bool,
    kubeconfig: Path | None,
    context: str,
    namespace: str,
    request_timeout: str,
) -> int:
    """Show roles, instances, replicas, pods, requests per pod and in total, and statuses.

    With -f the workloads of a file: several give one tree each, with -o json a list of them. With TYPE NAME (or
    TYPE/NAME) one of a cluster, its pods read along.
    """
    if type_ is not None and name is None and "/" in type_:
        type_, _, name = type_.partition("/")
    if (file is None) == (type_ is None) or (file is None) == (name is None):
        raise UsageError("name a file with -f FILE, or a workload of a cluster with TYPE NAME")
    if type_ is not None and name is not None:
        if pods is not None or frame is not None:
            raise UsageError("--pods and --frame go with -f; the pods of TYPE NAME are read from the cluster")
        wanted = access.access(kubeconfig, context, namespace, request_timeout)
        _print([_live(type_, name, wanted, lookup.given(definitions))], output, plain=plain)
        return 0
    assert file is not None
    found = live_objects.workloads(file, frame=frame)
    live, owners = live_objects.pods_and_owners(pods) if pods is not None else ((), ())
    given = lookup.given(definitions)
    trees: list[tuple[Tree, str, bool]] = []
    missing: list[str] = []
    for workload in found:
        try:
            choice = lookup.definition_for(workload.gvk, given, name=workload.definition)
        except NothingFoundError as error:
            missing.append(str(error))
            continue
        if choice.warning:
            click.echo(f"karta: {choice.warning}", err=True)
        others = [w.obj for w in found if w is not workload]  # a pod that leads to one of them is not this one's
        trees.append(_tree(choice.definition, workload, live, (*owners, *others), with_pods=pods is not None))
    if not trees:
        raise NothingFoundError("; ".join(missing))
    for message in missing:
        click.echo(f"karta: {message}", err=True)
    _print(trees, output, plain=plain)
    return 0


def _live(type_: str, name: str, wanted: Access, given: Sequence[Definition]) -> tuple[Tree, str, bool]:
    """The tree of a workload in a cluster; what could not be seen is told on stderr."""
    from kartatest.cluster.inventory import definitions_for, workload

    cluster, where = access.connect(wanted)
    found, notes = workload(cluster, definitions_for(type_, given), name, where)
    for note in notes:
        click.echo(f"karta: {note}", err=True)
    return found.resolved(), found.definition.name, bool(found.pods) or not found.unseen


def _tree(
    definition: Definition,
    workload: objects.Workload,
    pods: Sequence[JsonObject],
    owners: Sequence[JsonObject],
    *,
    with_pods: bool,
) -> tuple[Tree, str, bool]:
    from kartatest.resolve.tree import resolve

    every = (*workload.pods, *pods)
    tree = resolve(definition, workload.obj, pods=every, owners=(*workload.owners, *owners))
    return tree, definition.name, with_pods or bool(every)


def _print(trees: Sequence[tuple[Tree, str, bool]], output: str, *, plain: bool) -> None:
    if output == "tree":
        from kartatest.report.tree import tree_text

        drawn = terminal.style(ascii_only=plain)
        terminal.write("\n".join(tree_text(t, name, live=live, style=drawn) for t, name, live in trees))
        return
    from kartatest.report.tree_json import tree_data

    data = [tree_data(tree, name) for tree, name, _ in trees]
    shown = data[0] if len(data) == 1 else data
    if output == "json":
        terminal.write_json(shown)
        return
    from kartatest.edit.text import written

    terminal.write(written(shown))
