"""What was written and could not be read has one finding, and nothing speaks as if it had not been written."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from kartatest.definition.load import load
from kartatest.lint.engine import lint
from kartatest.lint.rules import RULES
from kartatest.source import DocPath, Json, Source

EXAMPLES = sorted((Path(__file__).parent / "rules").glob("KT*/good.yaml"))


def places(value: Json, at: DocPath = ()) -> Iterator[DocPath]:
    yield at
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from places(item, (*at, key))


def kinds_of_places() -> Iterator[tuple[str, DocPath]]:
    """Every place in the spec of some example, one for all list items, with the first example that has it."""
    seen: set[DocPath] = set()
    for file in EXAMPLES:
        documents = list(yaml.safe_load_all(file.read_text("utf-8")))
        if len(documents) == 1 and isinstance(documents[0], dict) and isinstance(documents[0].get("spec"), dict):
            for at in places(documents[0]["spec"], ("spec",)):
                one = tuple("*" if isinstance(step, int) else step for step in at)
                if len(at) > 2 and one not in seen:
                    seen.add(one)
                    yield file.parent.name, at


def put(value: Json, at: DocPath, new: Json) -> Any:
    value = here = copy.deepcopy(value)
    for step in at[:-1]:
        here = here[step]
    here[at[-1]] = new(here[at[-1]])
    return value


def mistyped(value: Json) -> Json:
    return 7 if isinstance(value, dict | list) else {"x": {}}


def codes(value: Json) -> set[str]:
    return {d.code for d in lint(Source("x.yaml", yaml.safe_dump(value, sort_keys=False)))}


PLACES = list(kinds_of_places())


@pytest.mark.parametrize(("example", "at"), PLACES, ids=[f"{e}-{'.'.join(map(str, at[2:]))}" for e, at in PLACES])
def test_a_part_of_the_wrong_type_is_not_taken_for_a_missing_one(example: str, at: DocPath) -> None:
    (value,) = yaml.safe_load_all((Path(__file__).parent / "rules" / example / "good.yaml").read_text("utf-8"))
    wrong = put(value, at, mistyped)
    found = codes(wrong)
    if at[-1] != "matchLabels" and at[-2] != "matchLabels":
        assert {"KT010", "KT014"} & found
    assert {c for c in found - codes(value) if not c.startswith(("KT0", "KT9"))} == set()


def test_what_can_be_read_as_meant_is_no_unread_part() -> None:
    def unread(text: str) -> tuple[DocPath, ...]:
        return load(Source("x.yaml", HEAD + text)).items[0].definition.unread

    root = ("spec", "structureDefinition", "rootComponent")
    assert unread("{name: 7}") == unread("{name: }") == unread("{name: null}") == ()
    assert unread("{name: r, kind: []}") == ((*root, "kind"),)
    assert unread("{name: r, childComponents: {}}") == ()  # no field of this name, which is another fault
    assert unread("{name: r, statusDefinition: {statusMappings: {running: {byPhase: R}}}}") == ()
    assert unread("[]") == (root,)


HEAD = """
apiVersion: run.ai/v1alpha1
kind: Karta
metadata: {name: x}
spec:
  structureDefinition:
    rootComponent: """


def test_rules_of_absence_say_so() -> None:
    assert {"KT102", "KT402", "KT601"} <= {rule.code for rule in RULES if rule.of_absence}
