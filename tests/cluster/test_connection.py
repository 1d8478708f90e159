"""How a cluster is reached: kubeconfigs that are wrong, credentials that are not taken; one line says what it is."""

from __future__ import annotations

import http.server
import json
import logging
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from kartatest.cli import main
from kartatest.cluster.connection import _reason, opened
from kartatest.cluster.model import Access
from kartatest.errors import ClusterError


class _Refusing(http.server.BaseHTTPRequestHandler):
    """An API server that knows nobody."""

    def do_GET(self) -> None:
        answer = json.dumps({"kind": "Status", "message": "Unauthorized", "reason": "Unauthorized", "code": 401})
        self.send_response(401)
        self.end_headers()
        self.wfile.write(answer.encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def refusing() -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Refusing)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def kubeconfig(folder: Path, *, cluster: str = 'server: "http://127.0.0.1:1"', user: str = "token: old") -> Path:
    file = folder / "config"
    file.write_text(
        "apiVersion: v1\nkind: Config\ncurrent-context: mine\n"
        f"clusters: [{{name: c, cluster: {{{cluster}}}}}]\nusers: [{{name: u, user: {{{user}}}}}]\n"
        "contexts: [{name: mine, context: {cluster: c, user: u}}]\n",
        "utf-8",
    )
    return file


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a: [\nb: 1\n", "cannot read {file}:3:1: did not find expected ',' or ']'"),
        ("hello\n", "{file} is no kubeconfig"),
        ("", "{file} is no kubeconfig"),
        ("clusters: 5\n", "{file} is no kubeconfig"),
        ("a: \x00\n", "cannot read {file}: it is no YAML"),
    ],
)
def test_a_file_that_is_no_kubeconfig(text: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "config"
    file.write_text(text, "utf-8")
    assert main(["get", "--kubeconfig", str(file)]) == 2
    assert capsys.readouterr().err == f"karta: {told.format(file=file)}\n"


def test_a_folder_is_no_kubeconfig(tmp_path: Path) -> None:
    with pytest.raises(ClusterError, match=r"^cannot read .*: Is a directory$"):
        opened(Access(tmp_path))


def test_what_a_kubeconfig_lacks_is_said_without_what_it_holds(tmp_path: Path) -> None:
    file = kubeconfig(tmp_path, cluster="certificate-authority-data: c2VjcmV0, server: null")
    with pytest.raises(ClusterError) as caught:
        opened(Access(file))
    assert str(caught.value) == f"cannot read {file}: Expected key server, for the context 'mine'"


def test_a_plugin_for_credentials_that_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plugin = "exec: {apiVersion: client.authentication.k8s.io/v1, command: no-such-plugin}"
    before = list(logging.getLogger().handlers)
    assert main(["get", "--kubeconfig", str(kubeconfig(tmp_path, user=plugin))]) == 2
    said = capsys.readouterr().err
    assert said.startswith("karta: the credentials of the context 'mine' cannot be had: ")
    assert "no-such-plugin" in said
    assert said.count("\n") == 1
    assert logging.getLogger().handlers == before


@pytest.mark.parametrize("call", [["get", "-A"], ["describe", "job", "x"], ["definitions", "list", "--cluster"]])
def test_credentials_that_are_not_taken(
    call: list[str], refusing: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = kubeconfig(tmp_path, cluster=f'server: "{refusing}", insecure-skip-tls-verify: true')
    assert main([*call, "--kubeconfig", str(file)]) == 2
    told = f"karta: the API server at {refusing} does not accept the credentials of the context 'mine'\n"
    assert capsys.readouterr().err == told


def test_who_turned_checks_off_is_not_warned_of_it(tmp_path: Path, recwarn: pytest.WarningsRecorder) -> None:
    """A warning of urllib3 is two lines on stderr for each call; the kubeconfig asked for it."""
    import warnings

    import urllib3

    opened(Access(kubeconfig(tmp_path, cluster='server: "https://127.0.0.1:1", insecure-skip-tls-verify: true')))
    warnings.warn("unverified", urllib3.exceptions.InsecureRequestWarning, stacklevel=1)
    assert [str(w.message) for w in recwarn if w.category is urllib3.exceptions.InsecureRequestWarning] == []


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("<x object at 0x1>: Failed ([Errno -2] Name not known)", "Failed ([Errno -2] Name not known)"),
        ("<x>: HTTPSConnection(host='h', port=1): Failed: [Errno 111] refused", "Failed: [Errno 111] refused"),
        ("<x>: verify failed (_ssl.c:1006)))", "verify failed (_ssl.c:1006)"),
        ("", "Exception"),
    ],
)
def test_reasons_are_one_whole_line(text: str, line: str) -> None:
    assert _reason(Exception(text)) == line
