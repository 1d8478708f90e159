"""One operator in one lab: its manifests put into the cluster, its files written, its processes started."""

from __future__ import annotations

import os
import socket
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from kartatest.cluster import build, golang, processes, trust, webhooks
from kartatest.cluster.model import ApiError, Cluster
from kartatest.cluster.operators.model import PLACEHOLDER, Chosen, Run
from kartatest.cluster.state import Recorded, State
from kartatest.cluster.waits import until
from kartatest.definition.model import Gvk
from kartatest.errors import ClusterError
from kartatest.source import Json, JsonObject


@dataclass
class Running:
    """An operator on its way up. pki: the folder of the cluster's certificates, one of which is for 127.0.0.1."""

    chosen: Chosen
    cluster: Cluster
    state: State
    pki: Path
    ports: dict[str, int] = field(default_factory=dict)
    started: list[tuple[Run, Recorded]] = field(default_factory=list)
    configurations: list[JsonObject] = field(default_factory=list)

    @property
    def home(self) -> Path:
        """Its folder in that of the cluster."""
        return self.state.folder / "operators" / self.chosen.operator.name

    @property
    def certificates(self) -> Path:
        """The folder of tls.crt and tls.key."""
        return self.home / "tmp" / trust.SERVING

    def filled(self, text: str) -> str:
        """A text of the data file with its ${...} filled in."""
        return PLACEHOLDER.sub(lambda found: self._value(found[1]), text)

    def _value(self, asked: str) -> str:
        if asked.startswith("port."):
            name = asked.removeprefix("port.")
            if name not in self.ports:
                self.ports[name] = processes.free_ports(1)[0]
            return str(self.ports[name])
        words: Mapping[str, Callable[[], str]] = {
            "kubeconfig": lambda: str(self.state.kubeconfig),
            "files": lambda: str(self.home / "files"),
            "tmp": lambda: str(self.home / "tmp"),
            "certificates": lambda: str(self.certificates),
            "namespace": lambda: self.chosen.operator.namespace or "default",
            "version": lambda: self.chosen.version,
            "python": lambda: sys.executable,
            "api.host": lambda: str(urlsplit(_server(self.state.kubeconfig)).hostname),
            "api.port": lambda: str(urlsplit(_server(self.state.kubeconfig)).port),
        }
        return words[asked]()

    def crds(self, read: Iterable[JsonObject]) -> list[Gvk]:
        """Puts its CRDs, as `read_crds` gives them, into the cluster; the kinds that are to be served then."""
        kinds = []
        for crd in read:
            create(self.cluster, crd)
            spec = crd["spec"]
            served = [version["name"] for version in spec["versions"] if version.get("served")]
            kinds += [Gvk(spec["group"], version, spec["names"]["kind"]) for version in served]
        return kinds

    def objects(self) -> None:
        """Puts what has to be there before it starts into the cluster, its webhooks too."""
        operator = self.chosen.operator
        if operator.namespace:
            create(self.cluster, {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": operator.namespace}})
        for obj in operator.objects:
            create(self.cluster, obj)
        if service := webhooks.service(operator):
            create(self.cluster, service)
        if operator.webhooks:
            port = int(self._value("port.webhook"))
            ca = (self.pki / "ca.crt").read_bytes()
            for configuration in webhooks.configurations(operator, source(self.chosen), port, ca):
                create(self.cluster, configuration)
                self.configurations.append(configuration)

    def start(self) -> None:
        """Writes its files and starts its processes. Raises ClusterError for a port that it cannot have."""
        operator = self.chosen.operator
        for port in operator.fixed_ports:
            if _listens(port):
                told = f"{self.chosen} always listens on port {port}, which something else has taken"
                raise ClusterError(f"{told}; end that, or leave {operator.name} out of this lab")
        self.certificates.mkdir(parents=True, exist_ok=True)
        for ours, theirs in (("admin.crt", "tls.crt"), ("admin.key", "tls.key"), ("ca.crt", "ca.crt")):
            (self.certificates / theirs).write_bytes((self.pki / ours).read_bytes())
        for name, text in operator.files.items():
            file = self.home / "files" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(self.filled(text), "utf-8")
            file.chmod(0o700 if text.startswith("#!") else 0o600)
        for run in operator.run:
            argv = [*_command(run, self.chosen), *(self.filled(word) for word in run.args)]
            environment = self._environment({key: self.filled(text) for key, text in run.env.items()})
            self.started.append((run, processes.start(self.state, run.name, argv, env=environment, cwd=self.home)))

    def _environment(self, more: Mapping[str, str]) -> dict[str, str]:
        """The user's, but for what would lead it to another cluster or write into the user's home."""
        inside = ("KUBERNETES_SERVICE_HOST", "KUBERNETES_SERVICE_PORT", "SSL_CERT_FILE", "SSL_CERT_DIR")
        kept = {k: v for k, v in os.environ.items() if k not in inside and not k.lower().endswith("_proxy")}
        own = {"KUBECONFIG": str(self.state.kubeconfig), "TMPDIR": str(self.home / "tmp"), "HOME": str(self.home)}
        return {**kept, **own, **more}

    def wait(self, timeout_seconds: float) -> None:
        """Until each process says that it is ready and the webhooks are listened for.

        Raises ClusterError when one ended, with the last lines of its log, or is not ready in time.
        """
        hooks = self.chosen.operator.webhooks
        end = time.monotonic() + timeout_seconds
        if hooks and hooks.secret:
            trust.copied(self, hooks.secret, timeout_seconds)

        def is_ready() -> bool:
            for run, process in self.started:
                if not processes.is_running(process):
                    told = processes.tail(self.state, run.name, lines=3)
                    raise ClusterError(f"{self.chosen}: {run.name} ended: {told or 'it wrote nothing'}")
                if run.ready and not _answers(self.filled(run.ready)):
                    if hooks and hooks.secret:
                        trust.mark(self.chosen, self.state)
                    return False
            return hooks is None or _listens(int(self._value("port.webhook")))

        left = max(1.0, end - time.monotonic())
        try:
            until(is_ready, waiting_for=f"that {self.chosen} is ready", timeout_seconds=left, every_seconds=0.05)
        except ClusterError as error:
            raise ClusterError(f"{error}{self._waited_for()}") from error
        if hooks and hooks.secret:
            trust.unmark()
        if hooks and hooks.way == "service":
            what = f"that the webhooks of {self.chosen} are trusted"
            until(lambda: trust.is_trusted(self), waiting_for=what, timeout_seconds=max(5.0, end - time.monotonic()))
            time.sleep(trust.NOTICED_SECONDS)

    def _waited_for(self) -> str:
        """The first process that is running and does not say that it is ready, with the end of its log."""
        for run, process in self.started:
            if processes.is_running(process) and run.ready and not _answers(address := self.filled(run.ready)):
                told = processes.tail(self.state, run.name, lines=3)
                return f": {address} does not answer 200; {run.name} {f'wrote: {told}' if told else 'wrote nothing'}"
        return ""

    def after(self) -> None:
        """Puts in what its own webhooks have a say in."""
        for obj in webhooks.manifests(source(self.chosen), self.chosen.operator.after):
            until(
                lambda obj=obj: create(self.cluster, obj),  # type: ignore[misc]
                waiting_for=f"that {obj['kind']} {obj['metadata'].get('name')} of {self.chosen} is let in",
                timeout_seconds=20,
            )


def source(chosen: Chosen) -> Path:
    """The folder that an operator's manifests are in: its module's, or that of its data file. Raises ClusterError."""
    program = chosen.program
    return chosen.folder if program is None else golang.module_folder(program.module, program.version)


def read_crds(chosen: Chosen) -> list[dict[str, Json]]:
    """The CRDs of an operator. Seconds for large ones, and no cluster is needed yet.

    Raises ClusterError for what is not there, and when none of the files that are named holds a CRD.
    """
    named = chosen.operator.crds
    read = list(webhooks.crds(chosen.operator, source(chosen))) if named else []
    if named and not read:
        raise ClusterError(f"{chosen}: there is no CRD in {', '.join(named)}, which its data file names for them")
    return read


def create(cluster: Cluster, obj: JsonObject) -> bool:
    """Create an object unless it is there already; gives True."""
    try:
        cluster.create(obj)
    except ApiError as error:
        if error.code != 409:
            raise
    return True


def served(cluster: Cluster, kinds: Iterable[Gvk], *, timeout_seconds: float) -> None:
    """Comes back once the server serves these kinds. It is asked for short lists, not for CRDs of megabytes.

    Raises ClusterError after the time is up.
    """
    for gvk in kinds:

        def is_served(gvk: Gvk = gvk) -> bool:
            try:
                found = cluster.raw(f"/apis/{gvk.group}/{gvk.version}")
            except ApiError as error:
                if error.code == 404:
                    return False
                raise
            return any(resource["kind"] == gvk.kind for resource in found.get("resources") or ())

        until(is_served, waiting_for=f"that {gvk} is served", timeout_seconds=timeout_seconds, every_seconds=0.05)


def _command(run: Run, chosen: Chosen) -> list[str | Path]:
    if run.stand_in:
        return [sys.executable, "-m", f"kartatest.cluster.standins.{run.stand_in}"]
    return [chosen.binary or binary(chosen)]


def binary(chosen: Chosen) -> Path:
    """The file of an operator's program. Raises ClusterError when it is not built."""
    program = chosen.program
    if program is None:
        file = chosen.binary
        assert file is not None
        return file
    found = build.found(program, default=chosen.version == chosen.operator.versions[0])
    if found is None:
        raise ClusterError(f"{chosen} is not built; `karta lab build {chosen}` does it with your Go")
    return found


def _server(kubeconfig: Path) -> str:
    import yaml

    held: Json = yaml.safe_load(kubeconfig.read_text("utf-8"))
    return str(held["clusters"][0]["cluster"]["server"])


def _listens(port: int) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _answers(address: str) -> bool:
    from urllib.request import ProxyHandler, build_opener

    try:
        with build_opener(ProxyHandler({})).open(address, timeout=2) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False
