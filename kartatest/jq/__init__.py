"""jq as definitions use it: parsed, checked, run in process, and compared with libjq.

The face of the package, imported lazily where it is heavy:

    parse(text) -> Ast                       JqSyntaxError
    to_text(tree) -> str
    compile(text or tree) -> Program         JqSyntaxError, JqCompileError
    Program.run(value) -> list of outputs    JqRunError, JqBudgetError
"""
