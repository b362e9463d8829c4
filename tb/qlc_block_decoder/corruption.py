"""Packets and ways to damage them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from qlc.block import CRC_BYTES, HEADER_BYTES, Header, encode_block
from qlc.table import Table
from qlc_tb import stimulus


@dataclass(frozen=True)
class Mixed:
    """A good packet, and its blocks one by one."""

    blocks: list[bytes]

    @property
    def data(self) -> bytes:
        """The packet's bytes."""
        return b"".join(self.blocks)


def mixed(
    tables: Sequence[Table],
    rng: random.Random,
    *,
    blocks: int = 4,
    longest: int = 60,
    crc: bool | None = None,
) -> Mixed:
    """A packet of up to ``blocks`` blocks, each raw or of any table, with or without CRC unless told."""
    found = []
    for _ in range(rng.randint(1, blocks)):
        table = rng.choice(tables)
        kind = rng.choice([stimulus.skewed, stimulus.skewed, stimulus.single, stimulus.uniform])
        symbols = kind(table, rng.randint(1, longest), rng)
        with_crc = rng.random() < 0.5 if crc is None else crc
        found.append(encode_block(np.asarray(symbols), rng.choice([table, table, None]), 1, with_crc))
    return Mixed(found)


def damaged(packet: Mixed, other: Mixed, rng: random.Random) -> bytes:
    """The packet with something wrong, most often."""
    data = bytearray(packet.data)
    kind = rng.randrange(10)
    if kind == 0:
        # A single bit.
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    elif kind == 1:
        for _ in range(rng.randint(2, 6)):
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    elif kind == 2:
        # A bit of a header.
        number = rng.randrange(len(packet.blocks))
        start = sum(map(len, packet.blocks[:number]))
        data[start + rng.randrange(HEADER_BYTES)] ^= 1 << rng.randrange(8)
    elif kind == 3:
        del data[rng.randrange(len(data)) :]
    elif kind == 4:
        # Cut within two bytes of a beat's or a block's edge.
        edges = [*range(0, len(data), 32), *np.cumsum([len(block) for block in packet.blocks]).tolist()]
        del data[max(0, rng.choice(edges) + rng.randint(-2, 2)) :]
    elif kind == 5:
        # The end of another packet behind the beginning of this one.
        tail = other.data
        data = data[: rng.randrange(len(data) + 1)] + tail[rng.randrange(len(tail) + 1) :]
    elif kind == 6:
        # Bytes lost, or bytes too many.
        start = rng.randrange(len(data))
        data[start : start + rng.randint(0, 9)] = rng.randbytes(rng.randint(0, 9))
    elif kind == 7:
        data = bytearray(rng.randbytes(rng.randint(0, 100)))
    elif kind == 8:
        # A header of which one field is another one's, or random.
        number = rng.randrange(len(packet.blocks))
        start = sum(map(len, packet.blocks[:number]))
        header = Header.unpack(bytes(data[start : start + HEADER_BYTES]))
        change = rng.randrange(4)
        changed = Header(
            header.coded != (change == 0),
            header.has_crc,
            rng.randrange(64) if change == 1 else header.table_id,
            max(1, header.symbols + rng.randint(-3, 3)) if change == 2 else header.symbols,
            max(1, header.payload_bytes + rng.randint(-3, 3)) if change == 3 else header.payload_bytes,
        )
        data[start : start + HEADER_BYTES] = changed.pack()
    else:
        # Ones: the last area's last offset again and again.
        start = rng.randrange(len(data))
        count = min(rng.randint(1, 4), len(data) - start)
        data[start : start + count] = b"\xff" * count
    return bytes(data)


def strangers(data: bytes, blocks: set[bytes]) -> list[Header]:
    """Headers of the blocks of a good packet that are none of ``blocks``, byte by byte."""
    found = []
    start = 0
    while start < len(data):
        header = Header.unpack(data[start : start + HEADER_BYTES])
        end = start + HEADER_BYTES + CRC_BYTES * header.has_crc + header.payload_bytes
        if data[start:end] not in blocks:
            found.append(header)
        start = end
    return found
