"""The type of a design's handle."""

from __future__ import annotations

from typing import Any, TypeAlias

# Signals are attributes that only the simulator knows.
Dut: TypeAlias = Any
