"""KT905: a file is named like a definition, but not like the one in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule
from kartatest.lint.rules.places import text_at

_LIKE_A_DEFINITION = re.compile(r"[a-z0-9-]+-[a-z0-9]+-v[0-9]+((alpha|beta)[0-9]+)?")


def check(ctx: LintContext) -> Iterator[Finding]:
    """At most one finding, at metadata.name. Files with other names, and all but the first document, are let be."""
    definition = ctx.definition
    stem = PurePath(definition.file).stem
    at = (*definition.at, "metadata", "name")
    if definition.index or not _LIKE_A_DEFINITION.fullmatch(stem) or text_at(ctx, at) in (None, stem):
        return
    yield Finding(
        at=at,
        message=f"the file is named {stem!r}, the definition in it {definition.name!r}",
        help="rename the one or the other; recordings are looked for under the definition's name",
    )


RULE = Rule(
    code="KT905",
    name="file-name",
    severity=Severity.WARNING,
    summary="A file is named like a definition, but not like the one in it.",
    why="Recordings and goldens are found by the definition's name, people look for the file's; after a copy or a new "
    "version the two easily part.",
    source="semantics 1.5",
    check=check,
)
