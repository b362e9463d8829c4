"""The packet: a sequence of blocks, one buffer or one AXI-Stream packet."""

import io
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from qlc.block import CRC_BYTES, HEADER_BYTES, MAX_BLOCK, DecodedBlock, Header, decode_block, encode_block
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

    Any table gives the symbols back. One that is for another 8-bit float than theirs is warned of.

    Raises `ValueError` as `as_symbols`.
    """
    return b"".join(encode_blocks(symbols, table, policy))


def encode_blocks(symbols: NDArray[Any], table: Table, policy: Policy = DEFAULT_POLICY) -> Iterator[bytes]:
    """Give the packet of `encode_packet` block by block. Raises `ValueError` as that, before the first."""
    dtype = np.asarray(symbols).dtype.name
    symbols = as_symbols(symbols)
    if "uint8" not in (dtype, table.dtype) and dtype != table.dtype:
        warnings.warn(f"symbols of {dtype}: table {table.name} is for {table.dtype}", stacklevel=2)
    used = None if len(symbols) < min(policy.min_packet, policy.block) else table
    ends = range(policy.block, len(symbols) + policy.block, policy.block)
    return (
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
    stream = io.BytesIO(memoryview(packet))
    pieces: list[NDArray[np.uint8]] = [np.zeros(0, dtype=np.uint8)]
    start = 0
    for symbols, error, end, _ in decode_blocks(stream, tables, require_crc):
        pieces.append(symbols)
        if error:
            return DecodedPacket(np.concatenate(pieces), error, len(pieces) - 2, start)
        start = end
    return DecodedPacket(np.concatenate(pieces), Error.GOOD, len(pieces) - 1, start)


def decode_blocks(
    stream: BinaryIO, tables: Mapping[int, Table], require_crc: bool = True
) -> Iterator[DecodedBlock]:
    """Decode a packet as `decode_packet` does, from a buffered binary file, a block in memory at a time.

    `end` is where a block ends in the packet. The first block with an error is the last one given; bytes
    behind the packet's last block are a block without symbols. Raises what reading the file raises.
    """
    start = 0
    last = False
    while not last:
        block = read_block(stream)
        if not block and not start:
            return
        decoded = decode_block(block, 0, tables, require_crc)
        start, last = start + decoded.end, decoded.last
        yield decoded._replace(end=start)
        if decoded.error:
            return
    if stream.read(1):
        yield DecodedBlock(np.zeros(0, dtype=np.uint8), Error.AFTER_LAST, start, True)


def read_block(stream: BinaryIO) -> bytes:
    """Read the bytes of the next block, as its header tells; fewer where the file ends before."""
    head = stream.read(HEADER_BYTES)
    if len(head) < HEADER_BYTES:
        return head
    header = Header.unpack(head)
    return head + stream.read(CRC_BYTES * header.has_crc + header.payload_bytes)
