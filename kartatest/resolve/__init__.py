"""What a definition reads in an object.

The face of the package:

    resolve(definition, obj, pods=, owners=) -> Tree           never raises
    requests.pod_request(PodShape) -> PodRequest               effective request of one pod
    totals.totals(Tree) -> Totals                              pods and requests of the whole workload
    quantity.parse(value), quantity.to_text(resource, amount)  Kubernetes quantities, exact
    gangs.gangs(Tree) -> Gangs                                 what has to start together
    pods.phase(pod), pods.is_current(pod), pods.reason(pod)    what a live pod says of itself
    selectors.matches_type(...), selectors.single(...)         how pods are read
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kartatest.resolve.tree import resolve

__all__ = ["resolve"]


def __getattr__(name: str) -> Any:
    if name == "resolve":
        from kartatest.resolve.tree import resolve

        globals()["resolve"] = resolve  # found without this function from now on
        return resolve
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class _Callable(ModuleType):
    """So that `kartatest.resolve(...)` works whether or not a module of this package has been imported before."""

    def __call__(self, *args: Any, **options: Any) -> Any:
        """As tree.resolve."""
        return self.resolve(*args, **options)


sys.modules[__name__].__class__ = _Callable
