"""Definitions of Kubernetes workload types, tested like code."""

from __future__ import annotations

__version__ = "0.1.0.dev0"
