"""Which releases of an operator have a field."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kartatest.lint.rule import LintContext
from kartatest.lint.typing import others

if TYPE_CHECKING:
    from kartatest.infer.events import Missing


def found_in(ctx: LintContext, missing: Missing) -> tuple[str, ...]:
    """The releases, oldest first, whose schema has the field that the checked release lacks; () when there is none."""
    if missing.holder.origin is None or not missing.types:
        return ()
    from kartatest.infer.types import type_at

    path = (*missing.holder.origin, missing.name)
    return tuple(other.tag for other in others(ctx) if type_at(other.root, path) is not None)
