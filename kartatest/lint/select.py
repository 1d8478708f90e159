"""Which rules run: codes, the beginnings of codes, names, or ALL."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kartatest.errors import UsageError
from kartatest.lint.rule import Rule, closest
from kartatest.lint.rules import RULES

ALL = "ALL"


def selected(
    select: Iterable[str] = (ALL,), ignore: Iterable[str] = (), *, rules: Sequence[Rule] = RULES
) -> tuple[Rule, ...]:
    """The rules that select names and ignore does not, in code order.

    Where both name a rule the closer word decides: KT203 beats KT2, KT2 beats ALL, a tie is ignored. An empty select
    is nothing. Raises UsageError for a word that fits no rule.
    """
    wanted, unwanted = _weights(select, rules), _weights(ignore, rules)
    return tuple(r for r in rules if wanted.get(r.code, -1) > unwanted.get(r.code, -1))


def words(text: str) -> tuple[str, ...]:
    """The selectors of a list with commas, blanks left out."""
    return tuple(part.strip() for part in text.split(",") if part.strip())


def codes(selector: str, rules: Sequence[Rule] = RULES) -> tuple[str, ...]:
    """The codes that one selector names. Raises UsageError when there is none."""
    upper = selector.upper()
    if upper == ALL:
        return tuple(r.code for r in rules)
    is_code = upper.startswith("KT")
    found = tuple(r.code for r in rules if r.name == selector.lower() or (is_code and r.code.startswith(upper)))
    if not found:
        meant = None if is_code else closest(selector, [r.name for r in rules])
        hint = f"; did you mean {meant!r}?" if meant else "; `karta explain` lists all rules"
        raise UsageError(f"no rule is called {selector!r}{hint}")
    return found


def _weights(selectors: Iterable[str], rules: Sequence[Rule]) -> dict[str, int]:
    """Code to how closely a selector names it: the length of a beginning, more for the whole code or name."""
    weights: dict[str, int] = {}
    for selector in selectors:
        whole = selector.upper() != ALL
        for code in codes(selector, rules):
            named = not selector.upper().startswith("KT")
            weight = 0 if not whole else len(code) if named else len(selector)
            weights[code] = max(weight, weights.get(code, -1))
    return weights
