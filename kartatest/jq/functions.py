"""The builtin functions of jq: which ones definitions may call, and why not the others.

ALLOWED is what both gojq 0.12.19 (as consumers call it, without inputs and modules) and libjq 1.8.2 define, less what
reaches outside the value or need not end, and less the Bessel functions. DENIED says what is wrong with the rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

_BY_ARITY = {
    0: """
        abs acos acosh add all any arrays ascii_downcase ascii_upcase asin asinh atan atanh booleans cbrt ceil cos cosh
        empty erf erfc error exp exp10 exp2 explode expm1 fabs false finites first flatten floor frexp from_entries
        fromdate fromdateiso8601 fromjson gamma gmtime implode infinite isfinite isinfinite isnan isnormal iterables
        keys last length lgamma log log10 log1p log2 logb ltrim max min mktime modf nan nearbyint normals not null
        nulls numbers objects paths recurse reverse rint round rtrim scalars significand sin sinh sort sqrt strings tan
        tanh tgamma to_entries toboolean todate todateiso8601 tojson tonumber tostream tostring transpose trim true
        trunc type unique utf8bytelength values
    """,
    1: """
        IN INDEX add all any bsearch capture contains endswith error first flatten format fromstream getpath group_by
        has in index indices inside isempty join last ltrimstr map map_values match max_by min_by nth path paths pick
        range rindex rtrimstr scan select sort_by split splits startswith strftime strptime test trimstr
        truncate_stream unique_by walk with_entries
    """,
    2: """
        IN INDEX JOIN all any atan2 capture copysign drem fdim fmax fmin fmod gsub hypot ldexp limit match nextafter
        nexttoward nth pow range remainder scalb scalbln scan skip split splits sub test
    """,
    3: "JOIN fma gsub range sub",
    4: "JOIN",
}


def _allowed() -> Mapping[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for arity, names in _BY_ARITY.items():
        for name in names.split():
            found.setdefault(name, set()).add(arity)
    return MappingProxyType({name: frozenset(found[name]) for name in sorted(found)})


ALLOWED: Mapping[str, frozenset[int]] = _allowed()
"""Name to arities. null, true and false count as functions without arguments."""


class Denied(NamedTuple):
    """Why a builtin may not be called: the kind of the violation, what it does, what to do instead."""

    kind: str
    message: str
    help: str


def _table() -> Mapping[str, Denied]:
    clock = Denied("clock", "reads the clock", "compare times of the object with each other")
    zone = Denied("environment", "depends on the time zone of the machine", "use the UTC form: gmtime, strftime")
    given = Denied("input", "reads further inputs; there is one object", "use `.`")
    debug = Denied("debug", "prints while it runs", "leave it out")
    halt = Denied("halt", "stops the whole run", "use `error(...)`, or `empty` for no result")
    module = Denied("module", "reads modules", "a definition is complete in itself")
    endless = Denied("unbounded", "need not end", "use `map`, `reduce` or `first` over what the object holds")
    gone = Denied("deletion", "removes parts of the object", "select what stays")
    bessel = Denied("unsupported", "is a Bessel function, which our engine leaves out", "")
    split = Denied("not-in-both-engines", "does not exist in gojq", "")
    return MappingProxyType(
        {
            "env": Denied("environment", "reads the environment", "take the value from the object"),
            "now": clock,
            "localtime": zone,
            "strflocaltime": zone,
            **dict.fromkeys(("input", "inputs", "input_filename", "input_line_number"), given),
            **dict.fromkeys(("debug", "stderr"), debug),
            **dict.fromkeys(("halt", "halt_error"), halt),
            **dict.fromkeys(("modulemeta", "get_search_list", "get_jq_origin", "get_prog_origin"), module),
            **dict.fromkeys(("until", "while", "repeat", "combinations"), endless),
            **dict.fromkeys(("del", "delpaths"), gone),
            "setpath": Denied("assignment", "changes the object", "build the value with `{...}` or `map_values`"),
            "builtins": split._replace(message="lists what the engine has, which differs"),
            **dict.fromkeys(("j0", "j1", "jn", "y0", "y1", "yn"), bessel),
            "keys_unsorted": split._replace(help="use `keys`"),
            "lgamma_r": split._replace(help="use `lgamma`"),
            **dict.fromkeys(("have_decnum", "have_literal_numbers"), split),
        }
    )


DENIED: Mapping[str, Denied] = _table()

REFUSED = frozenset(("range", "paths", "recurse", "walk", "repeat", "del"))
"""Names that consumers refuse in a definition whatever they mean, at any arity (semantics 2.5, Q37)."""

FORMATS = frozenset(("@text", "@json", "@html", "@uri", "@urid", "@csv", "@tsv", "@sh", "@base64", "@base64d"))
"""What both engines can do with `@name`."""

ELSEWHERE: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("len", "count", "size"), "length"),
        **dict.fromkeys(("lower", "tolower", "toLower", "lowercase"), "ascii_downcase"),
        **dict.fromkeys(("upper", "toupper", "toUpper", "uppercase"), "ascii_upcase"),
        **dict.fromkeys(("None", "nil", "undefined", "NULL", "Null"), "null"),
        **dict.fromkeys(("str", "string"), "tostring"),
        **dict.fromkeys(("int", "float", "number"), "tonumber"),
        **dict.fromkeys(("filter", "where"), "select"),
        **dict.fromkeys(("exists", "hasKey"), "has"),
        **dict.fromkeys(("sum",), "add"),
        **dict.fromkeys(("True",), "true"),
        **dict.fromkeys(("False",), "false"),
        "toarray": 'if type == "array" then . else [.] end',
        "leaf_paths": "paths(scalars)",
        "replace": "gsub",
        "matches": "test",
    }
)
"""What jq calls things that are known by another name elsewhere."""
