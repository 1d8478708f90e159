"""Objects of each catalog kind as its controller might write them, in plausible and in odd combinations."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tests.catalog.decision_tables import Obj

_STATUS = st.sampled_from(["True", "False", "Unknown"])
_COUNT = st.integers(0, 3)


def _some(fields: dict[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[Obj]:
    """Any part of the fields, as a controller leaves out what is 0 or not known yet."""
    return st.fixed_dictionaries({}, optional=fields)


def _conditions(reasons: dict[str, list[str]]) -> st.SearchStrategy[list[Obj]]:
    """Some of the types, each once, in any order; per type the reasons it may carry."""

    def condition(type_: str) -> st.SearchStrategy[Obj]:
        return st.fixed_dictionaries(
            {"type": st.just(type_), "status": _STATUS, "reason": st.sampled_from(reasons[type_])}
        )

    types = st.lists(st.sampled_from(sorted(reasons)), unique=True)
    return types.flatmap(lambda chosen: st.tuples(*map(condition, chosen)).map(list))


def _object(
    api_version: str, kind: str, spec: st.SearchStrategy[Obj], status: st.SearchStrategy[Obj]
) -> st.SearchStrategy[Obj]:
    metadata = st.fixed_dictionaries({"name": st.just("x")}, optional={"generation": st.integers(1, 3)})
    head: dict[str, st.SearchStrategy[Any]] = {
        "apiVersion": st.just(api_version),
        "kind": st.just(kind),
        "metadata": metadata,
        "spec": spec,
    }
    return st.fixed_dictionaries(head, optional={"status": status})


_DEPLOYMENTS = _object(
    "apps/v1",
    "Deployment",
    _some({"replicas": _COUNT, "paused": st.booleans()}),
    _some(
        {
            "observedGeneration": st.integers(1, 3),
            "replicas": _COUNT,
            "updatedReplicas": _COUNT,
            "readyReplicas": _COUNT,
            "availableReplicas": _COUNT,
            "unavailableReplicas": _COUNT,
            "conditions": _conditions(
                {
                    "Progressing": ["NewReplicaSetAvailable", "ReplicaSetUpdated", "ProgressDeadlineExceeded"],
                    "Available": ["MinimumReplicasAvailable", "MinimumReplicasUnavailable"],
                    "ReplicaFailure": ["FailedCreate"],
                }
            ),
        }
    ),
)

_COUNTERS = ("active", "ready", "succeeded", "failed", "suspended")
_JOBSETS = _object(
    "jobset.x-k8s.io/v1alpha2",
    "JobSet",
    _some(
        {
            "suspend": st.booleans(),
            "replicatedJobs": st.lists(_some({"name": st.sampled_from("abc"), "replicas": _COUNT}), max_size=3),
        }
    ),
    _some(
        {
            "restarts": _COUNT,
            "replicatedJobsStatus": st.lists(
                st.fixed_dictionaries({name: st.sampled_from([0, 0, 0, 1, 2]) for name in _COUNTERS})
                | _some(dict.fromkeys(_COUNTERS, _COUNT)),
                max_size=3,
            ),
            "conditions": _conditions(
                {
                    "Completed": ["AllJobsCompleted"],
                    "Failed": ["FailedJobs", "ReachedMaxRestarts"],
                    "Suspended": ["SuspendedJobs", "ResumeJobs"],
                    "StartupPolicyCompleted": ["StartupPolicyCompleted"],
                    "RestartingJobSet": ["DefaultFailurePolicy", "JobsReady"],
                }
            ),
        }
    ),
)

_PYTORCHJOBS = _object(
    "kubeflow.org/v1",
    "PyTorchJob",
    _some({"runPolicy": _some({"suspend": st.booleans()})}),
    _some(
        {
            "conditions": _conditions(
                {
                    "Created": ["PyTorchJobCreated"],
                    "Running": ["PyTorchJobRunning", "PyTorchJobSuspended"],
                    "Restarting": ["PyTorchJobRestarting"],
                    "Succeeded": ["PyTorchJobSucceeded"],
                    "Failed": ["PyTorchJobFailed"],
                    "Suspended": ["PyTorchJobSuspended", "PyTorchJobResumed"],
                }
            ),
        }
    ),
)

_RAYCLUSTERS = _object(
    "ray.io/v1",
    "RayCluster",
    _some({"suspend": st.booleans()}),
    _some(
        {
            "state": st.sampled_from(["", "ready", "suspended", "failed"]),
            "desiredWorkerReplicas": _COUNT,
            "readyWorkerReplicas": _COUNT,
            "conditions": _conditions(
                {
                    "HeadPodReady": ["HeadPodNotFound", "ContainersNotReady", "HeadPodRunningAndReady"],
                    "RayClusterProvisioned": ["RayClusterPodsProvisioning"],
                    "ReplicaFailure": ["FailedCreateHeadPod"],
                    "RayClusterSuspending": ["RayClusterSuspending"],
                    "RayClusterSuspended": ["RayClusterSuspended"],
                }
            ),
        }
    ),
)

_LEADERWORKERSETS = _object(
    "leaderworkerset.x-k8s.io/v1",
    "LeaderWorkerSet",
    _some({"replicas": _COUNT}),
    _some(
        {
            "replicas": _COUNT,
            "readyReplicas": _COUNT,
            "updatedReplicas": _COUNT,
            "conditions": _conditions(
                {
                    "Progressing": ["GroupsProgressing"],
                    "Available": ["AllGroupsReady"],
                    "UpdateInProgress": ["GroupsUpdating"],
                }
            ),
        }
    ),
)

OBJECTS: dict[str, st.SearchStrategy[Obj]] = {
    "apps-deployment-v1": _DEPLOYMENTS,
    "jobset-x-k8s-io-jobset-v1alpha2": _JOBSETS,
    "kubeflow-org-pytorchjob-v1": _PYTORCHJOBS,
    "leaderworkerset-x-k8s-io-leaderworkerset-v1": _LEADERWORKERSETS,
    "ray-io-raycluster-v1": _RAYCLUSTERS,
}
