"""Where the pods of a group have to be close to each other: by the definition, and by annotations."""

from __future__ import annotations

from kartatest.definition.model import Topology
from kartatest.gang.model import Refusal, TopologyConstraint
from kartatest.gang.names import texts_of
from kartatest.source import JsonObject

ANNOTATION = "kai.scheduler/topology"
"""With the suffixes -preferred-placement and -required-placement: what an owner asks KAI Scheduler for."""


def constraint(topology: Topology | None) -> TopologyConstraint | None:
    """The definition's constraint. Raises Refusal for a level without a name, and for a name without a level."""
    if topology is None:
        return None
    if not topology.name:
        raise Refusal("topology", "a topology needs a name")
    if not topology.preferred and not topology.required:
        raise Refusal("topology", f"the topology {topology.name!r} needs a preferred or a required level")
    return TopologyConstraint(topology.name, topology.preferred, topology.required)


def of_annotations(obj: JsonObject) -> TopologyConstraint | None:
    """What the owner's annotations ask for, unchecked; the definition's topology replaces it whole (section 13)."""
    found = texts_of(obj, "annotations")
    name, preferred, required = (
        found.get(ANNOTATION + suffix, "") for suffix in ("", "-preferred-placement", "-required-placement")
    )
    return TopologyConstraint(name, preferred, required) if name or preferred or required else None
