"""The types of kinds that Kubernetes brings itself, out of the models of its Python client.

`python -m kartatest.schema.core`, where the package kubernetes 37 or later is installed (extra "cluster"), writes
schemas/core/<release>.json; with --check it says whether the file has drifted. The models know names, types and what
is required. They know no defaults, list keys or quantities, nor what validation asks for; those below are of Kubernetes
1.37.
"""

from __future__ import annotations

import datetime
import sys
import types
import typing
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from kartatest.errors import KartaError
from kartatest.schema.meta import object_meta
from kartatest.schema.table import Compiled, Ref, Row, Table, text
from kartatest.source import Json

KINDS: Final = {
    "Pod": "v1",
    "PodTemplate": "v1",
    "Service": "v1",
    "Job": "batch/v1",
    "CronJob": "batch/v1",
    "DaemonSet": "apps/v1",
    "Deployment": "apps/v1",
    "ReplicaSet": "apps/v1",
    "StatefulSet": "apps/v1",
}
PARTS: Final = (
    "Container",
    "NodeAffinity",
    "ObjectMeta",
    "PodAffinity",
    "PodResourceClaim",
    "PodSpec",
    "PodTemplateSpec",
    "ResourceRequirements",
)

# Fields that are Quantity in k8s.io/api; the client has them as strings.
_QUANTITIES: Final = frozenset(
    {
        ("ContainerStatus", "allocatedResources"),
        ("EmptyDirVolumeSource", "sizeLimit"),
        ("NodeAllocatableMappedResources", "quantity"),
        ("PersistentVolumeClaimStatus", "allocatedResources"),
        ("PersistentVolumeClaimStatus", "capacity"),
        ("PodSpec", "overhead"),
        ("PodStatus", "allocatedResources"),
        ("ResourceFieldSelector", "divisor"),
        ("ResourceRequirements", "limits"),
        ("ResourceRequirements", "requests"),
        ("VolumeResourceRequirements", "limits"),
        ("VolumeResourceRequirements", "requests"),
    }
)

# x-kubernetes-list-map-keys, or the merge key where a list has none.
_KEYS: Final[Mapping[tuple[str, str], tuple[str, ...]]] = {
    ("Container", "env"): ("name",),
    ("Container", "ports"): ("containerPort", "protocol"),
    ("Container", "resizePolicy"): ("resourceName",),
    ("Container", "volumeDevices"): ("devicePath",),
    ("Container", "volumeMounts"): ("mountPath",),
    ("DaemonSetStatus", "conditions"): ("type",),
    ("DeploymentStatus", "conditions"): ("type",),
    ("JobStatus", "conditions"): ("type",),
    ("ObjectMeta", "ownerReferences"): ("uid",),
    ("PodSpec", "containers"): ("name",),
    ("PodSpec", "ephemeralContainers"): ("name",),
    ("PodSpec", "hostAliases"): ("ip",),
    ("PodSpec", "imagePullSecrets"): ("name",),
    ("PodSpec", "initContainers"): ("name",),
    ("PodSpec", "resourceClaims"): ("name",),
    ("PodSpec", "schedulingGates"): ("name",),
    ("PodSpec", "topologySpreadConstraints"): ("topologyKey", "whenUnsatisfiable"),
    ("PodSpec", "volumes"): ("name",),
    ("PodStatus", "conditions"): ("type",),
    ("PodStatus", "podIPs"): ("ip",),
    ("ReplicaSetStatus", "conditions"): ("type",),
    ("ResourceRequirements", "claims"): ("name",),
    ("ServiceSpec", "ports"): ("port", "protocol"),
    ("ServiceStatus", "conditions"): ("type",),
    ("StatefulSetStatus", "conditions"): ("type",),
}

# What no stored object is without, though the API has it as optional: pkg/apis/{apps,batch,core}/validation refuse an
# empty one, since a pod needs containers, and the spec above it a template, a selector or a schedule.
_NEEDED: Final = frozenset(
    {
        ("CronJob", "spec"),
        ("DaemonSet", "spec"),
        ("Deployment", "spec"),
        ("Job", "spec"),
        ("JobTemplateSpec", "spec"),
        ("Pod", "spec"),
        ("PodTemplate", "template"),
        ("PodTemplateSpec", "spec"),
        ("ReplicaSet", "spec"),
        ("ReplicaSetSpec", "template"),
        ("StatefulSet", "spec"),
    }
)

