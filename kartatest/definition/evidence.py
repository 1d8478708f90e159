"""What recordings showed of a definition, as plain data: gathered by replay, read by lint."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kartatest.source import DocPath, Json


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one expression gave on one object: its outputs, or the error that ended it (outputs is then ())."""

    outputs: tuple[Json, ...] = ()
    error: str | None = None


@dataclass(frozen=True, slots=True)
class ComponentEvidence:
    """Counts of one component in one frame. ids: instance ids found; results: per kind of value, how many outputs.

    containers: per instance, how many containers its pod spec has, None where there is no pod spec, and where it is
    in fragments that name no container: the operator then makes it.
    problems: what the resolver noted for the component.
    """

    name: str
    ids: tuple[str, ...]
    results: Mapping[str, int]
    containers: tuple[int | None, ...]
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MinimumEvidence:
    """How many pods of a component in a pod group, and of all below it, have to start together in one frame.

    instance: the one that is meant, None for all of them. counted: what schedulers that link the Go library count, None
    where they refuse, for the reason in refusal. meant: what the counts as written come to, None where they cannot be
    read.
    """

    component: str
    instance: str | None
    counted: int | None
    meant: int | None
    refusal: str = ""


@dataclass(frozen=True, slots=True)
class FrameEvidence:
    """One moment of one recording. statuses are words of the vocabulary; expected is None where nobody said.

    outcomes is keyed by the expression's document path; it holds workload expressions, and pod expressions only
    where the frame has pods (then the outputs of all pods, one Outcome per pod in pod_outcomes).
    minima: of what the pod groups list, in the definition's order; () without a gang.
    """

    recording: str
    frame: int
    statuses: tuple[str, ...]
    expected: tuple[str, ...] | None
    phase: str | None
    conditions: tuple[tuple[str, str, str], ...]
    outcomes: Mapping[DocPath, Outcome]
    pod_outcomes: Mapping[DocPath, tuple[Outcome, ...]]
    components: tuple[ComponentEvidence, ...]
    minima: tuple[MinimumEvidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """All frames that were replayed through one definition. Empty frames mean: nothing is known."""

    frames: tuple[FrameEvidence, ...] = ()
