"""The checks behind the items of `::cluster`."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from kartatest.errors import ClusterError, EditError

if TYPE_CHECKING:
    from kartatest.cluster.crds import Release
    from kartatest.cluster.model import Cluster
    from kartatest.cluster.roundtrip import Finding
    from kartatest.definition.load import LoadedDefinition
    from kartatest.definition.model import Definition, Gvk
    from kartatest.edit import Edited
    from kartatest.pytest_plugin.clusters import Session
    from kartatest.recording.model import Recording
    from kartatest.source import JsonObject

_PROBE = "karta-probe"
_MOST_LINES = 40


@dataclass(frozen=True)
class Report:
    """failures: lines, none when all is well. notes: what else there is to tell. skip: why nothing could be checked."""

    failures: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    skip: str = ""


def has_crd(definition: Definition) -> bool:
    """Whether the kind is brought by a CRD."""
    kind = definition.root.kind
    return kind is not None and _is_custom(kind)


def _is_custom(kind: Gvk) -> bool:
    from kartatest.cluster.crds import is_custom

    return is_custom(kind)


def releases(session: Session, definition: Definition) -> tuple[Release, ...]:
    """The CRDs of the definition's kind that are on this machine, oldest release first."""
    kind = definition.root.kind
    return _releases(kind, session.crds) if kind is not None and _is_custom(kind) else ()


@cache
def _releases(kind: Gvk, places: tuple[Path, ...]) -> tuple[Release, ...]:
    from kartatest.cluster.crds import releases as found

    return found(kind, places)


def no_crd(definition: Definition) -> Report:
    """What to do where no CRD is at hand."""
    return Report(skip=_no_crd(str(definition.root.kind)))


def _no_crd(kind: str) -> str:
    return f"no CRD of {kind} is on this machine: `karta crds sync` fetches them, or name a folder with --karta-crds"


def accepted(session: Session, loaded: LoadedDefinition) -> Report:
    """Whether a server with our CRD takes the definition, and refuses what is wrong with it on purpose."""
    from kartatest.cluster.kartas import refused, taken

    cluster = session.cluster()
    with _own_crd(session, cluster) as missing:
        if missing:
            return Report(skip=missing)
        document = loaded.document.value
        lines = list(taken(cluster, document))
        lines += refused(cluster, with_rules=session.provider != "fake")
    return Report(tuple(lines))


@contextmanager
def _own_crd(session: Session, cluster: Cluster) -> Iterator[str]:
    """Within, the cluster has our CRD; else why it has not."""
    from kartatest.cluster import kartas, waits
    from kartatest.cluster.crds import present

    release = kartas.release()
    try:
        with present(cluster, {release.crd: release}, session.rights, locks=session.locks):
            yield ""
            return
    except ClusterError as error:
        if cluster.get(waits.CRD, release.crd) is not None:
            raise
        missing = str(error)
    yield missing


def crd(session: Session, definition: Definition, release: Release, recordings: Sequence[Recording]) -> Report:
    """Whether our types are what the server publishes of this release, and whether it keeps what edits write."""
    from kartatest.cluster import crds, waits

    cluster, kind = session.cluster(), definition.root.kind
    assert kind is not None
    if not session.rights.replace and cluster.get(waits.CRD, release.crd) is not None:
        return Report(skip=f"{cluster.name} has a CRD {release.crd} of its own, which is not replaced")
    try:
        with crds.present(cluster, {release.crd: release}, session.rights, locks=session.locks):
            failures = _types(cluster, release, session)
            failures += _writable(cluster, session, definition, release, recordings)
    except crds.RefusedError as error:
        return Report(skip=f"the server refuses the CRD {release}: {_first(error)}")
    except ClusterError as error:
        if cluster.get(waits.CRD, release.crd) is None and not session.rights.add:
            return Report(skip=str(error))
        raise
    return Report(tuple(_cut(failures)))


def _first(error: Exception) -> str:
    causes = getattr(error, "causes", ())
    return f"{causes[0][0]}: {causes[0][1]}, and {len(causes) - 1} more" if causes else str(error)


def _types(cluster: Cluster, release: Release, session: Session) -> list[str]:
    from kartatest.cluster import crds

    if session.provider == "fake":
        return []  # it publishes nothing
    lines = []
    for schema in crds.schemas(release):
        lines += [f"{schema}: {difference}" for difference in crds.disagreements(cluster, schema)]
    return lines


def _writable(
    cluster: Cluster, session: Session, definition: Definition, release: Release, recordings: Sequence[Recording]
) -> list[str]:
    """What the server does not keep of the edits of each recording that this release is the nearest for."""
    from kartatest.cluster.crds import nearest
    from kartatest.cluster.roundtrip import unwritable

    lines: dict[str, None] = {}
    for recording in recordings:
        if nearest(releases(session, definition), recording.version) != release or not recording.frames:
            continue
        obj = recording.frames[0].obj
        for what, edited in _edits(definition, obj):
            for finding in unwritable(cluster, obj, edited.obj):
                lines[f"{what} {finding.who} of {recording.name}: {finding}"] = None
    return list(lines)


