"""Whatever stands in a CRD, compiling it gives types or says what is wrong."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from kartatest.schema import table
from kartatest.schema.compile import NotACrdError, compile_crd
from kartatest.schema.fit import misfits
from kartatest.schema.sample import samples
from tests.schema.build import crd

CRD = crd(
    {
        "type": "object",
        "required": ["spec"],
        "x-kubernetes-validations": [{"rule": "true"}],
        "properties": {
            "spec": {
                "type": "object",
                "minProperties": 1,
                "properties": {
                    "size": {"type": "integer", "minimum": 1, "maximum": 4, "exclusiveMinimum": False, "default": 2},
                    "name": {"type": "string", "pattern": "^a", "maxLength": 9, "enum": ["a"], "nullable": True},
                    "list": {
                        "type": "array",
                        "minItems": 1,
                        "x-kubernetes-list-type": "map",
                        "x-kubernetes-list-map-keys": ["k"],
                        "items": {"type": "object", "required": ["k"], "properties": {"k": {"type": "string"}}},
                    },
                    "map": {"type": "object", "additionalProperties": {"x-kubernetes-int-or-string": True}},
                },
            }
        },
    }
)
CRD["spec"]["versions"][0]["subresources"] = {"status": {}, "scale": {"specReplicasPath": ".spec.size"}}

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats(-2, 2) | st.sampled_from(["", "a", "object", "array"]),
    lambda kids: (
        st.lists(kids, max_size=3) | st.dictionaries(st.sampled_from(["type", "items", "a"]), kids, max_size=3)
    ),
    max_leaves=5,
)


def _places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [at]
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        found += _places(value[key], (*at, key))
    return found


PLACES = [at for at in _places(CRD) if at]


@settings(max_examples=600)
@given(st.sampled_from(PLACES), VALUES)
def test_any_part_may_be_anything(at: tuple[Any, ...], value: Any) -> None:
    document = copy.deepcopy(CRD)
    parent = document
    for step in at[:-1]:
        parent = parent[step]
    parent[at[-1]] = value
    try:
        made = compile_crd(document, tag="v1")
    except NotACrdError:
        return
    for schema in table.schemas(table.text(made)):
        for obj in samples(schema.root, 5):
            list(misfits(schema.root, obj))
