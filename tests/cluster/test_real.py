"""A real API server on real data: every CRD, every recording, definitions good and bad."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from kartatest import catalog, golden
from kartatest.cluster import crds, kartas, roundtrip
from kartatest.cluster.crds import RefusedError, Release, present
from kartatest.cluster.model import Cluster
from kartatest.cluster.roundtrip import Outcome
from kartatest.cluster.waits import CRD
from kartatest.definition.model import Definition, Gvk
from kartatest.recording.find import load_file
from kartatest.recording.model import Recording
from kartatest.replay import choose
from kartatest.schema import index, order
from kartatest.source import Source
from kartatest.yamlpos import documents
from tests import realdata

pytestmark = pytest.mark.cluster

ROOT = Path(__file__).parents[2]
REFUSED = {
    # Lists and objects below `inline` have no type, which structural schemas ask for (Argo publishes a minimal CRD
    # beside this one, for that reason).
    "workflows.argoproj.io v3.6.10",
}


@cache
def definitions() -> tuple[Definition, ...]:
    return tuple(found.definition for name in catalog.names() if (found := catalog.by_name(name)))


def real_crds() -> list[Release]:
    folder = realdata.crds()
    files = sorted(folder.glob("*/*.yaml")) if folder else []
    return [Release(file.parent.name, file.stem, file) for file in files]


@pytest.mark.slow
@pytest.mark.parametrize("release", real_crds() or [None], ids=lambda release: str(release).replace(" ", "@"))
def test_the_types_of_every_crd_are_what_a_server_publishes(kwok: Cluster, release: Release | None) -> None:
    if release is None:
        pytest.skip(realdata.ABSENT)
    for other in kwok.list(CRD):  # thirty large ones at once are more than an API server of this size holds
        if other["metadata"]["name"] not in (release.crd, kartas.NAME):
            kwok.delete(CRD, other["metadata"]["name"])
    try:
        with present(kwok, {release.crd: release}):
            assert str(release) not in REFUSED
            found = {str(schema): list(map(str, crds.disagreements(kwok, schema))) for schema in crds.schemas(release)}
    except RefusedError as error:
        if str(error.release) not in REFUSED:
            raise
        return
    assert found
    assert {name: differences for name, differences in found.items() if differences} == {}


def recordings() -> Iterator[Recording]:
    """Ours, then the recorded flows for which a definition exists, those of one CRD beside each other."""
    ours = [r for file in sorted((ROOT / "fixtures").glob("*/*.yaml")) for r in load_file(file).recordings]
    theirs = [dataclasses.replace(r, part="recorded") for r in realdata.recorded_flows()]
    for recording in sorted([*ours, *theirs], key=lambda r: (r.definition, r.version, r.file)):
        if choose(recording, definitions()) is not None:
            yield recording


def _id(recording: Recording) -> str:
    return f"{recording.definition}/{recording.name}{f'@{recording.part}' if recording.part else ''}"


@pytest.mark.parametrize("recording", list(recordings()), ids=_id)
def test_every_recording_reads_the_same_after_a_server_held_it(kwok: Cluster, recording: Recording) -> None:
    definition = choose(recording, definitions())
    assert definition is not None
    assert definition.root.kind is not None
    if recording.flow == roundtrip.REDUCED:
        pytest.skip("objects that people cut down, which no server would hold")
    faults = []
    for own in root_releases(recording, definition.root.kind):
        wanted, unknown = held(recording, definition.root.kind, own)
        try:
            with present(kwok, wanted, unknown=unknown):
                trip = roundtrip.through(kwok, recording)
        except RefusedError as error:
            if str(error.release) not in REFUSED:
                raise
            continue
        workload = roundtrip.who(recording.frames[0].obj)
        lost = [str(f) for f in trip.of(Outcome.REFUSED)]
        if own is None or order.same(own.tag, recording.version):
            lost += [str(f) for f in trip.of(Outcome.DROPPED) if f.who == workload]
        read = golden.text(definition, trip.recording)
        faults.append((lost, read))
        if not lost and read == golden.text(definition, recording):
            return
        if own is None or order.same(own.tag, recording.version):
            break
    assert faults, "no server takes the CRD"
    assert faults[0] == ([], golden.text(definition, recording))


def root_releases(recording: Recording, root: Gvk) -> list[Release | None]:
    if not crds.is_custom(root):
        return [None]
    folder = realdata.crds()
    found = crds.releases(root, [folder] if folder else [])
    if not found:
        pytest.skip(f"no CRD of {root}: {realdata.ABSENT}")
    return list(crds.candidates(found, recording.version))


def held(recording: Recording, root: Gvk, own: Release | None) -> tuple[dict[str, Release], list[Gvk]]:
    """The CRDs that a recording needs, and the kinds of which there is none."""
    wanted: dict[str, Release] = {}
    unknown = []
    folder = realdata.crds()
    for kind in roundtrip.kinds(recording):
        if not crds.is_custom(kind):
            continue
        release = own if kind == root else crds.nearest(crds.releases(kind, [folder] if folder else []), "")
        if release is None:
            unknown.append(kind)
        else:
            wanted[release.crd] = crds.storing(release, kind.version)
    return wanted, unknown


@pytest.fixture
def karta_crd(kwok: Cluster) -> Iterator[None]:
    with present(kwok, {kartas.NAME: kartas.release()}):
        yield


@pytest.mark.usefixtures("karta_crd")
def test_what_a_server_refuses_of_definitions(kwok: Cluster) -> None:
    assert list(kartas.taken(kwok, kartas.good())) == []
    assert list(kartas.refused(kwok)) == []


@pytest.mark.usefixtures("karta_crd")
@pytest.mark.parametrize("file", sorted((ROOT / "catalog").glob("*.yaml")), ids=lambda file: file.stem)
def test_every_definition_of_the_catalog_is_taken(kwok: Cluster, file: Path) -> None:
    for document in documents(Source(str(file), file.read_text("utf-8"))).documents:
        assert list(kartas.taken(kwok, document.value)) == []


CASES = ROOT / "tests" / "definition" / "cases"
BAD = ("missing-fields", "repeated-items", "too-short", "wrong-types")


@pytest.mark.usefixtures("karta_crd")
@pytest.mark.parametrize("name", BAD)
def test_bad_definitions_of_the_cases_are_refused_by_a_server_too(kwok: Cluster, name: str) -> None:
    file = CASES / f"{name}.yaml"
    for document in documents(Source(str(file), file.read_text("utf-8"))).documents:
        value = {**document.value, "metadata": {"name": "karta-probe", **(document.value.get("metadata") or {})}}
        assert list(kartas.taken(kwok, value)) != []


def test_the_index_knows_each_real_crd() -> None:
    known = {(entry.crd, entry.tag) for entry in index.built_in()}
    assert {(release.crd, release.tag) for release in real_crds()} <= known
