"""Functions: complete, and each one on a grid of arguments against gojq."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from kartatest.jq import builtins
from kartatest.jq.compile import compile as compile_program
from kartatest.jq.functions import ALLOWED, DENIED
from tests.jq.engines import of_gojq, ours, same
from tests.reference import ask, needs_oracle

SAMPLES: list[Any] = [
    None,
    True,
    0,
    -3,
    2.5,
    "",
    "a-b",
    "Ünï",
    [],
    [1, "a"],
    [[1], [2, 3]],
    {},
    {"b": 1, "a": [2]},
]
NUMBERS: list[Any] = [0, 1, -1, 0.5, -0.5, 2.5, -2.5, 1.5, 3, 10, 100, 1e-7, 1e17, 1e300, -7.25, 12345.678, 170, 172]
TIMES = [0, 1704164645, 951782400, 1425599621.75, -86400, 4102444799, 1709251199, 1230768000, 1293839999]
PROGRAMS = ["1", '"a"', ".", "null", "[1]", '["a"]', ".[0]?", '{"a": 1}', "empty", "(0, 1)"]


def calls() -> list[str]:
    """Each allowed function with simple arguments."""
    made = []
    for name, arities in ALLOWED.items():
        for arity in sorted(arities):
            if name == "range":
                continue
            if arity == 0:
                made.append(f"[{name}]")
            for i, args in enumerate(product(PROGRAMS, repeat=arity)):
                if arity and (arity == 1 or i % (7 * 10 ** (arity - 2)) == 0):
                    made.append(f"[{name}({'; '.join(args)})]")
    return made


def differences(programs: list[str], values: list[Any]) -> list[Any]:
    """What gives another result than in gojq. Inputs of several programs are asked for at once."""
    told = [{"program": program, "input": value} for program in programs for value in values]
    wrong = []
    for question, answer in zip(told, ask("jq", told), strict=True):
        mine, theirs = ours(question["program"], question["input"]), of_gojq(answer)
        if not same(mine, theirs):
            wrong.append((question["program"], question["input"], mine, theirs))
    return wrong


def test_every_allowed_function_is_there() -> None:
    wanted = {f"{name}/{arity}" for name, arities in ALLOWED.items() for arity in arities}
    assert not wanted - builtins.names()


def test_no_other_function_is_there_but_for_trusted_programs() -> None:
    wanted = {f"{name}/{arity}" for name, arities in ALLOWED.items() for arity in arities}
    extra = {name.partition("/")[0] for name in builtins.names() - wanted}
    assert extra <= set(DENIED) | {"recurse"}


@needs_oracle
def test_functions_on_all_kinds_of_values() -> None:
    assert differences(calls(), SAMPLES) == []


@needs_oracle
def test_functions_of_numbers() -> None:
    names = """floor ceil round trunc nearbyint rint fabs abs sqrt cbrt exp exp2 exp10 expm1 log log2 log10 log1p logb
        significand frexp modf sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh erf erfc isnormal isinfinite
        isfinite isnan tostring length -. """.split()  # noqa: SIM905
    assert differences(names, NUMBERS) == []
    pairs = """pow atan2 copysign drem fdim fmax fmin fmod hypot ldexp nextafter nexttoward remainder scalb
        scalbln"""
    programs = [f"[{name}(.[0]; .[1])]" for name in pairs.split()] + [f"[.[0] {op} .[1]]" for op in "+-*/%"]
    small = [n for n in NUMBERS if abs(n) < 1e9]
    assert differences(programs, [[x, y] for x in small for y in small]) == []


@needs_oracle
def test_gamma_is_near() -> None:
    told = [
        {"program": f"{name}", "input": x} for name in ("gamma", "tgamma", "lgamma") for x in (0.5, 1, 5, 10.25, -1.5)
    ]
    for question, answer in zip(told, ask("jq", told), strict=True):
        assert ours(question["program"], question["input"]) == pytest.approx(answer["outputs"], rel=1e-12)


@needs_oracle
def test_times_as_text() -> None:
    letters = "YyCGgmBbhdejHIklMSsfaAwuUWVpPZzntcvrFDxTXR+%"
    layouts = [f"<%{flag}{width}{c}>" for c in letters for flag in ("", "-", "_", "^", "#", "0") for width in ("", "6")]
    layouts += ["%:z", "%::z", "%Q", "%", "%5", "plain", "é%Y"]
    assert (
        differences([f'strftime("{layout}")' for layout in layouts] + ["todate", "gmtime", "gmtime | mktime"], TIMES)
        == []
    )


@needs_oracle
def test_text_as_times() -> None:
    layouts = [
        "%Y-%m-%dT%H:%M:%S%z",
        "%Y-%m-%dT%H:%M:%SZ",
        "%d %b %Y",
        "%A, %B %d, %Y",
        "%F %T",
        "%s",
        "%Y %j",
        "%G %V %u",
    ]
    layouts += [
        "%Y %U %w",
        "%Y %W %a",
        "%I:%M %p",
        "%y%m%d",
        "%C %y",
        "%e/%m/%Y",
        "%H:%M:%S.%f",
        "%c",
        "%D",
        "%%",
        "%n%Y",
        "%Z",
    ]
    texts = ["2024-01-02T03:04:05Z", "2024-01-02T03:04:05+0230", "2024-01-02T03:04:05-02:30", "2024-02-30T00:00:00Z"]
    texts += [
        "02 Jan 2024",
        "Tuesday, january 02, 2024",
        "2024-01-02 03:04:05",
        "1704164645",
        "-5",
        "2024 060",
        "2024 10 3",
    ]
    texts += [
        "2024 10 Tue",
        "03:04 PM",
        "12:00 am",
        "240102",
        "20 24",
        " 2/01/2024",
        "03:04:05.25",
        "%",
        " \t2024",
        "UTC",
        "",
        "x",
    ]
    assert differences([f'strptime("{layout}")' for layout in layouts] + ["fromdate"], texts) == []


@needs_oracle
def test_regular_expressions() -> None:
    patterns = [
        "",
        "a",
        "a*",
        "b*",
        "^",
        "$",
        "\\\\b",
        "(a)|(b)",
        "(?<x>a)(?<y>b)?",
        "[^a]",
        "é",
        ".",
        "(?i)A",
        "a{2,}",
        "\\\\S+",
    ]
    patterns += [
        "(?s).",
        "(?m)^.",
        "x*$",
        "(?P<n>.)",
        "(",
        "a**",
        "\\\\pL",
        "\\\\w+",
        "[[:upper:]]",
        "(?U)a+",
        "\\\\Qa.b\\\\E",
    ]
    programs = []
    for p in patterns:
        programs += [f'[match("{p}"; "g")]', f'[match("{p}")]', f'test("{p}")', f'[scan("{p}")]', f'[splits("{p}")]']
        programs += [
            f'gsub("{p}"; "<>")',
            f'sub("{p}"; "<\\(.x? // "-")>")',
            f'[capture("{p}")]',
            f'split("{p}"; "gi")',
        ]
    assert differences(programs, ["", "a", "abab", "aéa\nb", "AaA", "xx", "😀a😀"]) == []


def test_written_numbers_keep_their_text_until_computed() -> None:
    assert compile_program("fromjson | tojson, (.[0] | tostring), (.[0] + 0 | tostring), -.[0]").run("[1.50, 1e3]")[
        :3
    ] == [
        "[1.50,1e3]",
        "1.50",
        "1.5",
    ]


def test_whole_numbers_of_the_program_are_exact() -> None:
    assert compile_program("9007199254740993 + 0, 9007199254740993 * 3 | tostring").run(None) == [
        "9007199254740993",
        "27021597764222979",
    ]
