"""A definition as frozen values. Every part knows its document path, none knows a line number.

Field names follow the house's terms; `spec` of the format is semantics section 1.2-1.4. A field that the file
leaves out is None (or an empty tuple); a field of the wrong type is left out too, and the loader has said so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum

from kartatest.source import DocPath
from kartatest.value import value


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


@value
class Gvk:
    """Group, version and kind of an object; "" is the core group, or a part that is absent."""

    group: str
    version: str
    kind: str

    @property
    def api_version(self) -> str:
        """As in an object's `apiVersion`: "apps/v1", "v1"."""
        return f"{self.group}/{self.version}" if self.group else self.version

    def __str__(self) -> str:
        return f"{self.api_version} {self.kind}"

    @classmethod
    def of(cls, obj: Mapping[str, object]) -> Gvk:
        """The Gvk that an object states; parts that it lacks, or that are no text, are ""."""
        api_version, kind = obj.get("apiVersion"), obj.get("kind")
        group, _, version = api_version.rpartition("/") if isinstance(api_version, str) else ("", "", "")
        return cls(group, version, kind if isinstance(kind, str) else "")


@value
class Expr:
    """jq text in a definition. text may be "" (semantics Q43); it need not parse.

    rank: for each step of `at` the position of its key or item in the file; () for one that is in no file. It says
    which of two expressions is written first, and is no part of what they are.
    """

    at: DocPath
    text: str
    use: Use
    rank: tuple[int, ...] = field(default=(), compare=False)

    @property
    def root(self) -> Root:
        """What it runs on."""
        return self.use.root


@value
class ScaleDef:
    """`scaleDefinition`; {} in the file is a value with nothing set (Q15)."""

    at: DocPath
    replicas: Expr | None = None
    min_replicas: Expr | None = None
    max_replicas: Expr | None = None


@value
class SpecDef:
    """`specDefinition`: where the pod's shape is. fragments is None when `fragmentedPodSpecDefinition` is absent."""

    at: DocPath
    pod_template: Expr | None = None
    pod_spec: Expr | None = None
    metadata: Expr | None = None
    fragments: Mapping[Use, Expr] | None = None

    @property
    def bears_pods(self) -> bool:
        """Whether consumers count pods below it: any of the three shapes is given, an empty one of fragments, too.

        Metadata alone does not count (semantics 4.1, Q54).
        """
        return self.shows_pods or self.fragments is not None

    @property
    def shows_pods(self) -> bool:
        """Whether it says what a pod looks like: an empty `fragmentedPodSpecDefinition` is as good as none (Q15)."""
        return self.pod_template is not None or self.pod_spec is not None or bool(self.fragments)


@value
class ConditionsDef:
    """`conditionsDefinition` with the schema's defaults filled in (semantics 1.3, Q07)."""

    at: DocPath
    path: Expr | None
    type_field: str = "type"
    status_field: str = "status"
    message_field: str = "message"
    reason_field: str = "reason"


@value
class ConditionMatch:
    """One entry of `byConditions`. status and reason are None when absent; "" counts as absent in matching."""

    at: DocPath
    type: str
    status: str | None = None
    reason: str | None = None


@value
class Matcher:
    """All parts that are set must hold; with none set it holds for every object (Q05).

    expected is None without `byExpression`, and "" in one that says nothing of the result (Q40).
    """

    at: DocPath
    phase: str | None = None
    conditions: tuple[ConditionMatch, ...] = ()
    expression: Expr | None = None
    expected: str | None = None


@value
class StatusMapping:
    """The matchers of one status; any may hold."""

    at: DocPath
    status: Status
    matchers: tuple[Matcher, ...]


@value
class StatusDef:
    """`statusDefinition`. mappings are in the fixed order of Status, only those that the file gives."""

    at: DocPath
    phase: Expr | None = None
    conditions: ConditionsDef | None = None
    mappings: tuple[StatusMapping, ...] = ()


