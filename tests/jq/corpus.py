"""jq programs made by chance: the whole grammar, names that mostly resolve, and texts with a slip in them.

`programs` draws from a seeded generator and is quick; tests/strategies.py draws the same programs from hypothesis.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

T = TypeVar("T")


class Choices(Protocol):
    """Where chance comes from. random.Random is one."""

    def choice(self, options: Sequence[T], /) -> T: ...
    def randrange(self, stop: int, /) -> int: ...


def programs(seed: int, count: int, *, broken: bool = True) -> list[str]:
    """count texts, the same for the same seed; about one in four is broken on purpose, unless broken is False."""
    chance = random.Random(seed)
    return [text(chance, broken=broken) for _ in range(count)]


def text(chance: Choices, *, broken: bool = True, size: int | None = None) -> str:
    """One program of about size parts (1 to 24 by default)."""
    maker = _Maker(chance, size if size is not None else 1 + chance.randrange(24))
    tokens = maker.program()
    if broken and chance.randrange(4) == 0:
        tokens = _break(tokens, chance)
    return _join(tokens, chance)


@dataclass(frozen=True)
class _Names:
    """What is in scope."""

    variables: tuple[str, ...] = ()
    functions: tuple[tuple[str, int], ...] = ()
    labels: tuple[str, ...] = ()


_FIELDS = ("a", "b", "spec", "replicas", "if", "and", "e0", "__loc__", "true", "_x1", "not")
_VARIABLES = ("x", "y", "z", "end", "m1")
_FUNCTIONS = ("f", "g", "h", "map", "first_of", "not")
_PLAIN = [
    "length",
    "keys",
    "values",
    "not",
    "type",
    "empty",
    "add",
    "any",
    "all",
    "tostring",
    "tojson",
    "first",
    "last",
    "min",
    "reverse",
    "to_entries",
]
_UNARY = [
    "map",
    "select",
    "has",
    "any",
    "all",
    "first",
    "add",
    "sort_by",
    "test",
    "split",
    "join",
    "map_values",
    "with_entries",
    "path",
    "error",
    "in",
    "index",
]
_BINARY = ("limit", "IN", "all", "sub", "nth", "scan", "skip")
_BINARY_OPS = ["+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "and", "or", "//"]
_ASSIGN_OPS = ["=", "|=", "+=", "-=", "*=", "/=", "%=", "//="]
_FORMATS = ["@text", "@json", "@base64", "@html", "@uri", "@csv", "@sh"]
_NUMBERS = ("0", "1", "2", "10", "1.5", ".5", "3.", "1e3", "1.e2", "2E-1", "007", "9007199254740993", "1e1000")
_TEXTS = ("", "a", "x y", "é", "\\n", "\\u00e9", "\\ud83d\\ude00", "\\\\", '\\"', "\\/", "#", "'", "a.b/c", "\t", "$x")


class _Maker:
    """Makes programs as token lists. budget falls with each part; when it is spent only leaves are made."""

    def __init__(self, chance: Choices, budget: int) -> None:
        self.chance = chance
        self.budget = budget

    def one(self, *options: T) -> T:
        return self.chance.choice(options)

    def rarely(self, of: int = 4) -> bool:
        return self.chance.randrange(of) == 0

    def program(self) -> list[str]:
        return self.query(_Names())

    def query(self, names: _Names) -> list[str]:
        """Anything: pipes, commas, bindings, definitions, labels."""
        self.budget -= 1
        if self.budget <= 0:
            return self.term(names)
        match self.chance.randrange(12):
            case 0 | 1:
                return [*self.query(names), "|", *self.query(names)]
            case 2:
                return [*self.query(names), ",", *self.query(names)]
            case 3:
                pattern, bound = self.patterns(names)
                rest = self.query(replace(names, variables=names.variables + bound))
                return [*self.expression(names), "as", *pattern, "|", *rest]
            case 4:
                return self.definition(names)
            case 5:
                label = self.one(*_VARIABLES)
                return ["label", f"${label}", "|", *self.query(replace(names, labels=(*names.labels, label)))]
            case _:
                return self.expression(names)

    def definition(self, names: _Names) -> list[str]:
        name = self.one(*_FUNCTIONS)
        params = [self.one("", "$") + p for p in _VARIABLES[: self.chance.randrange(3)] if p != "end"]
        inner = replace(
            names,
            variables=names.variables + tuple(p[1:] for p in params if p.startswith("$")),
            functions=names.functions + tuple((p.removeprefix("$"), 0) for p in params),
        )
        head = ["def", name]
        if params:
            head += ["(", *" ; ".join(params).split(" "), ")"]
        rest = replace(names, functions=(*names.functions, (name, len(params))))
        return [*head, ":", *self.query(inner), ";", *self.query(rest)]

    def expression(self, names: _Names) -> list[str]:
        """Operators, in any nesting; a text like `1 == 2 == 3` may come out, which is no program."""
        self.budget -= 1
        if self.budget <= 0 or self.rarely(2):
            return self.term(names)
        op = self.one(*_ASSIGN_OPS) if self.rarely(12) else self.one(*_BINARY_OPS)
        left, right = self.expression(names), self.expression(names)
        if self.rarely(3):
            left = ["(", *left, ")"]
        if self.rarely(3):
            right = ["(", *right, ")"]
        return [*left, op, *right]

    def term(self, names: _Names) -> list[str]:
        self.budget -= 1
        sign = ["-"] if self.rarely(12) else []
        made = self.primary(names) if self.budget > 0 else self.leaf(names)
        while self.rarely(3):
            made = made + self.suffix(names)
        return sign + made

    def leaf(self, names: _Names) -> list[str]:
        match self.chance.randrange(9):
            case 0 | 1 | 2:
                return [f".{self.one(*_FIELDS)}"]
            case 3:
                return [self.one(".", ".", "..", "[]", "{}", ".[]")]
            case 4:
                return [self.one(*_NUMBERS)]
            case 5:
                return [f'"{self.one(*_TEXTS)}"']
            case 6:
                return [self.one("null", "true", "false", *_PLAIN)]
            case 7 if names.variables:
                return [f"${self.one(*names.variables)}"]
            case 8 if names.labels:
                return ["break", f"${self.one(*names.labels)}"]
        calls = [name for name, arity in names.functions if not arity]
        return [self.one(*calls)] if calls else [self.one(*_FORMATS)]

    def primary(self, names: _Names) -> list[str]:
        match self.chance.randrange(14):
            case 0:
                return ["(", *self.query(names), ")"]
            case 1:
                return ["[", *self.query(names), "]"]
            case 2 | 3:
                return self.object(names)
            case 4:
                return self.string(names)
            case 5:
                return ["@" + self.one("text", "json", "base64"), *self.string(names)]
            case 6:
                return self.condition(names)
            case 7:
                handler = ["catch", *self.term(names)] if self.rarely(2) else []
                return ["try", *self.term(names), *handler]
            case 8:
                return self.loop(names)
            case 9 | 10:
                return self.call(names)
            case _:
                return self.leaf(names)

    def suffix(self, names: _Names) -> list[str]:
        match self.chance.randrange(8):
            case 0 | 1:
                return [f".{self.one(*_FIELDS)}"]
            case 2:
                return ["?"]
            case 3:
                return ["[", "]"]
            case 4:
                return [".", *self.string(names)]
            case 5:
                bounds = [self.query(names), [":"], self.query(names)]
                bounds = (
                    bounds[self.chance.randrange(2) :] if self.rarely(2) else bounds[: 2 + self.chance.randrange(2)]
                )
                return ["[", *(t for b in bounds for t in b), "]"]
            case _:
                return [*self.one([], [], ["."]), "[", *self.query(names), "]"]

    def string(self, names: _Names) -> list[str]:
        """One token, or several that must not be parted by blanks (see _join)."""
        parts = [self.one(*_TEXTS)]
        while self.budget > 0 and self.rarely(3):
            parts += ["\\(" + " ".join(self.query(names)) + ")", self.one(*_TEXTS)]
        return ['"' + "".join(parts) + '"']

    def object(self, names: _Names) -> list[str]:
        made: list[str] = []
        for _ in range(self.chance.randrange(4)):
            made += [*self.entry(names), ","]
        if made and not self.rarely(10):
            made.pop()
        return ["{", *made, "}"]

    def entry(self, names: _Names) -> list[str]:
        match self.chance.randrange(7):
            case 0 if names.variables:
                return [f"${self.one(*names.variables)}"]
            case 1:
                return [self.one(*_FIELDS)]
            case 2:
                return self.string(names)
            case 3:
                return ["(", *self.query(names), ")", ":", *self.value(names)]
            case 4:
                return [*self.string(names), ":", *self.value(names)]
            case 5 if names.variables and self.rarely():
                return [f"${self.one(*names.variables)}", ":", *self.value(names)]
            case _:
                return [self.one(*_FIELDS), ":", *self.value(names)]

    def value(self, names: _Names) -> list[str]:
        made = self.expression(names)
        return [*made, "|", *self.expression(names)] if self.rarely(8) else made

    def condition(self, names: _Names) -> list[str]:
        made = ["if", *self.query(names), "then", *self.query(names)]
        while self.rarely(5):
            made += ["elif", *self.query(names), "then", *self.query(names)]
        return [*made, *(["else", *self.query(names)] if self.rarely(2) else []), "end"]

    def loop(self, names: _Names) -> list[str]:
        pattern, bound = self.pattern(names)
        inner = replace(names, variables=names.variables + bound)
        word = self.one("reduce", "foreach")
        made = [word, *self.expression(names), "as", *pattern, "(", *self.query(names), ";", *self.query(inner)]
        if word == "foreach" and self.rarely(2):
            made += [";", *self.query(inner)]
        return [*made, ")"]

    def call(self, names: _Names) -> list[str]:
        options = [(n, a) for n, a in names.functions if a]
        if options and self.rarely(2):
            name, arity = self.one(*options)
        elif self.rarely(3):
            name, arity = self.one(*_BINARY), 2
        else:
            name, arity = self.one(*_UNARY), 1
        made = [name, "("]
        for _ in range(arity):
            made += [*self.query(names), ";"]
        return [*made[:-1], ")"]

    def patterns(self, names: _Names) -> tuple[list[str], tuple[str, ...]]:
        made, bound = self.pattern(names)
        while self.rarely(6):
            more, also = self.pattern(names)
            made, bound = [*made, "?//", *more], bound + also
        return made, bound

    def pattern(self, names: _Names) -> tuple[list[str], tuple[str, ...]]:
        self.budget -= 1
        if self.budget <= 0 or not self.rarely():
            name = self.one(*_VARIABLES)
            return [f"${name}"], (name,)
        made: list[str] = []
        bound: tuple[str, ...] = ()
        array = self.rarely(2)
        for _ in range(1 + self.chance.randrange(2)):
            inner, names_ = self.pattern(names)
            made += [*([] if array else self.pattern_key(names, inner)), ","]
            if array:
                made[-1:-1] = inner
            bound += names_
        made.pop()
        return (["[", *made, "]"] if array else ["{", *made, "}"]), bound

    def pattern_key(self, names: _Names, inner: list[str]) -> list[str]:
        match self.chance.randrange(5):
            case 0 if len(inner) == 1:
                return inner
            case 1:
                return [*self.string(names), ":", *inner]
            case 2:
                return ["(", *self.query(names), ")", ":", *inner]
            case _:
                return [self.one(*_FIELDS), ":", *inner]


_STRAY = (
    "|",
    ",",
    "?//",
    ")",
    "]",
    "}",
    "{",
    "[",
    "(",
    "end",
    "then",
    "as",
    ";",
    ":",
    "..",
    ".",
    "?",
    "-",
    "=",
    "$x",
    "&",
)


def _break(tokens: list[str], chance: Choices) -> list[str]:
    """One slip: a token left out, doubled, swapped with the next, replaced or put in."""
    at = chance.randrange(len(tokens))
    before, token, after = tokens[:at], tokens[at], tokens[at + 1 :]
    match chance.randrange(5):
        case 0:
            return before + after
        case 1:
            return [*before, token, token, *after]
        case 2:
            return [*before, *after[:1], token, *after[1:]]
        case 3:
            return [*before, chance.choice(_STRAY), *after]
        case _:
            return [*before, chance.choice(_STRAY), token, *after]


def _join(tokens: list[str], chance: Choices) -> str:
    """Tokens as a text, mostly with blanks between, else glued where that does not change how they are cut."""
    made: list[str] = []
    tight = chance.randrange(3) == 0
    for token in tokens:
        if made and not (tight and _glues(made[-1], token)):
            made.append(" # c\n" if chance.randrange(200) == 0 else "\n" if chance.randrange(60) == 0 else " ")
        made.append(token)
    return "".join(made)


def _glues(left: str, right: str) -> bool:
    if left[-1] in '([{;,"' or right[0] in ")]};,":
        return True
    wordy = left[-1].isalnum() or left[-1] in "_$@."
    return (wordy and right[0] in "|([?+-*/%=<>!") or (left[-1] in ")]" and right[0] in ".|[?") or right == ":"
