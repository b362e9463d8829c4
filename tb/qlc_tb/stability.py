"""The handshake rules of AXI-Stream, checked every cycle of every stream."""

from __future__ import annotations

from collections.abc import Sequence


class StabilityError(AssertionError):
    """A stream that broke a rule of the handshake."""


class StabilityChecker:
    """Fed with a stream's cycles in turn by its monitor."""

    def __init__(self, name: str) -> None:
        """``name`` is for messages."""
        self._name = name
        self._held: list[str] | None = None
        self._reset_cycles = 0

    def cycle(self, valid: str, ready: str, payload: Sequence[object]) -> None:
        """Takes tvalid and tready, "0", "1" or else unknown, and all else, looked at while tvalid is 1.

        Raises StabilityError when tvalid or tready is unknown, tvalid drops before a transfer, or
        anything changes while a beat waits.
        """
        self._reset_cycles = 0
        if valid not in "01":
            raise StabilityError(f"{self._name}: tvalid is {valid} after reset")
        if ready not in "01":
            raise StabilityError(f"{self._name}: tready is {ready} after reset")
        if self._held is not None:
            if valid == "0":
                raise StabilityError(f"{self._name}: tvalid dropped before tready")
            now = [str(value) for value in payload]
            if now != self._held:
                raise StabilityError(f"{self._name}: changed in a stall: from {self._held} to {now}")
        if valid == "0" or ready == "1":
            self._held = None
        elif self._held is None:
            self._held = [str(value) for value in payload]

    def reset_cycle(self, valid: str) -> None:
        """Takes a cycle with reset: tvalid must be 0 one cycle after its first."""
        self._held = None
        self._reset_cycles += 1
        if self._reset_cycles > 1 and valid != "0":
            raise StabilityError(f"{self._name}: tvalid is {valid} in reset")
