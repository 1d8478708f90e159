"""Recordings: one workload through time, read from our files, manifests and dumps; written; masked."""

from __future__ import annotations

from kartatest.recording.load import Loaded as Loaded
from kartatest.recording.load import load as load
from kartatest.recording.mask import mask as mask
from kartatest.recording.model import Frame as Frame
from kartatest.recording.model import Recording as Recording
from kartatest.recording.write import text as text
from kartatest.recording.write import write as write

__all__ = ["Frame", "Loaded", "Recording", "load", "mask", "text", "write"]
