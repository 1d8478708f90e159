"""karta gang: the pod groups that a scheduler would make of a workload's pods, or its refusal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import click

from kartatest.cli import live as live_objects
from kartatest.cli import lookup, objects, terminal
from kartatest.definition.model import Definition, Gvk
from kartatest.errors import NothingFoundError
from kartatest.gang import names
from kartatest.gang.model import Gangs
from kartatest.report.gang import Heading
from kartatest.source import Json, JsonObject


@click.command("gang", epilog="Example: karta gang -f team.yaml --pods pods.yaml --consumer kai")
@click.option("-f", "--file", required=True, metavar="FILE", help="The workload, and owners above it; - for stdin.")
@click.option("--pods", metavar="FILE", help="Live pods, with the objects between them and the workload.")
@click.option("--consumer", type=click.Choice(["kai"]), help="Predict this scheduler: kai is KAI Scheduler.")
@click.option(
    "--definition",
    "definitions",
    multiple=True,
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="A definition to use before the built-in ones. Repeatable; a scheduler sees them all.",
)
@click.option("--frame", type=int, metavar="N", help="Frame of a recording, from 0; the last by default.")
@click.option("-o", "--output", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--ascii", "plain", is_flag=True, help="Draw with ASCII only.")
def command(
    *,
    file: str,
    pods: str | None,
    consumer: str | None,
    definitions: tuple[Path, ...],
    frame: int | None,
    output: str,
    plain: bool,
) -> int:
    """Show the pod groups of a workload, what each needs to start, and where each pod ends up.

    Without --consumer the definition's counts mean what they say. With --consumer kai the answer is what KAI
    Scheduler's pod grouper does, with its arithmetic, its refusals and its crashes; notes say where the two differ.

    Exits with 1 when a pod is refused, or the scheduler crashes on one; with 4 when there are neither groups nor pods.
    """
    found = live_objects.workloads(file, frame=frame)
    live, between = live_objects.pods_and_owners(pods) if pods is not None else ((), ())
    given = lookup.given(definitions)
    answers: list[_Answer] = []
    missing: list[str] = []
    for workload in found:
        others = [w.obj for w in found if w is not workload]  # a pod that leads to one of them is not this one's
        try:
            chosen = _chosen(workload, between, given)
        except NothingFoundError as error:
            missing.append(str(error))
            continue
        if chosen.warning:
            click.echo(f"karta: {chosen.warning}", err=True)
        every = (*workload.pods, *live)
        answers.append(_answer(chosen, every, (*workload.owners, *between, *others, workload.obj), given, consumer))
    if not answers:
        raise NothingFoundError("; ".join(missing))
    for message in missing:
        click.echo(f"karta: {message}", err=True)
    _print(answers, output, plain=plain)
    if any(answer.gangs.held or answer.gangs.blocked for answer in answers):
        return 1
    return 0 if any(answer.gangs.groups or answer.gangs.pods for answer in answers) else 4


class _Chosen(NamedTuple):
    """The object whose pods are grouped: the topmost one that has a definition."""

    obj: JsonObject
    definition: Definition
    warning: str


def _chosen(workload: objects.Workload, between: Sequence[JsonObject], given: Sequence[Definition]) -> _Chosen:
    """Of the workload and what it owns: the first with a definition given by hand, else with a built-in one."""
    mine = [workload.obj, *workload.owners, *(o for o in between if o not in workload.owners)]
    kinds = {d.root.kind for d in given}
    for obj in mine:
        if Gvk.of(obj) in kinds:
            choice = lookup.definition_for(Gvk.of(obj), given)
            return _Chosen(obj, choice.definition, choice.warning)
    for obj in (workload.obj, *workload.owners):
        try:
            choice = lookup.definition_for(Gvk.of(obj), given, name=workload.definition if obj is workload.obj else "")
        except NothingFoundError:
            continue
        return _Chosen(obj, choice.definition, choice.warning)
    lookup.definition_for(workload.gvk, given)  # raises, and says what is near
    raise AssertionError


class _Answer(NamedTuple):
    """What became of one workload, and what it was asked of."""

    gangs: Gangs
    heading: Heading
    chosen: _Chosen
    pods: Sequence[JsonObject]
    owners: Sequence[JsonObject]


def _answer(
    chosen: _Chosen,
    pods: Sequence[JsonObject],
    owners: Sequence[JsonObject],
    given: Sequence[Definition],
    consumer: str | None,
) -> _Answer:
    from kartatest.gang import groups

    others = [d for d in given if d is not chosen.definition]
    others_objects = [o for o in owners if o is not chosen.obj]
    gangs = groups(chosen.definition, chosen.obj, pods, owners=others_objects, consumer=consumer, others=others)
    gvk, metadata = Gvk.of(chosen.obj), names.metadata_of(chosen.obj)
    namespace, name = (str(metadata.get(key) or "") for key in ("namespace", "name"))
    heading = Heading(gvk.api_version, gvk.kind, namespace, name, chosen.definition.name, consumer or "")
    return _Answer(gangs, heading, chosen, pods, others_objects)


def _needs(answer: _Answer) -> JsonObject:
    from kartatest.report.needs import needs_data
    from kartatest.resolve.totals import totals
    from kartatest.resolve.tree import resolve

    tree = resolve(answer.chosen.definition, answer.chosen.obj, pods=answer.pods, owners=answer.owners)
    return needs_data(tree, totals(tree))


def _print(answers: Sequence[_Answer], output: str, *, plain: bool) -> None:
    from kartatest.report.gang import gangs_data, gangs_text

    if output == "text":
        drawn = terminal.style(ascii_only=plain)
        terminal.write("\n".join(gangs_text(a.gangs, a.heading, style=drawn) for a in answers))
        return
    data: list[Json] = [gangs_data(a.gangs, a.heading, _needs(a)) for a in answers]
    terminal.write_json(data[0] if len(data) == 1 else data)
