"""Suspend and resume actions as rules look at them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Literal

from kartatest.definition.jsontext import decoded
from kartatest.definition.model import Action, ComponentDef


def actions(component: ComponentDef) -> Iterator[tuple[Literal["suspend", "resume"], Action]]:
    """The actions of a component in the order of the file, each with what it belongs to."""
    if component.suspend is not None:
        yield from (("suspend", action) for action in component.suspend.suspend)
        yield from (("resume", action) for action in component.suspend.resume)


def value_of(action: Action) -> str | None:
    """The value in one spelling, so that equal values are equal texts; None when there is none or it is not JSON."""
    if action.value is None:
        return None
    try:
        return json.dumps(decoded(action.value), sort_keys=True)
    except ValueError:
        return None
