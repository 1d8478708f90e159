"""KT116: a kind is placed in a group or version of Kubernetes itself that does not have it."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule, closest
from kartatest.lint.rules.places import VERSION, named_kinds

# Groups of Kubernetes that definitions speak of, with what they serve as of 1.35 (the API reference).
_SERVED: dict[str, dict[str, str]] = {
    "": {
        "v1": "ConfigMap Endpoints Event LimitRange Namespace Node PersistentVolume PersistentVolumeClaim Pod "
        "PodTemplate ReplicationController ResourceQuota Secret Service ServiceAccount"
    },
    "apps": {"v1": "ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet"},
    "batch": {"v1": "CronJob Job"},
    "autoscaling": {"v1": "HorizontalPodAutoscaler Scale", "v2": "HorizontalPodAutoscaler"},
    "policy": {"v1": "Eviction PodDisruptionBudget"},
    "networking.k8s.io": {
        "v1": "IPAddress Ingress IngressClass NetworkPolicy ServiceCIDR",
        "v1beta1": "IPAddress ServiceCIDR",
    },
    "rbac.authorization.k8s.io": {"v1": "ClusterRole ClusterRoleBinding Role RoleBinding"},
    "extensions": {},
}
_ALL = {
    (group, version, kind)
    for group, versions in _SERVED.items()
    for version, kinds in versions.items()
    for kind in kinds.split()
}


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each named kind that its built-in group does not serve in that version."""
    for what, ref in named_kinds(ctx):
        group, version, kind = ref.gvk.group, ref.gvk.version, ref.gvk.kind
        if group not in _SERVED or not kind or not VERSION.fullmatch(version) or (group, version, kind) in _ALL:
            continue  # what cannot be a version is KT115
        yield Finding(
            at=(*ref.at, "kind"),
            message=f"{what}: Kubernetes has no kind {kind!r} in {ref.gvk.api_version!r}",
            help=_help(kind),
        )


def _help(kind: str) -> str:
    homes = sorted(f"{g}/{v}" if g else v for g, v, k in _ALL if k == kind)
    if homes:
        return f"{kind} is in {' and '.join(homes)}"
    meant = closest(kind, {k for _, _, k in _ALL})
    return f"did you mean {meant!r}?" if meant else "a custom resource has the group of its CRD"


RULE = Rule(
    code="KT116",
    name="unknown-builtin-kind",
    severity=Severity.ERROR,
    summary="A kind is said to be in a group of Kubernetes itself that does not serve it.",
    why="No object of such a kind exists, so the definition or component fits nothing; a forgotten group is the "
    "usual reason.",
    source="Q55; the Kubernetes API reference, 1.35",
    of_absence=True,
    check=check,
)
