"""What is told where pod groups are not as a recording expects them."""

from __future__ import annotations

from typing import Any

import pytest

from kartatest.errors import UsageError
from kartatest.gang import CONSUMERS, groups
from kartatest.gang.expect import KNOWN, differences
from kartatest.gang.model import Gangs, Place, PodGroup, SubGroup
from tests.gang.test_cases import definition_of

GANGS = Gangs(
    (PodGroup("pg-u1-a", 3), PodGroup("pg-u1-b", None, 2, (SubGroup("lead", 1), SubGroup("hand", 4)))),
    (
        Place("p", "grouped", "pg-u1-a"),
        Place("q", "grouped", "pg-u1-b", "lead"),
        Place("r", "refused", text="no count", reason="zero-scale"),
        Place("s", "default", "pg-x"),
        Place("t", "ignored"),
    ),
)
RIGHT: dict[str, Any] = {"pg-<uid>-a": 3, "pg-<uid>-b": {"lead": 1, "hand": 4}}
PLACES = {"p": "pg-<uid>-a", "q": "pg-<uid>-b lead", "r": "refused", "s": "default", "t": "ignored"}


def test_as_expected() -> None:
    assert differences(GANGS, RIGHT, PLACES, "u1") == ()
    assert differences(GANGS, None, {"s": "pg-x"}, "u1") == ()


@pytest.mark.parametrize(
    ("wanted", "places", "lines"),
    [
        (
            {"pg-<uid>-a": 2, "pg-u1-c": 1},
            {},
            [
                "group 'pg-u1-b' is not expected, it needs lead 1, hand 4",
                "group 'pg-u1-a' needs 3, expected 2",
                "group 'pg-u1-c' is expected, and there is none",
            ],
        ),
        ({**RIGHT, "pg-<uid>-b": {"lead": 1}}, {}, ["group 'pg-u1-b' needs lead 1, hand 4, expected lead 1"]),
        ({**RIGHT, "pg-<uid>-b": 5}, {}, ["group 'pg-u1-b' needs lead 1, hand 4, expected 5"]),
        (
            None,
            {"p": "refused", "q": "pg-<uid>-b hand", "r": "pg-u1-a", "z": "crash"},
            [
                "pod 'p' is pg-u1-a, expected refused",
                "pod 'q' is pg-u1-b lead, expected pg-<uid>-b hand",
                "pod 'r' is refused: no count, expected pg-u1-a",
                "pod 'z' is not in the frame",
            ],
        ),
    ],
)
def test_what_is_told(wanted: Any, places: dict[str, str], lines: list[str]) -> None:
    assert list(differences(GANGS, wanted, places, "u1")) == lines


def test_known_consumers_can_be_asked() -> None:
    definition = definition_of({"children": []})
    for consumer in KNOWN.values():
        assert groups(definition, {}, consumer=consumer).groups == ()
    assert {consumer for consumer in KNOWN.values() if consumer} == set(CONSUMERS)
    with pytest.raises(UsageError, match="'kai'"):
        groups(definition, {}, consumer="volcano")
