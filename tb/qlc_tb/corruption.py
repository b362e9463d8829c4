"""Packets and ways to damage them."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from qlc.block import CRC_BYTES, HEADER_BYTES, Header, encode_block
from qlc.table import Table

from qlc_tb import stimulus


@dataclass(frozen=True)
class Mixed:
    """A good packet: its blocks one by one, and all their symbols."""

    blocks: list[bytes]
    symbols: bytes

    @property
    def data(self) -> bytes:
        """The packet's bytes."""
        return b"".join(self.blocks)

    @property
    def edges(self) -> list[int]:
        """Where blocks begin, and the last one ends."""
        return [0, *np.cumsum([len(block) for block in self.blocks]).tolist()]


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
    sent = []
    count = rng.randint(1, blocks)
    for number in range(count):
        table = rng.choice(tables)
        kind = rng.choice([stimulus.skewed, stimulus.skewed, stimulus.single, stimulus.uniform])
        symbols = np.asarray(kind(table, rng.randint(1, longest), rng))
        with_crc = rng.random() < 0.5 if crc is None else crc
        used = rng.choice([table, table, None])
        found.append(encode_block(symbols, used, 1, with_crc, last=number == count - 1))
        sent.append(symbols.tobytes())
    return Mixed(found, b"".join(sent))


def damaged(packet: Mixed, other: Mixed, rng: random.Random) -> bytes:
    """The packet with something wrong, most often.

    Not among it: whole blocks in other places, which no decoder can tell.
    """
    data = bytearray(packet.data)
    number = rng.randrange(len(packet.blocks))
    start = packet.edges[number]
    header = Header.unpack(bytes(data[start : start + HEADER_BYTES]))
    match rng.randrange(14):
        case 0:
            # A single bit.
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        case 1:
            for _ in range(rng.randint(2, 6)):
                data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        case 2:
            # A bit of a header.
            data[start + rng.randrange(HEADER_BYTES)] ^= 1 << rng.randrange(8)
        case 3:
            del data[rng.randrange(len(data)) :]
        case 4:
            # Cut within two bytes of a beat's or a block's edge.
            edges = [*range(0, len(data), 32), *packet.edges[1:]]
            del data[max(0, rng.choice(edges) + rng.randint(-2, 2)) :]
        case 5:
            # The end of another packet behind the beginning of this one.
            begin, end = rng.randrange(len(data) + 1), rng.randrange(len(other.data) + 1)
            spliced = data[:begin] + other.data[end:]
            if not of_whole_blocks(bytes(spliced), {*packet.blocks, *other.blocks}):
                data = spliced
        case 6:
            # Bytes lost, or bytes too many.
            begin = rng.randrange(len(data))
            end = begin + rng.randint(0, 9)
            shorter = data[:begin] + rng.randbytes(rng.randint(0, 9)) + data[end:]
            if not of_whole_blocks(bytes(shorter), {*packet.blocks}):
                data = shorter
        case 7:
            data = bytearray(rng.randbytes(rng.randint(0, 100)))
        case 8:
            # A header of which one field is another one's, or random.
            change = rng.randrange(4)
            changed = dataclasses.replace(
                header,
                coded=header.coded != (change == 0),
                table_id=rng.randrange(32) if change == 1 else header.table_id,
                symbols=max(1, header.symbols + rng.randint(-3, 3)) if change == 2 else header.symbols,
                payload_bytes=max(1, header.payload_bytes + rng.randint(-3, 3))
                if change == 3
                else header.payload_bytes,
            )
            data[start : start + HEADER_BYTES] = changed.pack()
        case 9:
            # Ones: the last codeword again and again.
            begin = rng.randrange(len(data))
            count = min(rng.randint(1, 4), len(data) - begin)
            data[begin : begin + count] = b"\xff" * count
        case 10:
            # A last mark too many, or none.
            data[start] ^= 1 << 5
        case 11:
            # A block that says that it has no CRC, which is there or not.
            data[start] &= ~(1 << 6)
            if rng.random() < 0.5:
                del data[start + HEADER_BYTES : start + HEADER_BYTES + CRC_BYTES]
        case 12:
            # Bytes behind the last block.
            data += rng.choice([bytes(rng.randint(1, 70)), rng.randbytes(rng.randint(1, 70)), other.data])
        case _:
            # The last blocks lost.
            del data[start:]
    return bytes(data)


def of_whole_blocks(data: bytes, blocks: set[bytes]) -> bool:
    """Whether a packet is made of ``blocks`` alone: no decoder can tell that it was not sent."""
    start = 0
    while start < len(data):
        header = Header.unpack(data[start : start + HEADER_BYTES])
        end = start + HEADER_BYTES + CRC_BYTES * header.has_crc + header.payload_bytes
        if data[start:end] not in blocks:
            return False
        start = end
    return True
