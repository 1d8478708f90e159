"""A program that runs often, written out as one straight Python function.

Closures pay a call for every node; a written function pays for what it does. It gives the same outputs, raises the
same errors at the same places and counts the same steps and bytes, so that nobody can tell which of the two ran
(`tests/jq/test_straight.py`). Writing and compiling one takes about a millisecond, so `compile.Program` does it only
once a program has been run a few times.

What is written out is what definitions are made of: paths, conditions, arithmetic, `as`, `select`, `any` and the like.
Any other node becomes a call of its closures. The text of the function holds names made here, literals by their
`repr`, and nothing else of the program.
"""

from __future__ import annotations

from kartatest.jq.ast import Ast, walk
from kartatest.jq.budget import Meter
from kartatest.jq.code import Collect
from kartatest.jq.errors import JqCompileError
from kartatest.jq.straight.streams import each
from kartatest.jq.straight.writer import TooLong, Writer

_MOST_NODES = 1500


def straight(tree: Ast, meter: Meter) -> Collect | None:
    """The function that gives all outputs for an input, or None where the program is too long or too nested for it."""
    if sum(1 for _ in walk(tree)) > _MOST_NODES:
        return None
    writer = Writer(meter)
    try:
        each(writer, tree, "v", writer.outermost, lambda x: writer.line(f"out.append({x})"))
        text = "\n".join(["def run(v, _env):", " out = []", *writer.lines, " return out"])
        exec(compile(text, "<jq>", "exec"), writer.space)  # above is said what the text can hold
    except (TooLong, RecursionError, MemoryError, SyntaxError, JqCompileError):
        return None
    return writer.space["run"]  # type: ignore[no-any-return]
