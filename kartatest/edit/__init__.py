"""Objects edited through their definition: suspended, resumed, their pods changed.

The face of the package; each gives an Edited and leaves the object it was given alone:

    suspend(definition, obj, component=) -> Edited
    resume(definition, obj, component=, before=) -> Edited
    set_pods(definition, obj, PodPatch(...), component=, instances=) -> Edited
    text.edited_text(...) -> str                   the YAML file with only the changed places rewritten

An EditError names everything that stands against an edit; nothing is changed then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kartatest.edit.model import ABSENT, CLEAR, Change, Edited, PodPatch

if TYPE_CHECKING:
    from kartatest.edit.actions import resume, suspend
    from kartatest.edit.pods import set_pods

__all__ = ["ABSENT", "CLEAR", "Change", "Edited", "PodPatch", "resume", "set_pods", "suspend"]

_PLACES = {"suspend": "actions", "resume": "actions", "set_pods": "pods"}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"kartatest.edit.{_PLACES[name]}"), name)
