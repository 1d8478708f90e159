"""Kinds that KAI Scheduler (August 2026) groups by code of its own; a definition's gang plays no part for them."""

from __future__ import annotations

from kartatest.definition.model import Gvk

_NATIVE = """
    v1/Pod batch/v1/Job batch/v1/CronJob apps/v1/Deployment apps/v1/StatefulSet apps/v1/ReplicaSet
    jobset.x-k8s.io/v1alpha2/JobSet leaderworkerset.x-k8s.io/v1/LeaderWorkerSet
    grove.io/v1alpha1/PodGangSet grove.io/v1alpha1/PodCliqueSet serving.knative.dev/v1/Service
    kubeflow.org/v1/PyTorchJob kubeflow.org/v1/TFJob kubeflow.org/v1/XGBoostJob kubeflow.org/v1/JAXJob
    kubeflow.org/v1/MPIJob kubeflow.org/v2beta1/MPIJob kubeflow.org/v1beta1/Notebook
    kubeflow.org/v1alpha1/ScheduledWorkflow ray.io/v1alpha1/RayCluster ray.io/v1alpha1/RayJob ray.io/v1alpha1/RayService
    ray.io/v1/RayCluster ray.io/v1/RayJob ray.io/v1/RayService tekton.dev/v1/PipelineRun tekton.dev/v1/TaskRun
    machinelearning.seldon.io/v1/SeldonDeployment machinelearning.seldon.io/v1alpha2/SeldonDeployment
    kubevirt.io/v1/VirtualMachineInstance workspace.devfile.io/v1alpha2/DevWorkspace
    amlarc.azureml.com/v1alpha1/AmlJob egx.nvidia.io/v1/SPOTRequest run.ai/v1/RunaiJob
"""
_STEPS_BACK = """
    trainer.kubeflow.org/v1alpha1/TrainJob argoproj.io/v1alpha1/Workflow nvidia.com/*/DynamoGraphDeployment
    run.ai/*/TrainingWorkload run.ai/*/InteractiveWorkload run.ai/*/DistributedWorkload run.ai/*/InferenceWorkload
    run.ai/*/DistributedInferenceWorkload
"""


def is_native(gvk: Gvk) -> bool:
    """Whether the scheduler has a grouper for exactly this kind and version."""
    return f"{gvk.api_version}/{gvk.kind}" in _NATIVE.split()


def steps_back(gvk: Gvk, *, again: bool = False) -> bool:
    """Whether the scheduler passes over such an owner, so that what it owns decides.

    again: below another that it passed over; there it looks for exactly the version.
    """
    known = _STEPS_BACK.split()
    exact = f"{gvk.group}/{gvk.version}/{gvk.kind}" in known
    return exact or (not again and f"{gvk.group}/*/{gvk.kind}" in known)
