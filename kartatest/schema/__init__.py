"""Which fields a kind has, of which type: compiled from the CRDs of real operator releases.

schema_for(kind, tag=None) -> Schema | None     the types of a kind, of the newest release or a named one
tags(kind) -> tuple[str, ...]                   the releases of its operator that are known, oldest first
part("PodTemplateSpec") -> Type                 a part that Kubernetes itself defines
"""

from kartatest.schema.index import part, schema_for, tags
from kartatest.schema.model import Base, Limits, Schema, Type

__all__ = ["Base", "Limits", "Schema", "Type", "part", "schema_for", "tags"]
