"""The format as one table: every field with its type, whether it must be there, its default and what it means.

The loader's checks, the JSON Schema and the CRD are made from it (semantics 1.1-1.4 and 2.1).
"""

from __future__ import annotations

from typing import Final

from kartatest.definition.model import FRAGMENT_USES, Status, Use
from kartatest.definition.shapes import Field, ListOf, Rule, Struct, Text, TextMap


def _path(use: Use, doc: str, *, required: bool = False, name: str = "", min_length: int = 0) -> Field:
    return Field(name or use.value.rpartition(".")[2], Text(min_length=min_length, use=use), doc, required=required)


_TEXT: Final = Text()

KIND: Final = Struct(
    "a kind",
    (
        Field("group", _TEXT, 'API group; "" for the core group.', required=True),
        Field("version", _TEXT, "API version, such as v1.", required=True),
        Field("kind", _TEXT, "Kind as objects write it, such as JobSet.", required=True),
    ),
)

_FRAGMENT_DOCS: Final = {
    Use.SCHEDULER_NAME: "jq on the workload: the scheduler's name.",
    Use.LABELS: "jq on the workload: the pod's labels, a mapping.",
    Use.ANNOTATIONS: "jq on the workload: the pod's annotations, a mapping.",
    Use.RESOURCES: "jq on the workload: requests and limits of the one container.",
    Use.RESOURCE_CLAIMS: "jq on the workload: the pod's list of resource claims.",
    Use.POD_AFFINITY: "jq on the workload: the pod affinity.",
    Use.NODE_AFFINITY: "jq on the workload: the node affinity.",
    Use.CONTAINERS: "jq on the workload: the list of containers.",
    Use.CONTAINER: "jq on the workload: the one container.",
    Use.PRIORITY_CLASS_NAME: "jq on the workload: the name of the priority class.",
    Use.IMAGE: "jq on the workload: the image of the one container.",
}

FRAGMENTS: Final = Struct("a fragmented pod spec", tuple(_path(use, _FRAGMENT_DOCS[use]) for use in FRAGMENT_USES))

SPEC_DEFINITION: Final = Struct(
    "a spec definition",
    (
        _path(Use.POD_TEMPLATE_SPEC, "jq on the workload: a whole pod template, metadata and spec."),
        _path(Use.POD_SPEC, "jq on the workload: a bare pod spec."),
        _path(Use.METADATA, "jq on the workload: the pod's metadata, beside podSpecPath."),
        Field("fragmentedPodSpecDefinition", FRAGMENTS, "Where the pod's parts are when the object holds no pod spec."),
    ),
)

SCALE: Final = Struct(
    "a scale definition",
    (
        _path(Use.REPLICAS, "jq on the workload: how many replicas are desired."),
        _path(Use.MIN_REPLICAS, "jq on the workload: the fewest replicas that are of use; also the size of the gang."),
        _path(Use.MAX_REPLICAS, "jq on the workload: the most replicas there may be."),
    ),
)

CONDITION_MATCH: Final = Struct(
    "a condition to match",
    (
        Field("type", _TEXT, "The condition's type.", required=True),
        Field("status", _TEXT, 'The status it must have, such as "True"; any when absent.'),
        Field("reason", _TEXT, "The reason it must have; any when absent."),
    ),
)

BY_EXPRESSION: Final = Struct(
    "an expression to match",
    (
        _path(Use.MATCHER, "jq on the workload.", required=True),
        Field("expectedResult", _TEXT, "The result as text that makes the matcher hold.", required=True),
    ),
)

MATCHER: Final = Struct(
    "a matcher",
    (
        Field("byPhase", _TEXT, "The phase the object must be in."),
        Field("byConditions", ListOf(CONDITION_MATCH), "Conditions that must all hold."),
        Field("byExpression", BY_EXPRESSION, "An expression and the result it must have."),
    ),
)

_STATUS_ORDER: Final = (
    Status.INITIALIZING,
    Status.RUNNING,
    Status.COMPLETED,
    Status.FAILED,
    Status.DEGRADED,
    Status.SUSPENDED,
    Status.SUSPENDING,
    Status.RESUMING,
)

