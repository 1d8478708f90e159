"""Records a workload that somebody else makes something of, in any cluster."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from kartatest.cluster.capture import Moment, Told, recording, watching
from kartatest.cluster.model import Cluster
from kartatest.cluster.scenario import Reference
from kartatest.errors import ClusterError
from kartatest.recording.model import Recording
from kartatest.value import value

_TURN_SECONDS = 0.2


@value
class Followed:
    """What was seen. recording is None when nothing was. ended: why it is over, for people.

    reached: the status that was asked for was read; True where none was asked for and nothing was lost.
    unseen: kinds of owners that may not be read, so that pods below them are not recorded.
    """

    recording: Recording | None
    ended: str
    reached: bool
    unseen: tuple[str, ...] = ()


@dataclass
class Progress:
    """How far it is: frames, the statuses read last, pods, seconds since the beginning."""

    frames: int = 0
    statuses: tuple[str, ...] = ()
    pods: int = 0
    seconds: float = field(default=0.0)


def follow(
    cluster: Cluster,
    target: Reference,
    of: Recording,
    *,
    read: Callable[[Moment], tuple[str, ...]],
    until: str = "",
    pods: bool = False,
    timeout_seconds: float | None = None,
    told: Callable[[Progress], None] = lambda _progress: None,
) -> Followed:
    """Record the object until a status is read, it is deleted, the time is up, or an interrupt (Ctrl-C) comes.

    An object that is not there yet is waited for. read gives the statuses of a moment. Frames expect nothing: nobody
    said what they should read. told is called a few times a second. Raises ClusterError when nothing could be begun.
    """
    moments: list[Moment] = []
    progress = Progress()
    ended, reached = "", False
    began = time.monotonic()
    with watching(cluster, target, pods="own" if pods else "none", follows=pods) as watch:
        try:
            while not ended:
                moment = watch.next(_TURN_SECONDS)
                progress.seconds = time.monotonic() - began
                if moment is not None:
                    moments.append(moment)
                    progress.statuses = read(moment)
                    progress.frames, progress.pods = len(moments), len(moment.pods)
                told(progress)
                if until and until in progress.statuses:
                    ended, reached = f"it reads {until}", True
                elif watch.gone and moments:
                    ended = "it was deleted"
                elif watch.lost and not moments:
                    raise ClusterError(watch.lost)
                elif watch.lost:
                    ended = f"the cluster was lost: {watch.lost}"
                elif timeout_seconds is not None and progress.seconds > timeout_seconds:
                    ended = f"{timeout_seconds:g} s are over"
        except KeyboardInterrupt:
            ended = "interrupted"
    made = recording([Told(moment) for moment in moments], of) if moments else None
    return Followed(made, ended, reached or (not until and not watch.lost), tuple(sorted(watch.unseen)))
