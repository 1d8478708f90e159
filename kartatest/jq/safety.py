"""What a program does that a definition may not: an allow-list over the whole tree.

Names are resolved by scope first, so a definition of one's own is no builtin. Every position is looked at, also the
ones the Go validator passes over (Q36): bodies of `label`, operands of a minus, strings in indices and keys, patterns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from typing import Any

from kartatest.jq.ast import (
    ArrayPattern,
    Assign,
    Ast,
    Bind,
    Break,
    Call,
    Define,
    Foreach,
    Format,
    Function,
    Identity,
    Index,
    Label,
    Literal,
    Module,
    Negate,
    Node,
    ObjectPattern,
    Pattern,
    PatternEntry,
    Recurse,
    Reduce,
    Slice,
    String,
    Try,
    Variable,
    VariablePattern,
    children,
    walk,
)
from kartatest.jq.functions import ALLOWED, DENIED, ELSEWHERE, FORMATS, REFUSED
from kartatest.source import Span
from kartatest.value import value

__all__ = ["ALLOWED", "MAX_RANGE", "Violation", "violations"]

MAX_RANGE = 100_000  # outputs of one `range`


@value
class Violation:
    """One thing a definition's program may not do.

    kind: "assignment", "deletion", "environment", "clock", "input", "debug", "halt", "module", "unbounded",
    "not-in-both-engines", "unknown-function", "unknown-variable", "unknown-label", "unknown-format", "no-body",
    "unsupported" or "refused-by-consumers".
    fatal: our engine refuses to run the program; without it the program runs here but not, or not alike, elsewhere.
    """

    kind: str
    span: Span
    message: str
    help: str = ""
    fatal: bool = True


def violations(tree: Ast) -> tuple[Violation, ...]:
    """All violations of a program, in the order of its text; () for one that any engine runs alike and in bounds.

    A call gives at most one violation: that consumers refuse its name is told only when nothing worse is.
    """
    checker = _Checker()
    checker.visit(tree, _Scope())
    checker.body(tree)
    return tuple(sorted(checker.found, key=lambda v: (v.span, v.kind)))


@value
class _Scope:
    """What names mean at a place: functions by name and arity, True while inside the function's own body."""

    functions: Mapping[tuple[str, int], bool] = field(default_factory=dict)
    variables: frozenset[str] = frozenset()
    labels: frozenset[str] = frozenset()
    unsure: frozenset[str] = frozenset()  # variables that mean another thing in libjq, in the keys of patterns

    def define(self, function: Function, *, inside: bool) -> _Scope:
        key = (function.name, len(function.params))
        return replace(self, functions={**self.functions, key: inside})

    def bind(self, names: Iterable[str]) -> _Scope:
        bound = frozenset(names)
        return replace(self, variables=self.variables | bound, unsure=self.unsure - bound)