# What the API server fills in whatever else the object says: SetDefaults_* in pkg/apis/{apps,batch,core}/v1.
# Left out: what depends on other fields (completions of a Job, imagePullPolicy) or is an object.
_DEFAULTS: Final[Mapping[tuple[str, str], Json]] = {
    ("ContainerPort", "protocol"): "TCP",
    ("CronJobSpec", "concurrencyPolicy"): "Allow",
    ("CronJobSpec", "failedJobsHistoryLimit"): 1,
    ("CronJobSpec", "successfulJobsHistoryLimit"): 3,
    ("CronJobSpec", "suspend"): False,
    ("DaemonSetSpec", "revisionHistoryLimit"): 10,
    ("DeploymentSpec", "progressDeadlineSeconds"): 600,
    ("DeploymentSpec", "replicas"): 1,
    ("DeploymentSpec", "revisionHistoryLimit"): 10,
    ("JobSpec", "backoffLimit"): 6,
    ("JobSpec", "completionMode"): "NonIndexed",
    ("JobSpec", "suspend"): False,
    ("PodSpec", "dnsPolicy"): "ClusterFirst",
    ("PodSpec", "schedulerName"): "default-scheduler",
    ("PodSpec", "terminationGracePeriodSeconds"): 30,
    ("ReplicaSetSpec", "replicas"): 1,
    ("ServicePort", "protocol"): "TCP",
    ("ServiceSpec", "sessionAffinity"): "None",
    ("ServiceSpec", "type"): "ClusterIP",
    ("StatefulSetSpec", "podManagementPolicy"): "OrderedReady",
    ("StatefulSetSpec", "replicas"): 1,
    ("StatefulSetSpec", "revisionHistoryLimit"): 10,
}

# Times that are no pointers in k8s.io/api: a zero one is written as null.
_NULLABLE: Final = frozenset(
    {
        ("ContainerStateRunning", "startedAt"),
        ("ContainerStateTerminated", "finishedAt"),
        ("ContainerStateTerminated", "startedAt"),
        ("DaemonSetCondition", "lastTransitionTime"),
        ("DeploymentCondition", "lastTransitionTime"),
        ("DeploymentCondition", "lastUpdateTime"),
        ("JobCondition", "lastProbeTime"),
        ("JobCondition", "lastTransitionTime"),
        ("ObjectMeta", "creationTimestamp"),
        ("PersistentVolumeClaimCondition", "lastProbeTime"),
        ("PersistentVolumeClaimCondition", "lastTransitionTime"),
        ("PodCondition", "lastProbeTime"),
        ("PodCondition", "lastTransitionTime"),
        ("ReplicaSetCondition", "lastTransitionTime"),
        ("StatefulSetCondition", "lastTransitionTime"),
    }
)

_ANY_OBJECT: Final[Row] = {"type": "object", "open": True}


def compiled() -> Compiled:
    """KINDS and PARTS as rows, of the release whose client is installed. Raises KartaError for one that is too old."""
    package = import_module("kubernetes")
    client: Any = import_module("kubernetes.client")
    if not hasattr(client.V1Pod, "model_fields"):
        raise KartaError(f"kubernetes {package.__version__} has models of an older make; install 37 or later")
    table = Table()
    reader = _Reader(table, client)
    kinds: list[Row] = []
    for kind, api_version in KINDS.items():
        group, _, version = api_version.rpartition("/")
        kinds.append({"group": group, "version": version, "kind": kind, "root": reader.root(kind, api_version)})
    kinds += [{"group": "", "version": "", "kind": part, "root": reader.named(part)} for part in PARTS]
    reader.check()
    return Compiled("core", f"v1.{package.__version__.split('.')[0]}", tuple(kinds), tuple(table.rows))


