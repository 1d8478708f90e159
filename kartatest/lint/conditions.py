"""Condition types that the controllers of well-known kinds write, by group and kind."""

from __future__ import annotations

from collections.abc import Mapping

from kartatest.jq.shape import words

_V1_JOB = words("Created Running Restarting Succeeded Failed Suspended")

CONDITION_TYPES: Mapping[tuple[str, str], frozenset[str]] = {
    ("", "Pod"): words(
        """PodScheduled PodReadyToStartContainers Initialized ContainersReady Ready DisruptionTarget
        PodResizePending PodResizeInProgress"""
    ),
    ("apps", "Deployment"): words("Available Progressing ReplicaFailure"),
    ("apps", "StatefulSet"): frozenset(),
    ("batch", "CronJob"): frozenset(),
    ("batch", "Job"): words("Suspended SuccessCriteriaMet FailureTarget Complete Failed"),
    ("jobset.x-k8s.io", "JobSet"): words(
        "Completed Failed Suspended StartupPolicyInProgress StartupPolicyCompleted RestartingJobSet"
    ),
    ("kubeflow.org", "MPIJob"): _V1_JOB,
    ("kubeflow.org", "PyTorchJob"): _V1_JOB,
    ("kubeflow.org", "TFJob"): _V1_JOB,
    ("kubeflow.org", "XGBoostJob"): _V1_JOB,
    ("kubeflow.org", "PaddleJob"): _V1_JOB,
    ("kubeflow.org", "JAXJob"): _V1_JOB,
    ("leaderworkerset.x-k8s.io", "LeaderWorkerSet"): words("Available Progressing UpdateInProgress"),
}
"""Empty where the controller writes none."""

WRITTEN_LATE: Mapping[tuple[str, str], frozenset[str]] = {
    ("apps", "Deployment"): words("Available ReplicaFailure"),
    ("batch", "Job"): words("Suspended SuccessCriteriaMet FailureTarget Complete Failed"),
    ("jobset.x-k8s.io", "JobSet"): words("Completed Failed Suspended StartupPolicyCompleted RestartingJobSet"),
    **{
        ("kubeflow.org", kind): words("Running Restarting Succeeded Failed Suspended")
        for kind in ("MPIJob", "PyTorchJob", "TFJob", "XGBoostJob", "PaddleJob", "JAXJob")
    },
    ("leaderworkerset.x-k8s.io", "LeaderWorkerSet"): words("Available UpdateInProgress"),
}
"""Of those, the ones that a new object lacks until they hold for the first time."""
