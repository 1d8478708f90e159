"""The operators of the lab: one data file each in this folder, and files of users that have the same form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from kartatest.cluster.operators.load import Loaded, load
from kartatest.cluster.operators.model import Chosen, Operator, Run, Webhooks
from kartatest.errors import UsageError
from kartatest.source import Source

__all__ = ["Chosen", "Loaded", "Operator", "Run", "Webhooks", "built_in", "choose", "load", "ordered"]

FOLDER = Path(__file__).parent


@cache
def built_in() -> Mapping[str, Operator]:
    """The operators that come with karta, by name, in the order of their names."""
    found = {}
    for file in sorted(FOLDER.glob("*.yaml")):
        loaded = load(Source(file.name, file.read_text("utf-8")), file)
        assert loaded.operator is not None, loaded.diagnostics
        found[loaded.operator.name] = loaded.operator
    return found


def choose(word: str, known: Mapping[str, Operator]) -> Chosen:
    """The operator that NAME or NAME@VERSION means; the first of its versions when none is given.

    Raises UsageError for a name or version that is not known.
    """
    name, _, version = word.partition("@")
    if name not in known:
        from difflib import get_close_matches

        near = get_close_matches(name, known, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}"
        raise UsageError(f"no operator is called {name!r}; {hint}")
    operator = known[name]
    if version and version not in operator.versions:
        if f"v{version}" not in operator.versions:
            told = ", ".join(operator.versions)
            raise UsageError(f"{name} has the versions {told}, not {version}; a file for --operator may name others")
        version = f"v{version}"
    return Chosen(operator, version or operator.versions[0])


def ordered(words: Sequence[str], known: Mapping[str, Operator]) -> tuple[Chosen, ...]:
    """The operators that are meant, those that others need before them, each once.

    Raises UsageError for an unknown one, two versions of one, or operators that need each other.
    """
    wanted: dict[str, Chosen] = {}
    for word in words:
        chosen = choose(word, known)
        if wanted.setdefault(chosen.operator.name, chosen) != chosen:
            other = wanted[chosen.operator.name]
            raise UsageError(f"{other} and {chosen} cannot run in one lab; give each a lab with --name")
    found: dict[str, Chosen] = {}

    def add(chosen: Chosen, above: tuple[str, ...]) -> None:
        name = chosen.operator.name
        if name in above:
            raise UsageError(f"operators need each other: {' -> '.join((*above, name))}")
        for need in chosen.operator.needs:
            add(wanted.get(need.partition("@")[0]) or choose(need, known), (*above, name))
        found.setdefault(name, chosen)

    for chosen in wanted.values():
        add(chosen, ())
    return tuple(found.values())
