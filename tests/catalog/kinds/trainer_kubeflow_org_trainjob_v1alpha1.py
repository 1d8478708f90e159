"""What Kubeflow Trainer means by the status of a TrainJob, by hand, and objects as it may write them."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.catalog.parts import Obj, any_conditions, conditions_of, holds, number, objects, some, spec_of, status_of

TEMPLATE_ELSEWHERE = frozenset({"trainer", "dataset-initializer", "model-initializer"})  # in the runtime
READ_ONLY = frozenset({"labelsPath"})  # the initializers' labels have a place only in a patch that is there


def status(obj: Obj) -> str:
    conditions = conditions_of(obj)
    jobs = status_of(obj).get("jobsStatus") or []

    def total(counter: str) -> int:
        return sum(number(job.get(counter)) for job in jobs)

    if holds(conditions, "Complete", "True"):
        return "Completed"
    if holds(conditions, "Failed", "True"):
        return "Failed"
    suspended = holds(conditions, "Suspended", "True")
    if spec_of(obj).get("suspend"):
        return "Suspended" if suspended and not total("active") else "Suspending"
    if suspended or total("suspended"):
        return "Resuming"
    if total("failed"):
        return "Degraded"
    nodes = [job for job in jobs if not job["name"].endswith("-initializer")]
    return "Running" if any(number(n.get("ready")) or number(n.get("succeeded")) for n in nodes) else "Initializing"


_COUNTERS = ("ready", "active", "succeeded", "failed", "suspended")
_NAMES = ("dataset-initializer", "model-initializer", "node", "launcher")
_JOB = st.fixed_dictionaries(
    {"name": st.sampled_from(_NAMES)}, optional={c: st.sampled_from([0, 0, 0, 1]) for c in _COUNTERS}
)
OBJECTS = objects(
    "trainer.kubeflow.org/v1alpha1",
    "TrainJob",
    some({"suspend": st.booleans(), "trainer": some({"numNodes": st.integers(1, 4)})}),
    some(
        {
            "jobsStatus": st.lists(_JOB, max_size=3),
            "conditions": any_conditions(
                {
                    "Complete": ["AllJobsCompleted"],
                    "Failed": ["FailedJobs", "DeadlineExceeded"],
                    "Suspended": ["Suspended", "Resumed"],
                }
            ),
        }
    ),
)
