"""Where the programs of a cluster come from: folders that the user names, PATH, what `karta lab build` made."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from kartatest.cluster.build import CORE, found
from kartatest.errors import ClusterError

FOLDERS = ("KARTA_LAB_BIN", "KUBEBUILDER_ASSETS")
"""Variables that name a folder with binaries, the first that has one goes first."""


def binary(name: str, env: Mapping[str, str] | None = None) -> Path | None:
    """The file of a program such as "etcd"; None when this machine has none in any of the places.

    Looked for in the folders of FOLDERS, in those of PATH, then in the cache of `karta lab build`.
    """
    env = os.environ if env is None else env
    for variable in FOLDERS:
        if env.get(variable):
            file = Path(env[variable]) / name
            if file.is_file() and os.access(file, os.X_OK):
                return file.absolute()
    on_path = shutil.which(name, path=env.get("PATH", os.defpath))
    if on_path:
        return Path(on_path).absolute()
    return next((built for program in CORE if program.name == name and (built := found(program))), None)


def needed(name: str, why: str) -> Path:
    """The file of a program. Raises ClusterError that names the ways to get it."""
    file = binary(name)
    if file is None:
        raise missing([name], why)
    return file


def missing(names: Sequence[str], why: str) -> ClusterError:
    """What to say about programs that are not there."""
    told = ", ".join(names)
    return ClusterError(
        f"{why} needs {told}, which {'is' if len(names) == 1 else 'are'} not on this machine: `karta lab build` makes "
        f"{'it' if len(names) == 1 else 'them'} with your Go, or name a folder that has {told} with KARTA_LAB_BIN"
    )
