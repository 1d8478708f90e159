"""Programs and objects made from a seed: valid, allowed in definitions, and mostly with something to work on.

The generator walks along a sample value, so that keys exist and functions meet the kind they are for - most times.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

_WORDS = [
    "Ready",
    "worker",
    "x86-64",
    "a,b,,c",
    "Ünïcode ≠ ascii",
    "",
    "10",
    "2024-01-02T03:04:05Z",
    "true",
    "[1,2]",
    "é",
]
_KEYS = ["name", "replicas", "status", "items", "type", "spec", "labels", "a", "b"]
_NUMBERS = ["0", "1", "2", "3", "-1", "10", "1.5", "0.1", "1e3", "100000000000", "-2.5"]
_REGEXES = ["a+", "[a-z]+", "^.", "(?<first>[A-Za-z]+)-?(?<second>[0-9]*)", "", "é|x", "\\\\d+", ",", "(a)|(b)", "e$"]


def scalar(r: Random) -> Any:
    """A number, string, boolean or null."""
    return r.choice([None, True, False, 0, 1, 3, 7, -2, 2.5, 1e21, 1e-7, 0.1, 12345678901, *r.sample(_WORDS, 4)])


def value(r: Random, depth: int = 3) -> Any:
    """Any JSON value."""
    kind = r.random()
    if depth == 0 or kind < 0.25:
        return scalar(r)
    if kind < 0.55:
        alike = r.random() < 0.6
        if alike:  # elements of one shape, as in real objects
            keys = r.sample(_KEYS, r.randint(1, 3))
            return [{k: value(r, 0) for k in keys if r.random() < 0.85} for _ in range(r.randint(0, 4))]
        return [value(r, depth - 1) for _ in range(r.randint(0, 4))]
    return {k: value(r, depth - 1) for k in r.sample(_KEYS, r.randint(0, 4))}


def workload(r: Random) -> dict[str, Any]:
    """An object shaped like a workload, with parts missing at random."""
    conditions = [
        {
            "type": t,
            "status": r.choice(["True", "False", "Unknown"]),
            "lastTransitionTime": f"2024-01-0{i + 1}T00:00:00Z",
        }
        for i, t in enumerate(r.sample(["Ready", "Running", "Failed", "Suspended", "Completed"], r.randint(0, 3)))
    ]
    job = {
        "name": r.choice(["worker", "leader"]),
        "replicas": r.choice([0, 1, 2, 4, None]),
        "template": {"spec": value(r, 2)},
    }
    return {
        "metadata": {
            "name": "demo",
            "labels": {"app.kubernetes.io/name": "demo", "b": "1", "a": "2"},
            "annotations": value(r, 1),
        },
        "spec": {
            "replicatedJobs": [job, {**job, "name": "extra", "replicas": 3.0}],
            "suspend": r.choice([True, False, None]),
        },
        "status": r.choice([{}, None, {"conditions": conditions, "active": r.randint(0, 3), "restarts": 1.0}]),
        "roles": {"Worker": {"replicas": 2, "template": {}}, "Launcher": {"replicas": 1}},
    }


class Maker:
    """Makes program texts; sample is the value a text will run on, as far as it is known."""

    def __init__(self, r: Random) -> None:
        self.r = r
        self.variables: list[str] = []

    def pick(self, *choices: str) -> str:
        return self.r.choice(choices)

    def program(self, sample: Any, depth: int = 3) -> str:
        """Any program."""
        r = self.r
        if depth <= 0:
            return self.leaf(sample)
        roll = r.random()
        if roll < 0.30:
            text, below = self.path(sample)
            return f"{text} | {self.program(below, depth - 1)}" if r.random() < 0.6 else text
        if roll < 0.62:
            return self.of_kind(sample, depth - 1)
        return self.combined(sample, depth - 1)

    def term(self, sample: Any, depth: int) -> str:
        return f"({self.program(sample, depth)})"

    def leaf(self, sample: Any) -> str:
        r = self.r
        if self.variables and r.random() < 0.3:
            return "$" + r.choice(self.variables)
        roll = r.random()
        if roll < 0.5:
            return self.path(sample)[0]
        if roll < 0.65:
            return self.string()
        if roll < 0.8:
            return r.choice(_NUMBERS)
        return self.pick(
            "null", "true", "false", "[]", "{}", ".", "empty", "not", "length", "type", "tostring", "tojson"
        )

    def string(self) -> str:
        return '"' + self.r.choice([*_WORDS, *_KEYS]).replace("\\", "\\\\").replace('"', '\\"') + '"'

    def path(self, sample: Any) -> tuple[str, Any]:
        """Steps into sample, and what they lead to."""
        r, text = self.r, ""
        for _ in range(r.randint(1, 3)):
            optional = self.pick("", "", "?")
            if isinstance(sample, dict) and sample:
                if r.random() < 0.2:
                    text += f"[]{optional}" if text else f".[]{optional}"
                    sample = r.choice(list(sample.values()))
                    continue
                key = r.choice([*sample, *sample, r.choice(_KEYS)])
                plain = key.isidentifier()
                text += f".{key}{optional}" if plain else f'{(text and "") or "."}["{key}"]{optional}'
                sample = sample.get(key)
            elif isinstance(sample, list):
                step = self.pick("[]", "[]", "[0]", "[-1]", "[1:]", "[:-1]", "[1.7]", "[10]")
                text += f"{step}{optional}" if text else f".{step}{optional}"
                if ":" not in step:
                    sample = r.choice(sample) if sample else None
            elif isinstance(sample, str) and r.random() < 0.3:
                text += "[0:2]" if text else ".[0:2]"
            else:
                if r.random() < 0.3:
                    text += f".{r.choice(_KEYS)}{optional}"
                    sample = None
                break
        return text or ".", sample

    def combined(self, sample: Any, depth: int) -> str:
        """Something of operators and control flow."""
        r, sub = self.r, lambda: self.term(sample, depth)
        choice = r.randint(0, 17)
        if choice == 0:
            return f"{sub()} // {sub()}"
        if choice == 1:
            return f"{sub()} {self.pick('==', '!=', '<', '<=', '>', '>=')} {sub()}"
        if choice == 2:
            return f"{sub()} {self.pick('+', '-', '*', '/', '%')} {sub()}"
        if choice == 3:
            return f"{sub()} {self.pick('and', 'or')} {sub()}"
        if choice == 4:
            return f"{sub()}, {sub()}"
        if choice == 5:
            return f"if {sub()} then {sub()} else {sub()} end" if r.random() < 0.7 else f"if {sub()} then {sub()} end"
        if choice == 6:
            return f"try {sub()}" if r.random() < 0.5 else f"{sub()}?"
        if choice == 7:
            return f"[{self.program(sample, depth)}]"
        if choice == 8:
            return f"{{a: {sub()}, {self.string()}: {sub()}}}"
        if choice == 9:
            return f'"<\\({self.program(sample, depth)})-\\({self.program(sample, depth)})>"'
        if choice == 10:
            return self.bound(sample, depth)
        if choice == 11:
            update = self.pick(". + $x", ". + [$x]", "[., $x]", ". + 1", "$x", "empty")
            return f"reduce {sub()} as $x ({self.leaf(sample)}; {update})"
        if choice == 12:
            return f"foreach {sub()} as $x (0; . + 1; {self.pick('[., $x]', '$x', '.')})"
        if choice == 13:
            return f"{self.pick('first', 'last', 'isempty', 'add')}({self.program(sample, depth)})"
        if choice == 14:
            return f"{self.pick('limit', 'skip', 'nth')}({self.pick('0', '1', '2')}; {self.program(sample, depth)})"
        if choice == 15:
            return f"[path({self.path(sample)[0]} | select({sub()}))]" if r.random() < 0.5 else f"[path({sub()})]"
        if choice == 16:
            return (
                f"def f(g): {self.pick('g', '[g]', 'g | g', 'select(g)', 'first(g)')}; f({self.program(sample, depth)})"
            )
        return f"label $out | {sub()} | {self.pick('.', f'if {sub()} then break $out else . end', '., break $out')}"

    def bound(self, sample: Any, depth: int) -> str:
        source = self.program(sample, depth)
        pattern, names = self.r.choice(
            [("$v", ["v"]), ("$w", ["w"]), ("[$v, $w]", ["v", "w"]), ("{name: $v}", ["v"]), ("[$v] ?// $v", ["v"])]
        )
        self.variables += names
        text = f"({source}) as {pattern} | {self.program(sample, depth)}"
        del self.variables[-len(names) :]
        return text

    def of_kind(self, sample: Any, depth: int) -> str:
        """A function for the kind of the sample."""
        if isinstance(sample, dict):
            return self.of_object(sample, depth)
        if isinstance(sample, list):
            return self.of_array(sample, depth)
        if isinstance(sample, str):
            return self.of_string(sample, depth)
        if isinstance(sample, (int, float)) and not isinstance(sample, bool):
            return self.of_number(sample, depth)
        return self.pick(
            "not", "tostring", "tojson", "length", "type", f". // {self.leaf(sample)}", ".", "values", "[.[]?]"
        )

    def of_object(self, sample: dict[str, Any], depth: int) -> str:
        inner = self.term(self.r.choice(list(sample.values())) if sample else None, depth)
        return self.pick(
            "keys",
            "to_entries",
            f"with_entries(select(.value | {inner}))",
            'with_entries({key: (.key + "_"), value})',
            f"map_values({inner})",
            f"map({inner})",
            f"has({self.string()})",
            "length",
            "add",
            "tojson",
            "[.[]]",
            'to_entries | map(.key) | join(",")',
            f"any({inner})",
            f"all(.[]; {inner})",
            "first(.[])",
            "[paths]",
            "[.. | numbers]",
            f"{{{self.r.choice(_KEYS)}, b: 1}}",
            f"contains({{{self.r.choice(_KEYS)}: {self.leaf(sample)}}})",
            ". * {a: {b: 1}}",
            ". + {a: 1}",
            "walk(.)",
            "tostream",
            "[tostream] | fromstream(.[])",
            f"pick({self.path(sample)[0]})",
            f"getpath([{self.string()}, {self.string()}])",
            f"getpath([{self.string()}])",
            "[scalars, objects]",
            "keys | length",
        )

    def of_array(self, sample: list[Any], depth: int) -> str:
        one = self.r.choice(sample) if sample else None
        inner, key = self.term(one, depth), self.path(one)[0]
        return self.pick(
            f"map({inner})",
            f"map(select({inner}))",
            f"[.[] | {inner}]",
            f"[.[]? | {inner}]",
            f".[] | {inner}",
            f"sort_by({key})",
            f"group_by({key})",
            f"unique_by({key})",
            f"min_by({key})",
            f"max_by({key})",
            "sort",
            "unique",
            "min",
            "max",
            "add",
            "length",
            "reverse",
            "first",
            "last",
            "flatten",
            "flatten(1)",
            f"join({self.string()})",
            f"any({inner})",
            f"all({inner})",
            f"index({self.leaf(one)})",
            f"indices({self.leaf(one)})",
            f"rindex({self.leaf(one)})",
            f"contains([{self.leaf(one)}])",
            f"inside([{self.leaf(one)}])",
            f"INDEX({key})",
            f"map(IN({self.leaf(one)}, 1))",
            "from_entries",
            "to_entries",
            f". - [{self.leaf(one)}]",
            "tojson",
            "@csv",
            "@tsv",
            "@sh",
            "@json",
            "@html",
            "transpose",
            "implode",
            f"bsearch({self.leaf(one)})",
            f"[limit(2; .[] | {inner})]",
            "nth(1)",
            "any",
            "all",
            "map(numbers)",
            "map(strings | ascii_upcase)",
            'map(tostring) | join(" ")',
            "[.[1:][] , .[:1][]]",
            '[paths(type == "number")]',
            'map(has("name"))',
            "[range(5)]",
            "has(0)",
            "keys",
        )

    def of_string(self, sample: str, depth: int) -> str:
        regex = f'"{self.r.choice(_REGEXES)}"'
        part = self.string() if not sample else f'"{sample[: self.r.randint(0, 3)]}"'.replace("\\", "\\\\")
        return self.pick(
            f"test({regex})",
            f'test({regex}; "i")',
            f"[match({regex})]",
            f'[match({regex}; "g") | .offset, .length, .string]',
            f'[match({regex}; "g")]',
            f"capture({regex})",
            f"[scan({regex})]",
            f"sub({regex}; {self.string()})",
            f"gsub({regex}; {self.string()})",
            f'gsub({regex}; "<\\(.first // "-")>")',
            f"[splits({regex})]",
            f"split({part})",
            f'split({regex}; "g")',
            f"ltrimstr({part})",
            f"rtrimstr({part})",
            f"trimstr({part})",
            f"startswith({part})",
            f"endswith({part})",
            f"contains({part})",
            f"index({part})",
            f"indices({part})",
            f"rindex({part})",
            "ascii_downcase",
            "ascii_upcase",
            "length",
            "utf8bytelength",
            "explode",
            "explode | implode",
            "tonumber",
            "tonumber? // 0",
            "toboolean?",
            "fromjson?",
            "tojson",
            "trim",
            "ltrim",
            "@base64",
            "@base64 | @base64d",
            "@uri",
            "@html",
            "@sh",
            "@json",
            "fromdate?",
            '(try strptime("%Y-%m-%dT%H:%M:%SZ") catch "no") | tojson',
            ". * 2",
            f". + {part}",
            f". / {part}",
            f". == {part}",
            f". < {part}",
            ".[0:1]",
            ".[-2:]",
            f'@base64 "x\\({self.leaf(sample)})"',
            f'@csv "\\([.{", " + part}])"',
        )

    def of_number(self, sample: float, depth: int) -> str:
        other = self.r.choice(_NUMBERS)
        return self.pick(
            f". + {other}",
            f". - {other}",
            f". * {other}",
            f". / {other}",
            f". % {other}",
            f". == {other}",
            f". < {other}",
            f". >= {other}",
            "-.",
            "floor",
            "ceil",
            "round",
            "trunc",
            "fabs",
            "abs",
            "sqrt | floor",
            "tostring",
            "tojson",
            "@text",
            "length",
            "isnan",
            "isinfinite",
            "isnormal",
            "[., 1] | max",
            "pow(.; 2)",
            "[limit(3; range(.; 5))]" if False else "[frexp]",
            "modf",
            "significand",
            "logb",
            '[.] | join("-")',
            "select(. < 1e11) | todate",
            "select(. < 1e11) | gmtime | mktime",
            'select(. < 1e11) | strftime("%Y %j %U %a")',
            ". as $n | [range(3)] | map(. + $n)",
            f"[., {other}] | add",
            f"[., {other}] | sort",
            'if . > 1 then "many" else "one" end',
            f"fmin(.; {other}), fmax(.; {other})",
            "ldexp(.; 2)",
        )


def tame(v: Any) -> Any:
    """v without the numbers whose text differs between engines."""
    if isinstance(v, list):
        return [tame(x) for x in v]
    if isinstance(v, dict):
        return {k: tame(x) for k, x in v.items()}
    return {1e21: 5, 1e-7: 0.25}.get(v, v) if isinstance(v, float) else v


def pairs(seed: int, count: int, *, tamed: bool = False) -> Iterator[tuple[str, Any]]:
    """count programs, each with an object."""
    r = Random(seed)
    for _ in range(count):
        sample = workload(r) if r.random() < 0.4 else value(r)
        sample = tame(sample) if tamed else sample
        program = Maker(r).program(sample, r.choice([1, 2, 2, 3]))
        yield program.replace("1e3", "1000") if tamed else program, sample
