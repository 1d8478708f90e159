"""The console script; `python -m kartatest` is `karta`."""

from __future__ import annotations

import gc
import sys


def entry() -> None:
    """Run karta as a process of its own, and exit with its code."""
    gc.set_threshold(50_000)  # a call is over soon: looking for cycles every 700 objects is a tenth of a short one
    from kartatest.cli import main  # imported now, so that the imports gain by it too

    sys.exit(main())


if __name__ == "__main__":
    entry()
