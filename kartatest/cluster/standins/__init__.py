"""Programs that play a part which needs real containers. Few lines each; a recording made with one says so."""

from __future__ import annotations
