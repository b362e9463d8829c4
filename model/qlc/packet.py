"""The packet: a sequence of blocks, one buffer or one AXI-Stream packet."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from qlc.block import MAX_BLOCK, decode_block, encode_block
from qlc.errors import Error
from qlc.histogram import as_symbols
from qlc.table import Table

MIN_BLOCK = 32


@dataclass(frozen=True)
class Policy:
    """How an encoder cuts a packet and what it sends raw. Raises `ValueError` when out of range."""

    block: int = MAX_BLOCK
    """Symbols in every block but the last, 32 to 4096."""
    min_packet: int = 1024
    """A packet of fewer symbols than this, and fewer than `block`, is sent raw."""
    min_saving: int = 1
    """A block that would save fewer bytes than this is sent raw; 1 or more."""
    crc: bool = True
    """Whether blocks carry a CRC."""

    def __post_init__(self) -> None:
        """Check the ranges."""
        if not MIN_BLOCK <= self.block <= MAX_BLOCK:
            raise ValueError(f"block {self.block}: must be {MIN_BLOCK} to {MAX_BLOCK}")
        if self.min_packet < 0:
            raise ValueError(f"min_packet {self.min_packet}: must be at least 0")
        if self.min_saving < 1:
            raise ValueError(f"min_saving {self.min_saving}: must be at least 1")


DEFAULT_POLICY = Policy()


class DecodedPacket(NamedTuple):
    """The symbols before the first error, and the verdict on the packet."""

    symbols: NDArray[np.uint8]
    error: Error
    block: int
    """The number of the block with the error; of good blocks, if there is none."""
    start: int
    """The byte at which that block starts; where the good blocks end, if none has an error."""


def encode_packet(symbols: NDArray[Any], table: Table, policy: Policy = DEFAULT_POLICY) -> bytes:
    """Encode symbols, uint8[n] or 8-bit floats, as one packet; no symbols give no bytes.

    Raises `ValueError` as `as_symbols`.
    """
    symbols = as_symbols(symbols)
    used = None if len(symbols) < min(policy.min_packet, policy.block) else table
    ends = range(policy.block, len(symbols) + policy.block, policy.block)
    return b"".join(
        encode_block(
            symbols[end - policy.block : end], used, policy.min_saving, policy.crc, last=end >= len(symbols)
        )
        for end in ends
    )


def decode_packet(
    packet: bytes | bytearray | memoryview, tables: Mapping[int, Table], require_crc: bool = True
) -> DecodedPacket:
    """Decode a packet with the loaded tables by id, up to the first error in stream order.

    Where `require_crc` is set, as it should be, a block without a CRC is an error. A packet that is not
    empty ends with the block that is marked as its last: it is truncated without one, and bytes behind it
    are an error.
    """
    packet = bytes(packet)
    pieces: list[NDArray[np.uint8]] = [np.zeros(0, dtype=np.uint8)]
    start = 0
    last = not packet
    while not last:
        symbols, error, end, last = decode_block(packet, start, tables, require_crc)
        pieces.append(symbols)
        if error:
            return DecodedPacket(np.concatenate(pieces), error, len(pieces) - 2, start)
        start = end
    verdict = Error.AFTER_LAST if start < len(packet) else Error.GOOD
    return DecodedPacket(np.concatenate(pieces), verdict, len(pieces) - 1, start)
