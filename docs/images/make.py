"""Make the README's pictures: run karta in a terminal of 100 columns and keep what it draws.

python docs/images/make.py
"""

from __future__ import annotations

import os
import pty
import re
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PICTURES = {
    "lint": (["lint", "docs/images/broken.yaml"], 100),
    "describe": (["describe", "-f", "benchmarks/jobset.yaml"], 80),
    "replay": (["replay", "fixtures/jobset-x-k8s-io-jobset-v1alpha2/v0.12.0-reduced.yaml"], 80),
}


def drawn(arguments: list[str], columns: int) -> str:
    """What karta writes on a terminal of that width, with its escapes."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(ROOT)
        os.environ |= {"COLUMNS": str(columns), "LINES": "60", "TERM": "xterm-256color"}
        os.environ.pop("NO_COLOR", None)
        os.execv(sys.executable, [sys.executable, "-m", "kartatest", *arguments])
    seen = b""
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            break
        if not piece:
            break
        seen += piece
    os.waitpid(pid, 0)
    return seen.decode().replace("\r\n", "\n")


def main() -> None:
    """Write one SVG per picture beside this file."""
    for name, (arguments, columns) in PICTURES.items():
        with Path(os.devnull).open("w") as nowhere:
            console = Console(record=True, width=columns, file=nowhere, force_terminal=True, color_system="truecolor")
            console.print(Text.from_ansi(f"$ karta {' '.join(arguments)}\n{drawn(arguments, columns)}"))
            svg = console.export_svg(title="karta", unique_id=name)
        # The picture carries no address: the reader's own fixed-width font does.
        lines = svg.splitlines()
        kept, skipping = [], False
        for line in lines:
            skipping = skipping or "@font-face" in line
            if not skipping:
                kept.append(line)
            elif line.strip() == "}":
                skipping = False
        text = "\n".join(kept).replace("&#160;", " ").replace("<text ", '<text xml:space="preserve" ')
        text = re.sub(r"\s*<!--.*?-->", "", text)
        (HERE / f"{name}.svg").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
