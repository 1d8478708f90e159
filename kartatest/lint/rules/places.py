"""What several rules ask of a document: whether something is written, and which kinds are named where."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kartatest.definition.model import KindRef
from kartatest.lint.rule import LintContext
from kartatest.source import DocPath, Json

VERSION = re.compile(r"v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?")
"""How the API spells versions: v1, v1beta1."""


def value_at(ctx: LintContext, at: DocPath, default: Json = None) -> Json:
    """The plain value at a path of the document, whatever its type; default when nothing is written there."""
    value: Json = ctx.document.value
    for key in at:
        try:
            value = value[key]
        except (KeyError, IndexError, TypeError):
            return default
    return value


def given(ctx: LintContext, at: DocPath) -> bool:
    """Whether something is written at a path, null excepted: null counts as absent."""
    return value_at(ctx, at) is not None


def text_at(ctx: LintContext, at: DocPath) -> str | None:
    """The string at a path; None when there is none, or something else."""
    value = value_at(ctx, at)
    return value if isinstance(value, str) else None


def named_kinds(ctx: LintContext, *, root: bool = True) -> Iterator[tuple[str, KindRef]]:
    """Every kind that a definition names, with words for it: the root's, the children's, the additional ones."""
    definition = ctx.definition
    for component in definition.components if root else definition.children:
        if component.kind is not None:
            words = "the root component" if component is definition.root else f"component {component.name!r}"
            yield words, KindRef((*component.at, "kind"), component.kind)
    for ref in definition.additional_kinds:
        yield f"additional child kind {ref.gvk.kind!r}", ref
