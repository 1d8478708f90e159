"""What JobSet's controller means by its status, by hand, and objects as it may write them."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.catalog.parts import Obj, any_conditions, conditions_of, counts, holds, number, objects, some, status_of


def status(obj: Obj) -> str:
    status, conditions, spec = status_of(obj), conditions_of(obj), obj.get("spec", {})
    jobs = status.get("replicatedJobsStatus") or []

    def total(counter: str) -> int:
        return sum(number(job.get(counter)) for job in jobs)

    if holds(conditions, "Completed", "True"):
        return "Completed"
    if holds(conditions, "Failed", "True"):
        return "Failed"
    if spec.get("suspend") is True:
        # an entry that lacks a counter is no count of now
        active = sum(number(job.get("active")) for job in jobs if job.get("suspended") is not None)
        return "Suspended" if holds(conditions, "Suspended", "True") and not active else "Suspending"
    if holds(conditions, "Suspended", "True") or total("suspended"):
        return "Resuming"
    if total("failed") or holds(conditions, "RestartingJobSet", "True"):
        return "Degraded"
    if "RestartingJobSet" not in conditions and number(status.get("restarts")):
        wanted = sum(number(entry.get("replicas"), 1) for entry in spec.get("replicatedJobs") or [])
        if total("ready") + total("succeeded") < wanted:
            return "Degraded"
    if total("active") or total("ready"):
        return "Running"
    begun = [bool(number(job.get("succeeded"))) for job in jobs]
    return "Running" if True in begun and False in begun else "Initializing"  # between two stages


_COUNTERS = ("active", "ready", "succeeded", "failed", "suspended")
OBJECTS = objects(
    "jobset.x-k8s.io/v1alpha2",
    "JobSet",
    some(
        {
            "suspend": st.booleans(),
            "replicatedJobs": st.lists(some({"name": st.sampled_from("abc"), "replicas": counts}), max_size=3),
        }
    ),
    some(
        {
            "restarts": counts,
            "replicatedJobsStatus": st.lists(
                st.fixed_dictionaries({name: st.sampled_from([0, 0, 0, 1, 2]) for name in _COUNTERS})
                | some(dict.fromkeys(_COUNTERS, counts)),
                max_size=3,
            ),
            "conditions": any_conditions(
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
