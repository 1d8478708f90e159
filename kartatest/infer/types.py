"""Which type stands at a path of a schema, where the path may run over every entry."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.jq.shape import Path
from kartatest.schema.model import ANY, Type


def type_at(root: Type, path: Path) -> Type | None:
    """The type at a path; None in it is any entry of a list or map, or any field of an object.

    Where several entries have it, the first. None when nothing is ever stored there. ANY below what is open.
    """
    among, is_open = [root], False
    for step in path:
        is_open = is_open or any(here.open for here in among if not _below(here, step))
        among = [kid for here in among for kid in _below(here, step).values()]
    return among[0] if among else ANY if is_open else None


def spelled(root: Type, path: Path) -> Iterator[Path]:
    """The paths that a path stands for: where it runs over an object's fields, those that have what follows.

    Entries of lists and maps stay None. Nothing when the path is not there.
    """
    if not path:
        yield ()
        return
    step, rest = path[0], path[1:]
    below = _below(root, step)
    if not below and root.open:
        yield path
    for name, kid in below.items():
        yield from ((name, *more) for more in spelled(kid, rest))


def _below(here: Type, step: str | int | None) -> dict[str | int | None, Type]:
    """What a step can lead to, by the step as it is written."""
    if isinstance(step, str):
        kid = here.field(step)
        return {} if kid is None else {step: kid}
    entry = here.items or here.additional
    found: dict[str | int | None, Type] = {} if entry is None else {step: entry}
    if step is None:
        found |= {name: kid for name, kid in here.fields.items()}  # noqa: C416  # names among other steps
    return found
