"""Which type stands at a path of a schema, where the path may run over every entry."""

from __future__ import annotations

from kartatest.jq.shape import Path
from kartatest.schema.model import ANY, Type


def type_at(root: Type, path: Path) -> Type | None:
    """The type at a path; None in it is any entry of a list or map. None when nothing is ever stored there.

    ANY below what is open.
    """
    here: Type | None = root
    for step in path:
        if here is None:
            return None
        known = here.field(step) if isinstance(step, str) else here.items or here.additional
        if known is None and here.open:
            return ANY
        here = known
    return here
