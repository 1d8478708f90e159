"""How an operator is built and run, as its data file says it. Texts may hold ${...}, filled in when it is started."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field
from pathlib import Path
from typing import Literal

from kartatest.cluster.build import Program
from kartatest.errors import ClusterError
from kartatest.source import Json, JsonObject
from kartatest.value import value

PLACEHOLDER = re.compile(r"\$\{([^}]*)\}")
WORDS = ("kubeconfig", "files", "tmp", "certificates", "namespace", "version", "python", "api.host", "api.port")
"""What a text may ask for, beside `port.<name>`: a free port of 127.0.0.1, the same wherever the name stands."""


@value
class Run:
    """One process. ready: an http address that answers 200 once it works; "" for none.

    stand_in: a module of ours that is run in place of the operator's binary; "" for the binary.
    """

    name: str
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    ready: str = ""
    stand_in: str = ""


@value
class Webhooks:
    """Admission webhooks, and how the API server finds them.

    way "url": by address, with a certificate of the lab's. way "service": by a Service that leads to 127.0.0.1, with
    the operator's own certificate; secret is then where it keeps it, and is copied to its certificate folder.
    names: configurations by the name in the manifest, and what they are called here. selectors: objectSelector by the
    webhook's name. left_out: webhooks that are not wanted, by name.
    """

    way: Literal["url", "service"]
    files: tuple[str, ...]
    service: str = ""
    secret: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    selectors: Mapping[str, Json] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()


@value
class Operator:
    """One operator. Either module, package and versions, or binary and one version, are given.

    kinds: apiVersion/Kind of what it runs. crds, webhooks.files and after are paths below the module's folder, or
    below that of the data file when it names a binary; a folder means all its YAML files.
    objects are there before it starts, after once it works. needs: names of operators that have to run first.
    fixed_ports: those it takes whatever it is told. stand_ins: what else of ours plays a part, in words.
    """

    name: str
    kinds: tuple[str, ...] = ()
    module: str = ""
    package: str = "."
    versions: tuple[str, ...] = ()
    replaces: bool = False
    binary: str = ""
    crds: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    namespace: str = ""
    needs: tuple[str, ...] = ()
    objects: tuple[JsonObject, ...] = ()
    after: tuple[str, ...] = ()
    webhooks: Webhooks | None = None
    files: Mapping[str, str] = field(default_factory=dict)
    run: tuple[Run, ...] = ()
    fixed_ports: tuple[int, ...] = ()
    stand_ins: tuple[str, ...] = ()
    file: Path | None = field(default=None, compare=False)

    def texts(self) -> Iterator[str]:
        """Every text in which ${...} is filled in."""
        for run in self.run:
            yield from (*run.args, *run.env.values(), run.ready)
        yield from self.files.values()


@value
class Chosen:
    """An operator in one of its versions."""

    operator: Operator
    version: str

    def __str__(self) -> str:
        return f"{self.operator.name}@{self.version}"

    @property
    def program(self) -> Program | None:
        """What is built; None for one with a binary of its own."""
        operator = self.operator
        if not operator.module:
            return None
        package = operator.module if operator.package == "." else f"{operator.module}/{operator.package}"
        return Program(operator.name, operator.module, self.version, package, replaces=operator.replaces)

    @property
    def binary(self) -> Path | None:
        """The file of an operator that is not built. Raises ClusterError when it is not there."""
        if self.operator.module:
            return None
        file = self.folder / self.operator.binary
        if not file.is_file():
            raise ClusterError(f"{self.operator.file}: there is no binary {file}")
        return file.absolute()

    @property
    def folder(self) -> Path:
        """The folder of its data file."""
        return (self.operator.file or Path("x")).parent
