"""What XGBoostJob's controller means by its status, as for every kind of the training operator."""

from __future__ import annotations

from tests.catalog.training_operator import objects_of, status

__all__ = ["OBJECTS", "status"]
OBJECTS = objects_of("XGBoostJob")
