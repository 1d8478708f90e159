"""Compiles syntax trees to closures: one function for each kind of node."""

from kartatest.jq.emit import assign, bind, calls, flow, literals, paths
from kartatest.jq.emit.core import emit

__all__ = ["emit"]

_ = (assign, bind, calls, flow, literals, paths)  # imported to fill the table
