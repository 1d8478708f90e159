"""No false alarm: definitions written from the types of real CRDs, release by release, are clean under all rules."""

from __future__ import annotations

from itertools import islice

import pytest
import yaml

from kartatest.lint.engine import Types, lint
from kartatest.report import text
from kartatest.schema.index import built_in, schemas
from kartatest.source import Source
from tests.lint.drafts import definitions

KINDS = {(e.group, e.version, e.kind): e for e in built_in()}
PER_RELEASE = 4


def drafts() -> dict[str, tuple[str, str]]:
    """By name: a definition as YAML, and the release whose types it was written from."""
    made = {}
    for _, entry in sorted(KINDS.items()):
        for schema in schemas(entry):
            for number, draft in enumerate(islice(definitions(schema), PER_RELEASE)):
                name = f"{schema.kind}-{schema.version}-{schema.tag}-{number}"
                made[name] = (yaml.safe_dump(draft, sort_keys=False), schema.tag)
    return made


DRAFTS = drafts()


def test_there_are_enough() -> None:
    assert len(DRAFTS) >= 60


@pytest.mark.parametrize("name", DRAFTS)
def test_a_draft_is_clean(name: str) -> None:
    draft, release = DRAFTS[name]
    found = lint(Source(f"{name}.yaml", draft), types=Types(version=release))
    assert "\n".join(map(text.finding, found)) == ""
