"""Packets that no encoder sends: scraps, headers that lie, blocks of any size at any place."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Sequence

import numpy as np
from qlc import bitstream
from qlc.block import HEADER_BYTES, MAX_BLOCK, Header, encode_block
from qlc.table import Table
from qlc_tb import stimulus


def hostile(tables: Sequence[Table], width: int, longest: int, rng: random.Random) -> bytes:
    """A packet of a few pieces, most often good ones, for an input of ``width`` bytes a beat.

    ``longest`` bounds the symbols and the payload of a block.
    """
    pieces: list[bytes] = []
    for _ in range(rng.choice([0, 1, 1, 1, 2, 3, 5, 9])):
        at = sum(map(len, pieces)) % width
        kind = rng.choice(["tiny", "tiny", "tiny", "edge", "edge", "long", "lie", "scrap"])
        match kind:
            case "tiny":
                pieces.append(_block(tables, rng.randint(1, 3), rng))
            case "edge":
                # The next header begins within a few bytes of a beat's end.
                size = width * rng.randint(1, 3) - at - 4 + rng.randint(-8, 1)
                pieces.append(encode_block(np.zeros(max(1, size), np.uint8), None, 1, rng.random() < 0.3))
            case "long":
                pieces.append(_block(tables, rng.randint(1, longest), rng))
            case "lie":
                pieces.append(_lie(tables, width, longest, rng))
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


def _block(tables: Sequence[Table], count: int, rng: random.Random) -> bytes:
    """A good block of ``count`` symbols or fewer, coded even where that makes it longer."""
    table = rng.choice(tables)
    kind = rng.choice(list(stimulus.KINDS.values()))
    symbols = kind(table, count, rng)
    crc = rng.random() < 0.5
    if rng.random() < 0.3:
        return encode_block(symbols, None, 1, crc)
    # No codeword is longer than 12 bits.
    symbols = symbols[: MAX_BLOCK * 8 // 12]
    payload = bitstream.encode(symbols, table)
    raw = encode_block(symbols, None, 1, crc)
    check = raw[HEADER_BYTES : len(raw) - len(symbols)]
    return Header(True, crc, table.table_id, len(symbols), len(payload)).pack() + check + payload


def _lie(tables: Sequence[Table], width: int, longest: int, rng: random.Random) -> bytes:
    """A header of any counts before a payload of any bytes, as many as it says or not."""
    table = rng.choice(tables)

    def count() -> int:
        near = width * rng.randint(0, 3) + rng.randint(-3, 3)
        return min(longest, max(1, rng.choice([1, 2, near, rng.randint(1, longest), longest])))

    symbols, size = count(), count()
    match rng.randrange(6):
        case 0:
            header = Header(False, rng.random() < 0.5, 0, size, size)
        case 1:
            header = Header(False, rng.random() < 0.5, rng.choice([0, 0, table.table_id]), symbols, size)
        case 2:
            header = Header(True, rng.random() < 0.5, rng.randrange(64), symbols, size)
        case _:
            header = Header(True, rng.random() < 0.5, table.table_id, symbols, size)
    body = rng.choice([rng.randbytes, lambda n: bytes(n), lambda n: b"\xff" * n])(rng.choice([size, count()]))
    if rng.random() < 0.5:
        # As many codewords as the payload holds, and the header says.
        fitting = stimulus.skewed(table, symbols, rng)
        body = bitstream.encode(fitting, table)[:size]
        if rng.random() < 0.5:
            header = dataclasses.replace(header, payload_bytes=max(1, len(body)))
    return header.pack() + (rng.randbytes(4) if header.has_crc else b"") + body