class _Reader:
    """Models into the rows of one table, each once."""

    def __init__(self, table: Table, client: Any) -> None:
        self._table = table
        self._client = client
        self._done: dict[str, Ref] = {}
        self._seen: set[tuple[str, str]] = set()

    def named(self, name: str) -> Ref:
        return self._model(getattr(self._client, f"V1{name}"))

    def root(self, kind: str, api_version: str) -> Ref:
        row = self._row(getattr(self._client, f"V1{kind}"))
        row["fields"] |= {
            "apiVersion": self._table.add({"type": "string", "enum": [api_version]}),
            "kind": self._table.add({"type": "string", "enum": [kind]}),
            "metadata": object_meta(self._table),
        }
        row["required"] = sorted({*row.get("required", ()), "apiVersion", "kind", "metadata"})
        return self._table.add(row)

    def check(self) -> None:
        """Raises ValueError when a table above names a field that no model has."""
        unknown = {*_QUANTITIES, *_KEYS, *_NEEDED, *_DEFAULTS, *_NULLABLE} - self._seen
        if unknown:
            raise ValueError(f"no such fields in the models: {sorted(unknown)}")

    def _model(self, model: Any) -> Ref:
        name = _plain(model)
        if name not in self._done:
            self._done[name] = self._table.add(self._row(model))
        return self._done[name]

    def _row(self, model: Any) -> dict[str, Json]:
        owner = _plain(model)
        fields: dict[str, Ref] = {}
        required = []
        for name, info in sorted(model.model_fields.items()):
            alias = info.serialization_alias or name
            fields[alias] = self._field(owner, alias, info.annotation)
            if info.is_required() or (owner, alias) in _NEEDED:
                required.append(alias)
        row: dict[str, Json] = {"fields": fields}
        return row | ({"required": sorted(required)} if required else {})

    def _field(self, owner: str, name: str, annotation: Any) -> Ref:
        at = (owner, name)
        self._seen.add(at)
        scalar = "quantity" if at in _QUANTITIES else "string"
        row = self._annotated(annotation, scalar)
        if row == "date-time" and at in _NULLABLE:
            row = {"type": "string", "format": "date-time", "nullable": True}
        if isinstance(row, str) and at in _DEFAULTS:
            row = {"type": row}
        if isinstance(row, str | int):
            return row
        if at in _KEYS:
            row["keys"] = list(_KEYS[at])
        if at in _DEFAULTS:
            row["default"] = _DEFAULTS[at]
        return self._table.add(row)

    def _annotated(self, annotation: Any, text_word: str) -> Ref | dict[str, Json]:
        """The row of an annotation, or a reference when it has one already."""
        origin, args = typing.get_origin(annotation), typing.get_args(annotation)
        if origin is typing.Annotated:
            return self._annotated(args[0], text_word)
        if origin in (typing.Union, types.UnionType):
            some = [arg for arg in args if arg is not type(None)]
            return self._annotated(some[0], text_word) if len(some) == 1 else "int-or-string"
        if origin is list:
            return {"items": self._ref(args[0], text_word)}
        if origin is dict:
            return dict(_ANY_OBJECT) if args[1] is Any else {"values": self._ref(args[1], text_word)}
        if hasattr(annotation, "model_fields"):
            return self._model(annotation)
        return text_word if annotation is str else _WORDS[annotation]

    def _ref(self, annotation: Any, text_word: str) -> Ref:
        row = self._annotated(annotation, text_word)
        return row if isinstance(row, str | int) else self._table.add(row)


_WORDS: Final[Mapping[Any, str]] = {
    int: "integer",
    float: "number",
    bool: "boolean",
    datetime.datetime: "date-time",
    object: "any",
    Any: "any",
}


def _plain(model: Any) -> str:
    """The API's name of a model: "PodSpec" for V1PodSpec."""
    name = str(model.__name__)
    for prefix in ("CoreV1", "V1alpha3", "V1beta1", "V1"):
        if name.startswith(prefix):
            return name.removeprefix(prefix)
    return name


def main(argv: Sequence[str]) -> int:
    """Write or, with --check, compare schemas/core/<release>.json of this checkout; 1 when it differs."""
    made = compiled()
    file = Path(__file__).parents[2] / "schemas" / "core" / f"{made.tag}.json"
    wanted = text(made)
    if "--check" in argv:
        same = file.is_file() and file.read_text("utf-8") == wanted
        print(f"{file.name} {'is as the models have it' if same else 'differs from the models; write it again'}")
        return int(not same)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(wanted, "utf-8")
    print(f"wrote {file} ({len(wanted):,} bytes, {len(made.rows)} rows)")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
