"""What the Job controller means by its status, by hand, and objects as it may write them."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.catalog.parts import (
    Obj,
    any_conditions,
    conditions_of,
    counts,
    holds,
    number,
    objects,
    some,
    spec_of,
    status_of,
)


def _still_needed(spec: Obj, succeeded: int) -> int:
    parallel = number(spec.get("parallelism"), 1)
    if spec.get("completions") is None:  # a work queue makes no pod after the first success
        return 0 if succeeded else parallel
    return min(parallel, spec["completions"] - succeeded)


def status(obj: Obj) -> str:
    status, spec, conditions = status_of(obj), spec_of(obj), conditions_of(obj)
    active, ready, failed = (number(status.get(name)) for name in ("active", "ready", "failed"))
    for ended, announced, word in (
        ("Complete", "SuccessCriteriaMet", "Completed"),
        ("Failed", "FailureTarget", "Failed"),
    ):
        if holds(conditions, ended, "True") or (holds(conditions, announced, "True") and not active):
            return word
    suspended = holds(conditions, "Suspended", "True")
    if spec.get("suspend"):
        return "Suspended" if suspended and not active and not number(status.get("terminating")) else "Suspending"
    if suspended:
        return "Resuming"
    if not ready:
        return "Initializing"
    return "Degraded" if failed and ready < _still_needed(spec, number(status.get("succeeded"))) else "Running"


OBJECTS = objects(
    "batch/v1",
    "Job",
    some({"parallelism": counts, "completions": counts, "suspend": st.booleans()}),
    some(
        {
            **dict.fromkeys(("active", "ready", "terminating", "succeeded", "failed"), counts),
            "conditions": any_conditions(
                {
                    "Complete": ["CompletionsReached"],
                    "SuccessCriteriaMet": ["CompletionsReached", "SuccessPolicy"],
                    "Failed": ["BackoffLimitExceeded"],
                    "FailureTarget": ["DeadlineExceeded"],
                    "Suspended": ["JobSuspended", "JobResumed"],
                }
            ),
        }
    ),
)
