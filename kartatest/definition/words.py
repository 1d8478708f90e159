"""The format's fixed words: statuses, what expressions run on, and what their results feed."""

from __future__ import annotations

from enum import Enum


class Status(Enum):
    """The shared vocabulary, in the fixed order in which statuses are tested and returned (semantics 6.2)."""

    RESUMING = "Resuming"
    SUSPENDING = "Suspending"
    SUSPENDED = "Suspended"
    RUNNING = "Running"
    FAILED = "Failed"
    COMPLETED = "Completed"
    INITIALIZING = "Initializing"
    DEGRADED = "Degraded"
    UNDEFINED = "Undefined"

    @property
    def key(self) -> str:
        """The key of its mapping in `statusMappings`: "running"."""
        return self.value.lower()


class Root(Enum):
    """What an expression runs on: the workload's root object, or one pod."""

    WORKLOAD = "workload"
    POD = "pod"


class Use(Enum):
    """What an expression's result feeds. The value is the field's name in the file."""

    POD_TEMPLATE_SPEC = "podTemplateSpecPath"
    POD_SPEC = "podSpecPath"
    METADATA = "metadataPath"
    SCHEDULER_NAME = "schedulerNamePath"
    LABELS = "labelsPath"
    ANNOTATIONS = "annotationsPath"
    RESOURCES = "resourcesPath"
    RESOURCE_CLAIMS = "resourceClaimsPath"
    POD_AFFINITY = "podAffinityPath"
    NODE_AFFINITY = "nodeAffinityPath"
    CONTAINERS = "containersPath"
    CONTAINER = "containerPath"
    PRIORITY_CLASS_NAME = "priorityClassNamePath"
    IMAGE = "imagePath"
    REPLICAS = "replicasPath"
    MIN_REPLICAS = "minReplicasPath"
    MAX_REPLICAS = "maxReplicasPath"
    INSTANCE_ID = "instanceIdPath"
    PHASE = "phaseDefinition.path"
    CONDITIONS = "conditionsDefinition.path"
    MATCHER = "byExpression.expression"
    ACTION = "path"
    TYPE_KEY = "componentTypeSelector.keyPath"
    POD_INSTANCE_ID = "componentInstanceSelector.idPath"
    REPLICA_KEY = "replicaSelector.keyPath"
    GROUP_KEY = "groupByKeyPaths"
    FILTER = "filters"

    @property
    def root(self) -> Root:
        """What the expression runs on (semantics 1.2, column "On")."""
        return Root.POD if self in _POD_USES else Root.WORKLOAD

    @property
    def written(self) -> bool:
        """Whether consumers also write through the expression (semantics 5)."""
        return self in _WRITTEN_USES


_POD_USES = frozenset({Use.TYPE_KEY, Use.POD_INSTANCE_ID, Use.REPLICA_KEY, Use.GROUP_KEY, Use.FILTER})
FRAGMENT_USES = (
    Use.SCHEDULER_NAME,
    Use.LABELS,
    Use.ANNOTATIONS,
    Use.RESOURCES,
    Use.RESOURCE_CLAIMS,
    Use.POD_AFFINITY,
    Use.NODE_AFFINITY,
    Use.CONTAINERS,
    Use.CONTAINER,
    Use.PRIORITY_CLASS_NAME,
    Use.IMAGE,
)
_WRITTEN_USES = frozenset({Use.POD_TEMPLATE_SPEC, Use.POD_SPEC, Use.METADATA, Use.ACTION, *FRAGMENT_USES})
