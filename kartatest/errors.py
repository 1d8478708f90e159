"""What a user can put right about a call or its surroundings; faults in files are Diagnostics instead."""

from __future__ import annotations

from collections.abc import Sequence


class KartaError(Exception):
    """The call or its surroundings are wrong. The text says what to do; the command line exits 2."""


class UsageError(KartaError):
    """An option or argument that does not fit."""


class FileError(KartaError):
    """A file that cannot be read or written."""


class NothingFoundError(KartaError):
    """There was nothing to check: an empty glob, no definition for the object, no frames. Exits 4."""


class ClusterError(KartaError):
    """A cluster, its tools or its access."""


class EditError(KartaError):
    """An edit that cannot be made as asked; nothing was changed. reasons holds all of them, each with its place.

    unwritable: every reason is a path of the definition that cannot be written through, whatever the object.
    """

    def __init__(self, reasons: Sequence[str], *, unwritable: bool = False) -> None:
        super().__init__("; ".join(reasons))
        self.reasons = tuple(reasons)
        self.unwritable = unwritable
