"""jq as definitions use it: parsed, checked, run in process, and compared with libjq.

The face of the package, imported lazily where it is heavy:

    parse(text) -> Ast                       JqSyntaxError
    to_text(tree) -> str
    compile(text or tree) -> Program         JqSyntaxError, JqCompileError
    Program.run(value) -> list of outputs    JqRunError, JqBudgetError
"""

from __future__ import annotations

# Plain imports, so that the functions win over the modules of the same name whatever is imported first.
from kartatest.jq.parse import parse
from kartatest.jq.text import to_text

__all__ = ["parse", "to_text"]
