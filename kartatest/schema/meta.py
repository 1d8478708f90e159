"""ObjectMeta: what an API server keeps as the metadata of every object, whatever the CRD says (Kubernetes 1.37)."""

from __future__ import annotations

from typing import Final

from kartatest.schema.table import Ref, Table

_SCALARS: Final = {
    "creationTimestamp": "date-time",
    "deletionGracePeriodSeconds": "int64",
    "deletionTimestamp": "date-time",
    "generateName": "string",
    "generation": "int64",
    "name": "string",
    "namespace": "string",
    "resourceVersion": "string",
    "selfLink": "string",
    "uid": "string",
}
_OWNER: Final = {
    "apiVersion": "string",
    "blockOwnerDeletion": "boolean",
    "controller": "boolean",
    "kind": "string",
    "name": "string",
    "uid": "string",
}
_MANAGED: Final = {
    "apiVersion": "string",
    "fieldsType": "string",
    "manager": "string",
    "operation": "string",
    "subresource": "string",
    "time": "date-time",
}


def object_meta(table: Table) -> Ref:
    """The row of ObjectMeta. Only the name is required: a manifest has no more, a stored object most of the rest."""
    texts = table.add({"values": "string"})
    owner = table.add({"fields": _OWNER, "required": ["apiVersion", "kind", "name", "uid"]})
    anything = table.add({"type": "object", "open": True})
    managed = table.add({"fields": {**_MANAGED, "fieldsV1": anything}})
    fields = {
        **_SCALARS,
        "annotations": texts,
        "finalizers": table.add({"items": "string", "unique": True}),
        "labels": texts,
        "managedFields": table.add({"items": managed}),
        "ownerReferences": table.add({"items": owner, "keys": ["uid"]}),
    }
    return table.add({"fields": fields, "required": ["name"]})
