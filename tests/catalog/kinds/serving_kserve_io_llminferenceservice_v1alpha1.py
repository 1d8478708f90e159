"""What KServe means by an LLMInferenceService's status (v1alpha1), by hand, and objects as it may write them."""

from __future__ import annotations

from tests.catalog.kinds.serving_kserve_io_llminferenceservice_v1alpha2 import TEMPLATE_ELSEWHERE, objects_of, status

OBJECTS = objects_of("v1alpha1")
__all__ = ["OBJECTS", "TEMPLATE_ELSEWHERE", "status"]
