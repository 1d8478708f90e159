"""The Go implementation as tests see it: questions in, readings out. Skips where the oracle is not built."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

ORACLE = Path(__file__).parent / "oracle" / "oracle"


def oracle() -> Path | None:
    """The built oracle: $KARTA_ORACLE, or tests/oracle/oracle (go build -o oracle .); None where there is none."""
    found = Path(os.environ.get("KARTA_ORACLE") or ORACLE)
    return found if found.is_file() and os.access(found, os.X_OK) else None


needs_oracle = pytest.mark.skipif(oracle() is None, reason="tests/oracle is not built (cd tests/oracle && go build)")


def ask(mode: str, questions: Iterable[Any], timeout_seconds: float = 300) -> Iterator[Any]:
    """The oracle's answers in the order of the questions. mode is "jq", "read", "gang", "edit" or "bench"."""
    found = oracle()
    assert found is not None, "mark the test with needs_oracle"
    lines = "".join(json.dumps(q) + "\n" for q in questions)
    done = subprocess.run(
        [str(found), mode], input=lines, capture_output=True, text=True, timeout=timeout_seconds, check=True
    )
    return (json.loads(line) for line in done.stdout.splitlines())