class _Checker:
    def __init__(self) -> None:
        self.found: list[Violation] = []

    def add(self, kind: str, span: Span, message: str, help_: str = "", *, fatal: bool = True) -> None:
        self.found.append(Violation(kind, span, message, help_, fatal))

    def body(self, tree: Ast) -> None:
        """gojq compiles no program that only defines, though it parses one."""
        last = tree.body if isinstance(tree, Module) else tree
        while isinstance(last, Define):
            last = last.rest
        if last is not tree and isinstance(last, Identity) and last.span.start == last.span.end > 0:
            self.add("no-body", last.span, "the program only defines", "add what to do, at least `.`")

    def visit(self, node: Node, scope: _Scope) -> None:
        check = _CHECKS.get(type(node))
        if check:
            check(self, node, scope)
        else:
            for child in children(node):
                self.visit(child, scope)

    # What brings names into scope

    def define(self, node: Define, scope: _Scope) -> None:
        function = node.function
        inner = scope
        for param in function.params:
            name = param.removeprefix("$")
            inner = replace(inner, functions={**inner.functions, (name, 0): False})
            if name != param:
                inner = inner.bind([name])
        self.visit(function.body, inner.define(function, inside=True))
        self.visit(node.rest, scope.define(function, inside=False))

    def bindings(self, patterns: tuple[Pattern, ...], scope: _Scope) -> _Scope:
        """The scope behind patterns; checks the programs in their keys.

        There gojq sees what was bound before, also by an earlier alternative. libjq sees nothing of a single pattern,
        and all of several.
        """
        every = frozenset(_names(patterns))
        before: set[str] = set()
        for pattern in patterns:
            alone = None if len(patterns) == 1 else every
            self.pattern(pattern, scope, set(), before, alone)
        return scope.bind(every)

    def pattern(
        self, node: Pattern, scope: _Scope, own: set[str], before: set[str], every: frozenset[str] | None
    ) -> None:
        """own: bound so far by this pattern; before: also by earlier ones; every: by all, None for one alone."""
        if isinstance(node, VariablePattern):
            if node.name in own:
                message = f"`${node.name}` is bound twice in one pattern; gojq takes the last value, libjq the first"
                self.add("not-in-both-engines", node.span, message, "give one another name", fatal=False)
            own.add(node.name)
            before.add(node.name)
        elif isinstance(node, ArrayPattern):
            for item in node.items:
                self.pattern(item, scope, own, before, every)
        else:
            for entry in node.entries:
                if isinstance(entry.key, VariablePattern):
                    self.pattern(entry.key, scope, own, before, every)
                else:
                    unsure = before if every is None else every - before
                    self.visit(entry.key, replace(scope.bind(before), unsure=scope.unsure | unsure))
                if entry.value is not None:
                    self.pattern(entry.value, scope, own, before, every)

    def bind(self, node: Bind, scope: _Scope) -> None:
        self.visit(node.source, scope)
        self.visit(node.body, self.bindings(node.patterns, scope))

    def loop(self, node: Reduce | Foreach, scope: _Scope) -> None:
        self.visit(node.source, scope)
        self.visit(node.init, scope)
        inner = self.bindings(node.patterns, scope)
        self.visit(node.update, inner)
        if isinstance(node, Foreach) and node.extract is not None:
            self.visit(node.extract, inner)

    def label(self, node: Label, scope: _Scope) -> None:
        self.visit(node.body, replace(scope, labels=scope.labels | {node.name}))

    # What uses names

    def break_(self, node: Break, scope: _Scope) -> None:
        if node.name not in scope.labels:
            help_ = _closest(node.name, scope.labels, "$") or f"write `label ${node.name} | ...` around it"
            self.add("unknown-label", node.span, f"no label `${node.name}` here", help_)

    def variable(self, node: Variable, scope: _Scope) -> None:
        name = node.name
        if name in scope.variables:
            if name in scope.unsure:
                message = f"a key of a pattern reads `${name}`, which the pattern binds; libjq takes another value"
                self.add("not-in-both-engines", node.span, message, "bind it in a pattern of its own", fatal=False)
        elif name == "ENV":
            denied = DENIED["env"]
            self.add(denied.kind, node.span, f"`$ENV` {denied.message}", denied.help)
        elif name == "__loc__":
            self.add("not-in-both-engines", node.span, "`$__loc__` does not exist in gojq", "leave it out")
        elif "::" in name:
            self.add("module", node.span, f"`${name}` comes from a module", DENIED["modulemeta"].help)
        else:
            help_ = _closest(name, scope.variables, "$") or f"bind it first: `... as ${name} | ...`"
            self.add("unknown-variable", node.span, f"no variable `${name}` here", help_)

    def call(self, node: Call, scope: _Scope) -> None:
        for arg in node.args:
            self.visit(arg, scope)
        name, arity = node.name, len(node.args)
        span = node.name_span if node.name_span.end else node.span
        own = scope.functions.get((name, arity))
        if own:
            message = f"`{name}` calls itself and need not end"
            self.add("unbounded", span, message, "use `map`, `reduce` or `first` over what the object holds")
        elif own is None and not self.builtin(node, span, scope):
            return
        if name in REFUSED:
            message = f"consumers refuse any call of `{name}`" + ("" if own is None else ", a definition of yours too")
            help_ = "name the fields, or iterate with `.[]`" if own is None else "give it another name"
            self.add("refused-by-consumers", span, message, help_, fatal=False)

    def builtin(self, node: Call, span: Span, scope: _Scope) -> bool:
        """Check a call of what the program does not define; whether a definition may call it, as far as we run it."""
        name, arity = node.name, len(node.args)
        if "::" in name:
            self.add("module", span, f"`{name}` comes from a module", DENIED["modulemeta"].help)
        elif name in DENIED:
            denied = DENIED[name]
            self.add(denied.kind, span, f"`{name}` {denied.message}", denied.help)
        elif arity in ALLOWED.get(name, ()):
            if name != "range" or _range_size(node.args) <= MAX_RANGE:
                return True
            message = f"`range` may give more than {MAX_RANGE} values, or any number"
            self.add("unbounded", span, message, "iterate over what the object holds, or write its bounds as numbers")
        elif name == "recurse":
            self.add("unbounded", span, f"`recurse/{arity}` need not end", "name the fields to descend into")
        elif name.startswith("_"):
            message = f"`{name}` is internal to an engine, if it exists"
            self.add("not-in-both-engines", span, message, "use the documented functions")
        else:
            self.unknown(name, arity, span, scope)
        return False

    def unknown(self, name: str, arity: int, span: Span, scope: _Scope) -> None:
        arities = ALLOWED.get(name, frozenset()) | {a for n, a in scope.functions if n == name}
        if arities:
            takes = "takes " + " or ".join(str(a) if a else "no" for a in sorted(arities))
            takes += " argument" if max(arities) == 1 else " arguments"
            message = f"no function `{name}` with {arity} argument{'' if arity == 1 else 's'}"
            self.add(
                "unknown-function",
                span,
                message,
                f"`{name}` {takes}" + (", separated by `;`" if max(arities) > 1 else ""),
            )
            return
        known = {*ALLOWED, *(n for n, _ in scope.functions)}
        help_ = f"write `{ELSEWHERE[name]}`" if name in ELSEWHERE else _closest(name, known)
        if not help_ and not arity:
            help_ = f'for the field write `.{name}`, for the text `"{name}"`'
        self.add("unknown-function", span, f"no function `{name}`", help_)

    def format(self, name: str | None, span: Span) -> None:
        if name is not None and name not in FORMATS:
            self.add("unknown-format", span, f"no format `{name}`", _closest(name, FORMATS), fatal=False)

    # What is never allowed, or not by everyone

    def assign(self, node: Assign, scope: _Scope) -> None:
        help_ = "write `==` to compare" if node.op == "=" else "a definition only reads; build a new value instead"
        span = node.op_span if node.op_span.end else node.span
        self.add("assignment", span, f"`{node.op}` changes the object", help_)
        self.visit(node.left, scope)
        self.visit(node.right, scope)

    def recurse(self, node: Recurse, scope: _Scope) -> None:
        help_ = "name the fields, or iterate with `.[]`"
        self.add("refused-by-consumers", node.span, "consumers refuse `..`", help_, fatal=False)

    def negate(self, node: Negate, scope: _Scope) -> None:
        if node.written == "+":
            message = "libjq has no sign `+`"
            self.add(
                "not-in-both-engines", Span(node.span.start, node.span.start + 1), message, "leave it out", fatal=False
            )
        self.visit(node.body, scope)

    def try_(self, node: Try, scope: _Scope) -> None:
        if node.step and isinstance(node.body, Index | Slice):
            keys = [node.body.key] if isinstance(node.body, Index) else [node.body.start, node.body.stop]
            if any(key is not None and _reads_input(key) for key in keys):
                message = "with this `?` gojq evaluates the key on what is indexed, libjq on the input"
                help_ = "bind the key first: `... as $key | ...[$key]?`"
                self.add("not-in-both-engines", Span(node.span.end - 1, node.span.end), message, help_, fatal=False)
        for child in children(node):
            self.visit(child, scope)

    def string(self, node: String, scope: _Scope) -> None:
        self.format(node.format, node.span)
        for child in children(node):
            self.visit(child, scope)

    def module(self, node: Module, scope: _Scope) -> None:
        if node.meta is not None:
            self.add("module", node.meta.span, "a definition's program is no module", "remove the `module` line")
        for import_ in node.imports:
            self.add("module", import_.span, f'imports the module "{import_.path}"', DENIED["modulemeta"].help)
        self.visit(node.body, scope)


