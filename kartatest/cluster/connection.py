"""Requests to one API server: addresses, credentials, refusals. What the answers mean is the client's affair."""

from __future__ import annotations

import contextlib
import importlib
import ipaddress
import json
import logging
import os
import re
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from kartatest.cluster.model import Access, ApiError
from kartatest.errors import ClusterError
from kartatest.source import Json

JSON = "application/json"
_MOMENT = 0.1
"""Seconds. The header says whole ones, mostly 1, even while a kind is being set up, which takes some hundredths."""


class Connection:
    """One API server as one user. Safe to use from several threads."""

    def __init__(self, configuration: Any, *, context: str, namespace: str, timeout_seconds: float):
        import urllib3
        from kubernetes.client import ApiClient

        if not configuration.verify_ssl:  # the kubeconfig says so; a warning for each request says nothing new
            urllib3.disable_warnings(urllib3.exceptions.InsecureRequestWarning)
        self._configuration = configuration
        self._client = ApiClient(configuration)
        self._pool = self._client.rest_client.pool_manager
        self.context = context
        self.namespace = namespace
        self.timeout_seconds = timeout_seconds

    @property
    def host(self) -> str:
        """Where the server is: "https://127.0.0.1:6443"."""
        return str(self._configuration.host).rstrip("/")

    def close(self) -> None:
        """Gives the connections back."""
        self._pool.clear()

    def call(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, str] | None = None,
        body: Json = None,
        content: str = JSON,
        accept: str = JSON,
    ) -> Json:
        """The JSON that the server answers. Raises ApiError when it refuses, is away or takes too long.

        A server that asks for a moment (429) gets it, as from every client of Kubernetes.
        """
        until = time.monotonic() + (self.timeout_seconds or 30)
        while True:
            try:
                answer = self._send(method, path, query, body, content, accept, self.timeout_seconds, stream=False)
                return self._json(answer.data, method, path)
            except ApiError as error:
                if error.code != 429 or time.monotonic() > until:
                    raise
            time.sleep(_MOMENT)

    def text(self, path: str) -> str:
        """What the server answers as text, for paths that give no JSON (a pod's log)."""
        answer = self._send("GET", path, None, None, JSON, "*/*", self.timeout_seconds, stream=False)
        return str(answer.data.decode("utf-8", "replace"))

    def lines(self, path: str, query: Mapping[str, str], *, timeout_seconds: float) -> Iterator[Json]:
        """One JSON value for each line as it comes, until the server ends or nothing came for so long."""
        import urllib3

        answer = self._send("GET", path, query, None, JSON, JSON, timeout_seconds, stream=True)
        rest = b""
        try:
            for chunk in answer.stream(amt=None, decode_content=False):
                *whole, rest = (rest + chunk).split(b"\n")
                for line in whole:
                    if line.strip():
                        yield self._json(line, "GET", path)
        except urllib3.exceptions.ReadTimeoutError:
            return
        except urllib3.exceptions.HTTPError as error:
            raise ApiError(f"the API server at {self.host} went away: {_reason(error)}") from error
        finally:
            with contextlib.suppress(Exception):
                answer.close()

    def _send(
        self,
        method: str,
        path: str,
        query: Mapping[str, str] | None,
        body: Json,
        content: str,
        accept: str,
        timeout_seconds: float,
        *,
        stream: bool,
    ) -> Any:
        import urllib3

        url = self.host + path + (f"?{urlencode(query)}" if query else "")
        headers = {"Accept": accept, "User-Agent": "karta", **self._credentials()}
        if body is not None:
            headers["Content-Type"] = content
        patience = urllib3.Timeout(
            connect=min(timeout_seconds, 10) if timeout_seconds else None, read=timeout_seconds or None
        )
        try:
            answer = self._pool.request(
                method,
                url,
                body=None if body is None else json.dumps(body, ensure_ascii=False).encode("utf-8"),
                headers=headers,
                timeout=patience,
                retries=urllib3.Retry(1 if method == "GET" else 0, redirect=0, respect_retry_after_header=False),
                preload_content=not stream,
            )
        except urllib3.exceptions.HTTPError as error:
            raise ApiError(f"the API server at {self.host} cannot be reached: {_reason(error)}") from error
        if answer.status == 401:
            told = f"the API server at {self.host} does not accept the credentials of the context {self.context!r}"
            raise ApiError(told, code=401, reason="Unauthorized")
        if answer.status >= 400:
            raise _refusal(answer.status, answer.data, method, path)
        return answer

    def _credentials(self) -> dict[str, str]:
        """Headers that say who asks; a token that grew old is asked for again."""
        return {
            str(setting["key"]): str(setting["value"])
            for setting in self._configuration.auth_settings().values()
            if setting["in"] == "header" and setting["value"]
        }

    def _json(self, data: bytes, method: str, path: str) -> Json:
        try:
            return json.loads(data)
        except ValueError as error:
            raise ApiError(f"{self.host}{path} answered no JSON to {method}") from error


def _reason(error: BaseException) -> str:
    """The innermost cause in one line; urllib3 wraps it in addresses of objects."""
    inner: Any = getattr(error, "reason", None) or error
    text = str(inner).rpartition(">: ")[2] or type(inner).__name__
    line = re.sub(r"^HTTPS?Connection(Pool)?\([^()]*\): ", "", text.splitlines()[0]).rstrip(".")
    while line.endswith(")") and line.count(")") > line.count("("):
        line = line[:-1]
    return line


