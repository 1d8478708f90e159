"""Which releases of an operator have a field."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kartatest.lint.rule import LintContext
from kartatest.lint.typing import others

if TYPE_CHECKING:
    from kartatest.infer.events import Missing
    from kartatest.schema import Type


def found_in(ctx: LintContext, missing: Missing) -> tuple[str, ...]:
    """The releases, oldest first, whose schema has the field that the checked release lacks; () when there is none."""
    if missing.holder.origin is None or not missing.types:
        return ()
    path = (*missing.holder.origin, missing.name)
    return tuple(other.tag for other in others(ctx) if has(other.root, path))


def has(root: Type, path: tuple[str | int | None, ...]) -> bool:
    """Whether something can stand at a path; None in it is any entry of a list or map."""
    here: Type | None = root
    for step in path:
        if here is None:
            return False
        if here.open and (not isinstance(step, str) or here.field(step) is None):
            return True
        here = here.field(step) if isinstance(step, str) else here.items or here.additional
    return here is not None
