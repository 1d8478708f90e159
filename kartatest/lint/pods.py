"""What a pod looks like: the fields that expressions on pods can read (Kubernetes core/v1, up to 1.35)."""

from __future__ import annotations

from collections.abc import Mapping

from kartatest.jq.shape import words

METADATA_FIELDS = words(
    """name generateName namespace selfLink uid resourceVersion generation creationTimestamp
    deletionTimestamp deletionGracePeriodSeconds labels annotations ownerReferences finalizers
    managedFields"""
)

POD_SPEC_FIELDS = words(
    """activeDeadlineSeconds affinity automountServiceAccountToken containers dnsConfig dnsPolicy
    enableServiceLinks ephemeralContainers hostAliases hostIPC hostNetwork hostPID hostUsers hostname
    hostnameOverride imagePullSecrets initContainers nodeName nodeSelector os overhead preemptionPolicy
    priority priorityClassName readinessGates resourceClaims resources restartPolicy runtimeClassName
    schedulerName schedulingGates securityContext serviceAccount serviceAccountName setHostnameAsFQDN
    shareProcessNamespace subdomain terminationGracePeriodSeconds tolerations topologySpreadConstraints
    volumes workloadRef schedulingGroup"""
)

POD_STATUS_FIELDS = words(
    """allocatedResources conditions containerStatuses ephemeralContainerStatuses
    extendedResourceClaimStatus hostIP hostIPs initContainerStatuses message nominatedNodeName
    observedGeneration phase podIP podIPs qosClass reason resize resourceClaimStatuses resources
    startTime"""
)

POD_FIELDS: Mapping[str, frozenset[str] | None] = {
    "apiVersion": None,
    "kind": None,
    "metadata": METADATA_FIELDS,
    "spec": POD_SPEC_FIELDS,
    "status": POD_STATUS_FIELDS,
}
"""Fields at the top of a pod, with the fields below each; None where there are none."""

BOOLEAN_FIELDS = frozenset(
    ("spec", name)
    for name in words(
        """automountServiceAccountToken enableServiceLinks hostIPC hostNetwork hostPID hostUsers setHostnameAsFQDN
        shareProcessNamespace"""
    )
)

NUMBER_FIELDS = frozenset(
    {
        ("metadata", "generation"),
        ("metadata", "deletionGracePeriodSeconds"),
        ("spec", "activeDeadlineSeconds"),
        ("spec", "priority"),
        ("spec", "terminationGracePeriodSeconds"),
        ("status", "observedGeneration"),
    }
)

OPTIONAL_HOLDERS = frozenset(
    {
        ("metadata", "labels"),
        ("metadata", "annotations"),
        ("metadata", "ownerReferences"),
        ("metadata", "finalizers"),
        ("spec", "initContainers"),
        ("spec", "nodeSelector"),
        ("spec", "schedulingGates"),
        ("spec", "tolerations"),
        ("spec", "topologySpreadConstraints"),
        ("spec", "volumes"),
        ("spec", "resourceClaims"),
        ("status", "conditions"),
        ("status", "containerStatuses"),
    }
)
"""Lists and objects that a pod may lack."""

HOLDERS = OPTIONAL_HOLDERS | {(), ("metadata",), ("spec",), ("status",), ("spec", "containers"), ("spec", "affinity")}
"""Lists and objects of a pod."""
