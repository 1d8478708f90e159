"""One profile for all properties: the same examples on every run, no clock."""

from __future__ import annotations

import os
import sys

from hypothesis import HealthCheck, settings

pytest_plugins = ["pytester"]

settings.register_profile(
    "karta",
    derandomize=True,
    deadline=None,
    max_examples=200,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("karta")

if "MUTANT_UNDER_TEST" in os.environ:  # under mutmut each call of a changed function takes three frames
    sys.setrecursionlimit(5_000)
