"""A definition as frozen values. Every part knows its document path, none knows a line number.

Field names follow the house's terms; `spec` of the format is semantics section 1.2-1.4. A field that the file
leaves out is None (or an empty tuple); a field of the wrong type is left out too, and the loader has said so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kartatest.definition.words import FRAGMENT_USES as FRAGMENT_USES
from kartatest.definition.words import Root as Root
from kartatest.definition.words import Status as Status
from kartatest.definition.words import Use as Use
from kartatest.source import DocPath, JsonObject
from kartatest.value import value

if TYPE_CHECKING:
    from kartatest.edit.editor import Editor
    from kartatest.resolve.model import Tree


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

    # Doors to what works on definitions, for those who hold one: imported when they are called, and by nothing else.

    def resolve(self, obj: JsonObject, *, pods: Sequence[JsonObject] = (), owners: Sequence[JsonObject] = ()) -> Tree:
        """What the definition reads in an object. Never raises on one; it may be of another kind (Q46).

        pods are attached to the components, each once; owners are the objects between them and the workload.
        """
        from kartatest.resolve.tree import resolve

        return resolve(self, obj, pods=pods, owners=owners)

    def edit(self, obj: JsonObject) -> Editor:
        """An editor for a copy of an object of the definition's kind. Raises EditError for one of another kind."""
        from kartatest.edit.editor import editor

        return editor(self, obj)