def _edits(definition: Definition, obj: JsonObject) -> Iterator[tuple[str, Edited]]:
    """What the definition can write to an object: it is suspended, its pods get another scheduler and class."""
    from kartatest.edit import PodPatch, set_pods, suspend

    if any(component.suspend for component in definition.components):
        with contextlib.suppress(EditError):  # which `::edits` tells
            yield "suspending", suspend(definition, obj)
    for component in definition.components:
        if component.bears_pods:
            patch = PodPatch(scheduler_name=_PROBE)
            with contextlib.suppress(EditError):
                yield f"setting pods of {component.name} in", set_pods(definition, obj, patch, component=component.name)


def flow(session: Session, definition: Definition, recording: Recording) -> Report:
    """Whether a recording reads the same after a trip through the server, which must keep all of the workload.

    Where the CRD of its release is not at hand those of others are tried in turn: a field that all but one refuse, or
    that they drop, is no fault of the recording, unless it then reads otherwise.
    """
    from kartatest.cluster import crds, roundtrip
    from kartatest.schema import order

    if recording.flow == roundtrip.REDUCED:
        return Report(skip="its objects are cut down on purpose, so that no server would hold them")
    kind = definition.root.kind
    if kind is None or not _is_custom(kind) or (not session.rights.replace and _is_served(session.cluster(), kind)):
        return _flow(session, definition, recording, None)
    first: Report | None = None
    for release in crds.candidates(_releases(kind, session.crds), recording.version):
        try:
            report = _flow(session, definition, recording, release)
        except crds.RefusedError as error:
            report = Report(skip=f"the server refuses the CRD {error.release}: {_first(error)}")
        else:
            if not report.failures or order.same(release.tag, recording.version):
                return report
        first = first or report
    return first or Report(skip=_no_crd(str(kind)))


def _flow(session: Session, definition: Definition, recording: Recording, own: Release | None) -> Report:
    """With one release of the workload's CRD; None where the cluster has the kind."""
    from kartatest.cluster import crds, roundtrip
    from kartatest.cluster.roundtrip import Outcome
    from kartatest.schema import order

    cluster = session.cluster()
    wanted: dict[str, Release] = {}
    unknown: list[Gvk] = []
    notes: list[str] = []
    for kind in roundtrip.kinds(recording):
        if not _is_custom(kind) or (not session.rights.replace and _is_served(cluster, kind)):
            continue
        release = own if kind == definition.root.kind else crds.nearest(_releases(kind, session.crds), "")
        if release is not None:
            wanted[release.crd] = crds.storing(release, kind.version)
        elif not session.rights.replace:
            return Report(skip=_no_crd(str(kind)))
        else:
            notes.append(f"no CRD of {kind} is on this machine; one that holds anything stands in for it")
            unknown.append(kind)
    is_exact = own is None or order.same(own.tag, recording.version)
    if own is not None and not is_exact and recording.version:
        notes.append(f"tried with the CRD {own}, as that of {recording.version} is not on this machine")
    with crds.present(cluster, wanted, session.rights, unknown=unknown, locks=session.locks):
        trip = roundtrip.through(cluster, recording)
    workload = roundtrip.who(recording.frames[0].obj)
    wrong = [
        f
        for f in trip.findings
        if f.outcome is Outcome.REFUSED or (f.outcome is Outcome.DROPPED and f.who == workload and is_exact)
    ]
    failures = [str(finding) for finding in _once(wrong)]
    failures += _read_otherwise(definition, recording, trip.recording)
    notes += [str(finding) for finding in _once([f for f in trip.findings if f not in wrong])]
    return Report(tuple(_cut(failures)), tuple(notes))


def _is_served(cluster: Cluster, kind: Gvk) -> bool:
    try:
        cluster.resource(kind)
    except ClusterError:
        return False
    return True


def _once(findings: Sequence[Finding]) -> list[Finding]:
    """The first of those that say the same of one object in several frames."""
    first: dict[tuple[object, ...], Finding] = {}
    for finding in findings:
        first.setdefault((finding.outcome, finding.who, finding.at, finding.message), finding)
    return list(first.values())


def _read_otherwise(definition: Definition, recording: Recording, back: Recording) -> list[str]:
    """How the golden differs from what the definition reads in what came back."""
    from kartatest import golden
    from kartatest.golden import files

    before = files.read(recording) or golden.text(definition, recording)
    difference = golden.diff(before, golden.text(definition, back), str(files.path(recording)))
    return ["read back from the server, it says something else:", *difference.splitlines()] if difference else []


def _cut(lines: list[str]) -> list[str]:
    return lines if len(lines) <= _MOST_LINES else [*lines[:_MOST_LINES], f"... and {len(lines) - _MOST_LINES} more"]