@value
class TypeSelector:
    """`componentTypeSelector`. labels is None when `matchLabels` is absent."""

    at: DocPath
    key: Expr | None = None
    value: str | None = None
    labels: Mapping[str, str] | None = None


@value
class PodSelector:
    """`podSelector`: which pods are whose, by type, instance and replica."""

    at: DocPath
    type: TypeSelector | None = None
    instance_id: Expr | None = None
    replica_key: Expr | None = None


@value
class Action:
    """One assignment of a suspend or resume; value is JSON text."""

    at: DocPath
    path: Expr | None
    value: str | None


@value
class SuspendDef:
    """`suspendDefinition`: ordered assignments."""

    at: DocPath
    suspend: tuple[Action, ...] = ()
    resume: tuple[Action, ...] = ()


@value
class ComponentDef:
    """A part of a workload as written: the root, or one of `childComponents`. Names may be "" in a broken file."""

    at: DocPath
    name: str
    kind: Gvk | None = None
    owner: str | None = None
    spec: SpecDef | None = None
    scale: ScaleDef | None = None
    status: StatusDef | None = None
    suspend: SuspendDef | None = None
    instance_ids: Expr | None = None
    selector: PodSelector | None = None

    @property
    def bears_pods(self) -> bool:
        """Whether pods hang off this component (semantics 4.1)."""
        return self.spec is not None and self.spec.bears_pods


@value
class Topology:
    """Topology constraint of a pod group; absent parts are ""."""

    at: DocPath
    name: str = ""
    preferred: str = ""
    required: str = ""


@value
class SubGroupDef:
    """One entry of `podGroup.subGroups`."""

    at: DocPath
    component: str
    topology: Topology | None = None


@value
class PodGroupDef:
    """`podGroup`, the current shape."""

    at: DocPath
    name: str
    sub_groups: tuple[SubGroupDef, ...] = ()
    topology: Topology | None = None


@value
class MemberDef:
    """A component in a pod group of the deprecated shape."""

    at: DocPath
    component: str
    group_keys: tuple[Expr, ...] = ()
    filters: tuple[Expr, ...] = ()


@value
class AlphaGroupDef:
    """One entry of `podGroups`, the deprecated shape."""

    at: DocPath
    name: str
    members: tuple[MemberDef, ...] = ()


@value
class GangDef:
    """`optimizationInstructions.gangScheduling`; when both shapes are present, pod_group wins (semantics 1.4)."""

    at: DocPath
    pod_group: PodGroupDef | None = None
    pod_groups: tuple[AlphaGroupDef, ...] = ()


@value
class KindRef:
    """A kind that a definition names, and where."""

    at: DocPath
    gvk: Gvk


@dataclass(frozen=True)
class Definition:
    """One definition. root is present even in a broken file (with name "" where the file has none).

    file is the name of its source as the user knows it; index counts documents in that file from 0.
    refused: why the API server would not store it, as the schema's complaints; () when it would.
    unread: places of what was written and has a type that cannot be read, so that it is left out.
    """

    file: str
    index: int
    name: str
    labels: Mapping[str, str]
    root: ComponentDef
    children: tuple[ComponentDef, ...] = ()
    additional_kinds: tuple[KindRef, ...] = ()
    gang: GangDef | None = None
    at: DocPath = field(default=())
    refused: tuple[str, ...] = ()
    unread: tuple[DocPath, ...] = ()

    @property
    def components(self) -> tuple[ComponentDef, ...]:
        """The root, then its children in the order of the file."""
        return (self.root, *self.children)

    def component(self, name: str) -> ComponentDef | None:
        """The first component of that name."""
        return next((c for c in self.components if c.name == name), None)

    def children_of(self, name: str) -> Iterator[ComponentDef]:
        """Children whose ownerRef names the component, in the order of the file."""
        return (c for c in self.children if c.owner == name)
