"""libjq in a process of its own, with bounds on time and memory: for programs and objects nobody has looked at.

    with Worker() as worker:
        results = worker.evaluate([".spec.replicas"], obj)

The process starts with the first call, serves many, and is killed and replaced when a call overruns.
"""

from __future__ import annotations

import contextlib
import pickle
import subprocess
import sys
from collections.abc import Sequence
from types import TracebackType
from typing import Any

from kartatest.jq.errors import JqBudgetError
from kartatest.jq.libjq import Result
from kartatest.jq.operators import too_deep
from kartatest.source import Json

_MIB = 2**20


class Worker:
    """A libjq process. timeout_seconds bounds each call, memory_mib the process (where the system can: not on Windows).

    One call at a time.
    """

    def __init__(self, *, timeout_seconds: float = 2.0, memory_mib: int = 512) -> None:
        self.timeout_seconds = timeout_seconds
        self.memory_mib = memory_mib
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Worker:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def evaluate(self, programs: Sequence[str], value: Json) -> tuple[Result, ...]:
        """libjq.evaluate(programs, value), in the process.

        Raises JqBudgetError when it takes too long or too much memory; the next call gets a new process.
        """
        try:
            request = pickle.dumps((list(programs), value))
        except RecursionError:
            raise too_deep() from None
        process = self._running()
        answer = self._exchange(process, len(request).to_bytes(8, "big") + request)
        if answer is None:
            self.close()
            raise JqBudgetError(
                f"libjq was stopped: it takes more than {self.timeout_seconds:g} s or {self.memory_mib} MiB"
            )
        found: tuple[Result, ...] = pickle.loads(answer)
        return found

    def close(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self.close()
            command = [sys.executable, "-c", f"from kartatest.jq.worker import serve; serve({self.memory_mib})"]
            pipe = subprocess.PIPE
            self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)
            if self._exchange(self._process, b"", starting=True) is None:
                self.close()
                raise JqBudgetError("libjq did not start")
        return self._process

    def _exchange(self, process: subprocess.Popen[bytes], request: bytes, *, starting: bool = False) -> bytes | None:
        """The answer, or None when the process was killed for taking too long or died."""
        from threading import Timer

        timer = Timer(30.0 if starting else self.timeout_seconds, process.kill)
        timer.daemon = True
        timer.start()
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(request)
            process.stdin.flush()
            return _read(process.stdout)
        except OSError:
            return None
        finally:
            timer.cancel()


def _read(stream: Any) -> bytes | None:
    head = stream.read(8)
    if len(head) < 8:
        return None
    size = int.from_bytes(head, "big")
    body: bytes = stream.read(size)
    return body if len(body) == size else None


def serve(memory_mib: int) -> None:
    """The other side: answers requests from stdin until it ends."""
    import os

    from kartatest.jq import libjq

    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what libjq itself prints must not get into the answers
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory_mib * _MIB, memory_mib * _MIB))
    libjq.evaluate(["."], None)

    def answer(data: bytes) -> None:
        sink.write(len(data).to_bytes(8, "big") + data)
        sink.flush()

    answer(b"ready")
    while (request := _read(source)) is not None:
        programs, value = pickle.loads(request)
        answer(pickle.dumps(libjq.evaluate(programs, value)))
