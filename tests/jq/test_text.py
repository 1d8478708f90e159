from __future__ import annotations

import pytest
from hypothesis import given

from kartatest.jq.ast import Ast
from kartatest.jq.parse import parse
from kartatest.jq.text import to_text
from tests.strategies import jq_programs


@pytest.mark.law
@given(jq_programs())
def test_printed_program_parses_to_itself(program: Ast) -> None:
    assert parse(to_text(program)) == program


@pytest.mark.law
@given(jq_programs())
def test_printing_again_changes_nothing(program: Ast) -> None:
    assert to_text(parse(to_text(program))) == to_text(program)


@pytest.mark.parametrize(
    ("program", "printed"),
    [
        ("", "."),
        ('."a"["b"] . "c d"', '.a.b["c d"]'),
        ("((.a) | ((.b) , .c))", ".a | .b, .c"),
        ("(1 | 2) | 3", "(1 | 2) | 3"),
        ("(1, 2), (3, 4)", "1, 2, (3, 4)"),
        ("(1 - 2) - (3 - 4)", "1 - 2 - (3 - 4)"),
        ("(1 // 2) // (3 // 4)", "(1 // 2) // 3 // 4"),
        ("(.a == 1) == (2 + 3)", "(.a == 1) == 2 + 3"),
        ("(.a = 1) |= 2", "(.a = 1) |= 2"),
        ("(.a and .b) or (.c or .d)", ".a and .b or (.c or .d)"),
        ("-(1 + 2) - (-(3))", "-(1 + 2) - -3"),
        ("(-1).a, -(1).a", "(-1).a, -(1).a"),
        ("+.a", "+.a"),
        ("try .a", ".a?"),
        ("try (.a.b)", "(.a.b)?"),
        (".a.b?", ".a.b?"),
        ("try -1", "(-1)?"),
        ("(try .a catch .b).c", "(try .a catch .b).c"),
        ("try (1 + 2) catch (try 3 catch 4)", "try (1 + 2) catch try 3 catch 4"),
        ("(1 as $x | $x), 2", "(1 as $x | $x), 2"),
        ("2, (1 as $x | $x)", "2, 1 as $x | $x"),
        ("(2, (1 as $x | $x)) | 3", "(2, 1 as $x | $x) | 3"),
        ("(1, 2) as [$x] ?// {a:$x,$y,(.k):[$z]} | 3", "(1, 2) as [$x] ?// {a: $x, $y, (.k): [$z]} | 3"),
        ('{"a":1, "b c":2, (.d):3, $e, "f", "g\\(1)":(4,5)}',
         '{a: 1, "b c": 2, (.d): 3, $e, f, "g\\(1)": (4, 5)}'),
        ("{a: (1 | 2) | 3, b: (. as $x | 1)}", "{a: (1 | 2) | 3, b: (. as $x | 1)}"),
        ("if 1 then 2 else (if 3 then 4 end) end", "if 1 then 2 elif 3 then 4 end"),
        ("def f(g;$x): (g | $x); (f(1 , 2;3))", "def f(g; $x): g | $x; f(1, 2; 3)"),
        ("reduce (1,2) as $x ((0);.+$x)", "reduce (1, 2) as $x (0; . + $x)"),
        ("foreach .[] as [$x] (0;1;2)", "foreach .[] as [$x] (0; 1; 2)"),
        ("label $f|(1|break $f)", "label $f | 1 | break $f"),
        ('@json "a\\("b" + "c")\\n"', '@json "a\\("b" + "c")\\n"'),
        ("..|.a, ..[0], (..).a", '.. | .a, ..[0], ..["a"]'),
        (".[1:] , .[:(2|3)], .[1 ,2:3]", ".[1:], .[:2 | 3], .[1, 2:3]"),
        ("1e1000, 1.50, 100000000000000000000, 1e-7", "1e1000, 1.5, 100000000000000000000, 1e-07"),
        ('module {"a" : [1,{}]}; import "x" as $y; include "z" {b:null}; .',
         'module {a: [1, {}]}; import "x" as $y; include "z" {b: null}; .'),
    ],
)  # fmt: skip
def test_prints_no_more_parentheses_than_needed(program: str, printed: str) -> None:
    assert to_text(parse(program)) == printed