STATUS_MAPPINGS: Final = Struct(
    "status mappings",
    tuple(
        Field(s.key, ListOf(MATCHER), f"Matchers for {s.value}; it holds when any of them does.") for s in _STATUS_ORDER
    ),
)

STATUS: Final = Struct(
    "a status definition",
    (
        Field(
            "phaseDefinition",
            Struct(
                "a phase definition", (_path(Use.PHASE, "jq on the workload: the phase, one text.", required=True),)
            ),
            "Where the object's phase is.",
        ),
        Field(
            "conditionsDefinition",
            Struct(
                "a conditions definition",
                (
                    _path(Use.CONDITIONS, "jq on the workload: the list of conditions.", required=True),
                    Field("typeFieldName", _TEXT, "Key of a condition's type.", default="type"),
                    Field("statusFieldName", _TEXT, "Key of a condition's status.", default="status"),
                    Field("messageFieldName", _TEXT, "Key of a condition's message.", default="message"),
                    Field("reasonFieldName", _TEXT, "Key of a condition's reason.", default="reason"),
                ),
            ),
            "Where the object's conditions are, and how their keys are called.",
        ),
        Field("statusMappings", STATUS_MAPPINGS, "From phases and conditions to the shared statuses.", required=True),
    ),
)

ACTION: Final = Struct(
    "an action",
    (
        _path(Use.ACTION, "jq on the workload: the place to set.", required=True),
        Field("value", _TEXT, 'The value as JSON text: true, 0, "text" with its quotes, null.', required=True),
    ),
)

SUSPEND: Final = Struct(
    "a suspend definition",
    (
        Field("suspendActions", ListOf(ACTION, min_items=1), "Assignments that suspend, in order.", required=True),
        Field("resumeActions", ListOf(ACTION, min_items=1), "Assignments that resume, in order.", required=True),
    ),
)

TYPE_SELECTOR: Final = Struct(
    "a component type selector",
    (
        _path(Use.TYPE_KEY, "jq on a pod: the value that tells whose pod it is.", min_length=1),
        Field("value", _TEXT, "The value it must have; when absent, that there is one is enough."),
        Field("matchLabels", TextMap(min_properties=1), "Labels that the pod must have."),
    ),
    rules=(
        Rule(
            "has(self.keyPath) || has(self.matchLabels)",
            "set keyPath, matchLabels, or both",
            (("anyOf", [{"required": ["keyPath"]}, {"required": ["matchLabels"]}]),),
        ),
        Rule(
            "!has(self.value) || has(self.keyPath)",
            "value needs a keyPath",
            (("dependentRequired", {"value": ["keyPath"]}),),
        ),
    ),
)

POD_SELECTOR: Final = Struct(
    "a pod selector",
    (
        Field("componentTypeSelector", TYPE_SELECTOR, "Which pods are of this component."),
        Field(
            "componentInstanceSelector",
            Struct(
                "an instance selector",
                (_path(Use.POD_INSTANCE_ID, "jq on a pod: the id of its instance.", required=True),),
            ),
            "Which instance a pod belongs to.",
        ),
        Field(
            "replicaSelector",
            Struct(
                "a replica selector",
                (_path(Use.REPLICA_KEY, "jq on a pod: the id of its replica.", required=True),),
            ),
            "Which replica a pod belongs to.",
        ),
    ),
)

COMPONENT: Final = Struct(
    "a component",
    (
        Field("name", _TEXT, "The component's name, unique in the definition.", required=True),
        Field("kind", KIND, "The kind it stands for; absent when it only groups others."),
        Field("ownerRef", _TEXT, "Name of the component it hangs off; never on the root."),
        Field("specDefinition", SPEC_DEFINITION, "Where its pod is described; present on what bears pods."),
        Field("scaleDefinition", SCALE, "Where its counts are."),
        Field("statusDefinition", STATUS, "How to read its status; meant for the root."),
        Field("suspendDefinition", SUSPEND, "How to suspend and resume it."),
        _path(Use.INSTANCE_ID, "jq on the workload: one id per instance, for components that are lists or mappings."),
        Field("podSelector", POD_SELECTOR, "Which pods are its own."),
    ),
)

