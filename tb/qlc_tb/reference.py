"""Expected packets, from the golden model."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from qlc import reference
from qlc.table import Table

from qlc_tb.packet import Expected


def encoded(symbols: NDArray[np.uint8], table: Table) -> Expected:
    """What the encoder core sends for a packet of symbols."""
    return Expected(reference.encode(symbols, table))


def decoded(payload: bytes, count: int, table: Table) -> Expected:
    """What the decoder core sends for a payload: symbols up to the first error, and its code."""
    symbols, error = reference.decode(payload, count, table)
    return Expected(symbols.tobytes(), int(error))
