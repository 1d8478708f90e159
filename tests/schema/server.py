"""A web server on this machine that gives files, and can be told to misbehave."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Server:
    """files: path to content. What the others say happens once per listed entry, request by request."""

    url: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    cut_after: list[int] = field(default_factory=list)
    """Close the connection after so many bytes of the answer."""
    statuses: list[int] = field(default_factory=list)
    """Answer with this instead."""
    ranges: bool = True
    """Whether asking for a part gives a part."""
    wrong_range: bool = False
    asked: list[tuple[str, str]] = field(default_factory=list)
    """Paths and Range headers of the requests."""


@contextmanager
def serving() -> Iterator[Server]:
    state = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:  # the name that http.server looks for
            asked = self.headers.get("Range", "")
            state.asked.append((self.path, asked))
            data = state.files.get(self.path)
            if state.statuses:
                self.send_error(state.statuses.pop(0))
                return
            if data is None:
                self.send_error(404)
                return
            start = int(asked.removeprefix("bytes=").rstrip("-")) if asked and state.ranges else 0
            if start >= len(data):
                self.send_error(416)
                return
            self.send_response(206 if start else 200)
            if start:
                shown = start - 1 if state.wrong_range else start
                self.send_header("Content-Range", f"bytes {shown}-{len(data) - 1}/{len(data)}")
            body = data[start:]
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body[: state.cut_after.pop(0)] if state.cut_after else body)
            self.close_connection = True

        def log_message(self, *_: object) -> None:
            pass

    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    state.url = f"http://127.0.0.1:{httpd.server_address[1]}"
    try:
        yield state
    finally:
        httpd.shutdown()
        httpd.server_close()
        thread.join()