TOPOLOGY: Final = Struct(
    "a topology constraint",
    (
        Field("topologyName", _TEXT, "Name of the topology.", required=True),
        Field("preferredTopologyLevel", _TEXT, 'Level that is wished for; "" for none.', required=True),
        Field("requiredTopologyLevel", _TEXT, 'Level that must be kept; "" for none.', required=True),
    ),
)

POD_GROUP: Final = Struct(
    "a pod group",
    (
        Field("name", _TEXT, "End of the name of the pod group that is made.", required=True),
        Field(
            "subGroups",
            ListOf(
                Struct(
                    "a subgroup",
                    (
                        Field("componentName", _TEXT, "The component whose pods are in it.", required=True),
                        Field("topology", TOPOLOGY, "Topology constraint for these pods."),
                    ),
                ),
                key="componentName",
            ),
            "Components that are subgroups of their own.",
        ),
        Field("topology", TOPOLOGY, "Topology constraint for all pods."),
    ),
)

MEMBER: Final = Struct(
    "a member of a pod group",
    (
        Field("componentName", _TEXT, "The component whose pods are in the group.", required=True),
        Field(
            "groupByKeyPaths",
            ListOf(Text(use=Use.GROUP_KEY), unique=True),
            "jq on a pod: values that split the group; without any there is one group per workload.",
        ),
        Field("filters", ListOf(Text(use=Use.FILTER), unique=True), "jq on a pod: conditions that must all be true."),
    ),
)

GANG: Final = Struct(
    "gang scheduling",
    (
        Field("podGroup", POD_GROUP, "One pod group for the whole workload."),
        Field(
            "podGroups",
            ListOf(
                Struct(
                    "an entry of 'podGroups'",
                    (
                        Field("name", _TEXT, "Name of the group.", required=True),
                        Field(
                            "members",
                            ListOf(MEMBER, key="componentName"),
                            "The components whose pods are in it.",
                            required=True,
                        ),
                    ),
                ),
                key="name",
            ),
            "The deprecated form: several groups with keys and filters.",
        ),
    ),
)

SPEC: Final = Struct(
    "the spec",
    (
        Field(
            "structureDefinition",
            Struct(
                "the structure definition",
                (
                    Field("rootComponent", COMPONENT, "The workload itself.", required=True),
                    Field("childComponents", ListOf(COMPONENT, key="name", ruled=True), "All other components, flat."),
                    Field(
                        "additionalChildKinds",
                        ListOf(KIND, key="kind", ruled=True),
                        "Other kinds that the workload's controller creates, for permissions.",
                    ),
                ),
            ),
            "The parts of the workload.",
            required=True,
        ),
        Field(
            "optimizationInstructions",
            Struct(
                "the optimization instructions",
                (Field("gangScheduling", GANG, "Which pods to schedule together."),),
            ),
            "What schedulers should know.",
        ),
    ),
)

API_VERSION: Final = "run.ai/v1alpha1"
KIND_NAME: Final = "Karta"
EARLIER_API_VERSION: Final = "optimization.nvidia.com/v1alpha1"
EARLIER_KIND: Final = "ResourceInterface"

METADATA: Final = Struct(
    "the metadata",
    (
        Field("name", Text(min_length=1), "The definition's name in the cluster.", required=True),
        Field("labels", TextMap(), "Labels; those with run.ai/ repeat the root kind."),
        Field("annotations", TextMap(), "Annotations."),
    ),
    open=True,
)

DEFINITION: Final = Struct(
    "a definition",
    (
        Field("apiVersion", Text(choices=(API_VERSION, EARLIER_API_VERSION)), f"{API_VERSION}.", required=True),
        Field("kind", Text(choices=(KIND_NAME, EARLIER_KIND)), f"{KIND_NAME}.", required=True),
        Field("metadata", METADATA, "Name and labels of the definition.", required=True),
        Field("spec", SPEC, "What the definition says.", required=True, lenient=True),
        Field("status", Struct("the status", (), open=True), "Written by the operator; left out of files."),
    ),
)

RENAMED: Final = {
    "ownerName": "ownerRef",
    "fragmentedPodDefinition": "fragmentedPodSpecDefinition",
}
"""Names that older texts use, where the right one is certain (Q42)."""