_CHECKS: dict[type[Node], Any] = {
    Define: _Checker.define,
    Bind: _Checker.bind,
    Reduce: _Checker.loop,
    Foreach: _Checker.loop,
    Label: _Checker.label,
    Break: _Checker.break_,
    Variable: _Checker.variable,
    Call: _Checker.call,
    Format: lambda checker, node, scope: checker.format(node.name, node.span),
    Assign: _Checker.assign,
    Recurse: _Checker.recurse,
    Negate: _Checker.negate,
    Try: _Checker.try_,
    String: _Checker.string,
    Module: _Checker.module,
}


def _names(patterns: Iterable[Node]) -> set[str]:
    """The variables that patterns bind."""
    names: set[str] = set()
    for pattern in patterns:
        if isinstance(pattern, VariablePattern):
            names.add(pattern.name)
        elif isinstance(pattern, ArrayPattern | ObjectPattern):
            names |= _names(children(pattern))
        elif isinstance(pattern, PatternEntry):
            names |= _names(p for p in (pattern.key, pattern.value) if p is not None)
    return names


def _reads_input(tree: Ast) -> bool:
    """Whether what tree gives may depend on `.`."""
    constant = ("null", "true", "false")
    return any(
        isinstance(node, Identity | Recurse | Format) or (isinstance(node, Call) and node.name not in constant)
        for node in walk(tree)
    )


def _closest(name: str, known: Iterable[str], sign: str = "") -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, sorted(known), n=1, cutoff=0.7)
    return f"did you mean `{sign}{close[0]}`?" if close else ""


def _range_size(args: tuple[Ast, ...]) -> float:
    """How many values a `range` gives; infinite when its bounds are not plain numbers."""
    numbers = [_plain_number(arg) for arg in args]
    if any(n is None for n in numbers):
        return float("inf")
    given = [n for n in numbers if n is not None]
    start, stop = (0.0, given[0]) if len(given) == 1 else given[:2]
    step = given[2] if len(given) == 3 else 1.0
    if step == 0:  # no value in either engine, but an endless loop in older ones
        return 0 if start >= stop else float("inf")
    return max(0.0, (stop - start) / step)


def _plain_number(node: Ast) -> float | None:
    if isinstance(node, Negate):
        inner = _plain_number(node.body)
        return None if inner is None else -inner
    return float(node.value) if isinstance(node, Literal) and not isinstance(node.value, str) else None