def _refusal(code: int, data: bytes, method: str, path: str) -> ApiError:
    try:
        status = json.loads(data)
    except ValueError:
        status = None
    if not isinstance(status, dict) or status.get("kind") != "Status":
        text = data.decode("utf-8", "replace").strip()[:200] or f"HTTP {code}"
        return ApiError(f"{method} {path}: {text}", code=code)
    details = status.get("details") or {}
    causes = [(str(cause.get("field", "")), str(cause.get("message", ""))) for cause in details.get("causes") or ()]
    return ApiError(
        str(status.get("message") or f"HTTP {code}"),
        code=code,
        reason=str(status.get("reason", "")),
        causes=tuple(causes),
    )


def opened(access: Access, *, scratch: Path | None = None) -> Connection:
    """A connection as kubectl would make it from the same flags. Nothing is asked of the server yet.

    scratch: where keys that stand in the kubeconfig are put as files, as TLS wants them; None: the system's folder
    for such, emptied at exit. The kubeconfig is only read, also when a token is renewed. Raises ClusterError.
    """
    from kubernetes import client

    config: Any = importlib.import_module("kubernetes.config")  # it has no types
    files = str(access.kubeconfig) if access.kubeconfig else kubeconfigs()
    configuration = type.__call__(client.Configuration)  # not the process-wide default that others may have set
    try:
        if not any(Path(name).exists() for name in files.split(os.pathsep) if name):
            if "KUBERNETES_SERVICE_HOST" in os.environ and not (access.kubeconfig or access.context):
                config.load_incluster_config(client_configuration=configuration)
                own = Path("/var/run/secrets/kubernetes.io/serviceaccount/namespace")
                inside = own.read_text("utf-8").strip() if own.exists() else "default"
                return _made(configuration, access, context="in-cluster", namespace=inside)
            raise ClusterError(f"there is no kubeconfig at {files}: name one with --kubeconfig, or set KUBECONFIG")
        _readable(files)
        contexts, current = config.list_kube_config_contexts(files)
        context = access.context or (current or {}).get("name", "")
        chosen = next((held for held in contexts if held["name"] == context), None)
        if chosen is None:
            known = ", ".join(sorted(held["name"] for held in contexts)) or "none"
            raise ClusterError(f"{files} has no context {context!r}: it has {known}")
        with _complaints() as complaints:
            config.load_kube_config(
                files,
                context=context,
                client_configuration=configuration,
                persist_config=False,
                temp_file_path=None if scratch is None else str(scratch),
            )
        if complaints:
            raise ClusterError(f"the credentials of the context {context!r} cannot be had: {complaints[0]}")
    except ClusterError:
        raise
    except Exception as error:  # the library raises whatever a broken file makes it stumble over
        expected = re.match(r"Invalid kube-config file\. (Expected .+?) in ", str(error))
        told = f"{expected[1]}, for the context {context!r}" if expected else _reason(error)
        raise ClusterError(f"cannot read {files}: {told}") from error
    return _made(configuration, access, context=context, namespace=chosen["context"].get("namespace") or "default")


def _readable(files: str) -> None:
    """Raises ClusterError for a file that is no YAML, at its place, or no kubeconfig; one that is away is no fault."""
    import yaml

    for name in filter(None, files.split(os.pathsep)):
        try:
            with Path(name).open(encoding="utf-8") as file:
                held = yaml.load(file, yaml.CSafeLoader)
        except FileNotFoundError:
            continue
        except OSError as error:
            raise ClusterError(f"cannot read {name}: {error.strerror}") from None
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark
            place = f":{mark.line + 1}:{mark.column + 1}" if mark else ""
            raise ClusterError(f"cannot read {name}{place}: {error.problem or error.context}") from None
        except (yaml.YAMLError, UnicodeDecodeError):
            raise ClusterError(f"cannot read {name}: it is no YAML") from None
        if not isinstance(held, dict) or not isinstance(held.get("clusters") or [], list):
            raise ClusterError(f"{name} is no kubeconfig")


@contextlib.contextmanager
def _complaints() -> Iterator[list[str]]:
    """What the library logs as an error within, in its order: a plugin for credentials that fails is only logged."""
    told: list[str] = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            told.append((record.getMessage().splitlines() or [record.levelname])[0])

    kept = Kept(logging.ERROR)
    logging.getLogger().addHandler(kept)
    try:
        yield told
    finally:
        logging.getLogger().removeHandler(kept)


def kubeconfigs() -> str:
    """The files of the user, as KUBECONFIG lists them, else the one at home."""
    home = Path(os.environ.get("HOME") or tempfile.gettempdir())
    return os.environ.get("KUBECONFIG") or str(home / ".kube" / "config")


def _made(configuration: Any, access: Access, *, context: str, namespace: str) -> Connection:
    if _is_loopback(str(configuration.host)):
        configuration.proxy = None
    return Connection(
        configuration,
        context=context,
        namespace=access.namespace or namespace,
        timeout_seconds=access.request_timeout_seconds,
    )


def _is_loopback(host: str) -> bool:
    name = urlsplit(host).hostname or ""
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
