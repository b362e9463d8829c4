"""The blocks of a packet, and the error codes of the hardware that sends and takes them."""

from __future__ import annotations

import dataclasses

from qlc.block import Header
from qlc.errors import Error

# By number. The last is the hardware's own: a beat that is neither full, nor its packet's last, nor without
# bytes.
ERROR_NAMES = ("no_table", *(error.name.lower() for error in Error if error), "partial_beat")
NO_TABLE, PARTIAL_BEAT = 0, len(ERROR_NAMES) - 1
# What an encoder sends where a beat is refused and no block has begun.
REFUSED = Header(coded=False, has_crc=True, last=False, table_id=0, symbols=4096, payload_bytes=4096).pack()


def block_starts(data: bytes) -> list[int]:
    """Where a good packet's blocks begin."""
    found = []
    start = 0
    while start < len(data):
        found.append(start)
        header = Header.unpack(data[start : start + 4])
        start += (8 if header.has_crc else 4) + header.payload_bytes
    return found


def headers_of(data: bytes) -> list[Header]:
    """The headers of a good packet's blocks."""
    return [Header.unpack(data[start : start + 4]) for start in block_starts(data)]


def unmarked(data: bytes) -> bytes:
    """A good packet whose last block is not marked."""
    for start in block_starts(data)[-1:]:
        header = Header.unpack(data[start : start + 4])
        data = data[:start] + dataclasses.replace(header, last=False).pack() + data[start + 4 :]
    return data
