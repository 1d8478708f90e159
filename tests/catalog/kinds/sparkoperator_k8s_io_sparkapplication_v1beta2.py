"""What the Spark operator means by its states, by hand, and objects as it may write them."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.catalog.parts import Obj, number, objects, some, spec_of, status_of

# sizes are Spark's words in many places; there is no template
TEMPLATE_ELSEWHERE = frozenset({"driver", "executor"})
READ_ONLY = frozenset({"resourcesPath"})
_ENDS = {"COMPLETED": "Completed", "FAILED": "Failed"}
_STATES = {
    "RESUMING": "Resuming",
    "SUBMISSION_FAILED": "Failed",
    "FAILING": "Degraded",
    "PENDING_RERUN": "Degraded",
    "UNKNOWN": "Degraded",
    "SUCCEEDING": "Running",
    "INVALIDATING": "Initializing",
    "SUBMITTED": "Initializing",
    "": "Initializing",
}


def status(obj: Obj) -> str:
    asked = spec_of(obj).get("suspend") is True
    state = (status_of(obj).get("applicationState") or {}).get("state") or ""
    if state in _ENDS:
        return _ENDS[state]
    if state == "SUSPENDED":
        return "Suspended" if asked else "Resuming"
    if asked or state == "SUSPENDING":
        return "Suspending"
    if state in _STATES:
        return _STATES[state]
    executors = list((status_of(obj).get("executorState") or {}).values())
    live = executors.count("RUNNING") + executors.count("PENDING")
    return "Degraded" if "FAILED" in executors and live < _wanted(spec_of(obj)) else "Running"


def _wanted(spec: Obj) -> int:
    dynamic = spec.get("dynamicAllocation") or {}
    if dynamic.get("enabled"):
        return number(dynamic.get("minExecutors"))
    conf = (spec.get("sparkConf") or {}).get("spark.executor.instances")
    return number((spec.get("executor") or {}).get("instances"), number(conf, 1))


OBJECTS = objects(
    "sparkoperator.k8s.io/v1beta2",
    "SparkApplication",
    some(
        {
            "suspend": st.booleans(),
            "executor": some({"instances": st.integers(1, 3)}),
            "sparkConf": some({"spark.executor.instances": st.sampled_from(["1", "3"])}),
            "dynamicAllocation": some({"enabled": st.booleans(), "minExecutors": st.integers(0, 2)}),
        }
    ),
    some(
        {
            "applicationState": some(
                {"state": st.sampled_from(["RUNNING", "RUNNING", "SUSPENDING", "SUSPENDED", *_ENDS, *_STATES])}
            ),
            "executorState": st.dictionaries(
                st.sampled_from(["x-exec-1", "x-exec-2", "x-exec-3"]),
                st.sampled_from(["PENDING", "RUNNING", "COMPLETED", "FAILED", "UNKNOWN"]),
            ),
        }
    ),
)
