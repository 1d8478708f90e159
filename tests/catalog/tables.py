"""Per definition, from kinds/: the status a person reads in an object (TABLES), made-up objects (OBJECTS), and what an
object without spec and status reads (EMPTY: Initializing where the module does not say otherwise), which roles the
controller may give a template that is not in the object (TEMPLATE_ELSEWHERE), and what a workload that runs reads once
its suspension is asked for (TOLD_TO_SUSPEND: Suspending where the module does not say otherwise; before that it reads
AT_WORK: Running).

Written from the controllers' behaviour, not from the definitions: the tests compare the two. A module is named as the
definition is, with _ for -; its `status` is a table in which the first row that matches wins.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType

from hypothesis import strategies as st

from tests.catalog.parts import Obj

_MODULES: dict[str, ModuleType] = {
    path.stem.replace("_", "-"): import_module(f"tests.catalog.kinds.{path.stem}")
    for path in sorted((Path(__file__).parent / "kinds").glob("*.py"))
}
TABLES: dict[str, Callable[[Obj], str]] = {name: module.status for name, module in _MODULES.items()}
OBJECTS: dict[str, st.SearchStrategy[Obj]] = {name: module.OBJECTS for name, module in _MODULES.items()}
EMPTY: dict[str, str] = {name: getattr(module, "EMPTY", "Initializing") for name, module in _MODULES.items()}
TEMPLATE_ELSEWHERE: dict[str, frozenset[str]] = {
    name: getattr(module, "TEMPLATE_ELSEWHERE", frozenset()) for name, module in _MODULES.items()
}
TOLD_TO_SUSPEND: dict[str, str] = {
    name: getattr(module, "TOLD_TO_SUSPEND", "Suspending") for name, module in _MODULES.items()
}
AT_WORK: dict[str, str] = {name: getattr(module, "AT_WORK", "Running") for name, module in _MODULES.items()}
READ_ONLY: dict[str, frozenset[str]] = {
    name: getattr(module, "READ_ONLY", frozenset()) for name, module in _MODULES.items()
}
