"""Packets that no encoder sends: scraps, headers that lie, blocks of any size at any place."""

from __future__ import annotations

import dataclasses
import random
import zlib
from collections.abc import Sequence

import numpy as np
from qlc import bitstream
from qlc.block import CRC_BYTES, HEADER_BYTES, MAX_BLOCK, Header, encode_block
from qlc.table import Table
from qlc_tb import stimulus


def hostile(tables: Sequence[Table], width: int, longest: int, rng: random.Random) -> bytes:
    """A packet of a few pieces, most often good ones, for an input of ``width`` bytes a beat.

    ``longest`` bounds the symbols and the payload of a block. Most often the last block is marked, no other
    is, and every block has a CRC.
    """
    pieces: list[bytes] = []
    count = rng.choice([0, 1, 1, 1, 2, 3, 5, 9])
    # The chance of a last mark in a wrong place, and of a block without CRC.
    careless, no_crc = rng.choice([0, 0, 0, 0.1, 0.5]), rng.choice([0, 0, 0, 0.1, 0.5])
    for number in range(count):
        crc = rng.random() >= no_crc
        last = (number == count - 1) != (rng.random() < careless)
        at = sum(map(len, pieces)) % width
        kind = rng.choice(["tiny", "tiny", "tiny", "edge", "edge", "long", "lie", "scrap"])
        match kind:
            case "tiny":
                pieces.append(_block(tables, rng.randint(1, 3), crc, last, rng))
            case "edge":
                # The next header begins within a few bytes of a beat's end.
                size = width * rng.randint(1, 3) - at - 4 - 4 * crc + rng.randint(-8, 1)
                pieces.append(encode_block(np.zeros(max(1, size), np.uint8), None, 1, crc, last))
            case "long":
                pieces.append(_block(tables, rng.randint(1, longest), crc, last, rng))
            case "lie":
                pieces.append(_lie(tables, width, longest, crc, last, rng))
            case _:
                pieces.append(rng.randbytes(rng.randint(0, 9)))
    data = bytearray(b"".join(pieces))
    match rng.randrange(8):
        case 0 if data:
            # Cut at any place, or at a beat's edge.
            place = rng.randrange(len(data))
            del data[place if rng.random() < 0.5 else place // width * width :]
        case 1 if data:
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        case 2:
            # Much behind what is wrong, to be dropped.
            data += rng.randbytes(rng.randint(1, 9 * width))
        case _:
            pass
    return bytes(data)


def _block(tables: Sequence[Table], count: int, crc: bool, last: bool, rng: random.Random) -> bytes:
    """A good block of ``count`` symbols or fewer, coded even where that makes it longer."""
    table = rng.choice(tables)
    kind = rng.choice(list(stimulus.KINDS.values()))
    symbols = kind(table, count, rng)
    if rng.random() < 0.3:
        return encode_block(symbols, None, 1, crc, last)
    # No codeword is longer than 12 bits.
    symbols = symbols[: MAX_BLOCK * 8 // 12]
    payload = bitstream.encode(symbols, table)
    raw = encode_block(symbols, None, 1, crc, last)
    check = raw[HEADER_BYTES : len(raw) - len(symbols)]
    return Header(True, crc, last, table.table_id, len(symbols), len(payload)).pack() + check + payload


def _lie(
    tables: Sequence[Table], width: int, longest: int, crc: bool, last: bool, rng: random.Random
) -> bytes:
    """A header of any counts before a payload of any bytes, as many as it says or not."""
    table = rng.choice(tables)

    def count() -> int:
        near = width * rng.randint(0, 3) + rng.randint(-3, 3)
        return min(longest, max(1, rng.choice([1, 2, near, rng.randint(1, longest), longest])))

    symbols, size = count(), count()
    header = Header(True, crc, last, table.table_id, symbols, size)
    match rng.randrange(6):
        case 0:
            header = dataclasses.replace(header, coded=False, table_id=0, symbols=size)
        case 1:
            header = dataclasses.replace(header, coded=False, table_id=rng.choice([0, 0, table.table_id]))
        case 2:
            header = dataclasses.replace(header, table_id=rng.randrange(32))
        case _:
            pass
    check = rng.randbytes(CRC_BYTES)
    fill = rng.choice([None, b"\x00", b"\xff"])
    length = rng.choice([size, count()])
    body = rng.randbytes(length) if fill is None else fill * length
    if rng.random() < 0.5:
        # As many codewords as the payload holds, and the header says.
        fitting = stimulus.skewed(table, symbols, rng)
        body = bitstream.encode(fitting, table)[:size]
        check = zlib.crc32(fitting.tobytes()).to_bytes(CRC_BYTES, "big")
        if rng.random() < 0.5:
            header = dataclasses.replace(header, payload_bytes=max(1, len(body)))
    return header.pack() + (check if header.has_crc else b"") + body
