"""The files of a harness of the parts in ``hdl``: words it loads, beats it plays, beats it has written."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from qlc_tb.packet import Packet
from qlc_tb.tables import Words


class Collected(NamedTuple):
    """A packet that a harness has written: its bytes, its last beat's tuser, and its number of beats."""

    data: bytes
    user: int
    beats: int


def write_words(words: Words, file: str = "table.hex") -> None:
    """Writes addresses and data as the harness loads them."""
    Path(file).write_text("".join(f"{address:x} {data:x}\n" for address, data in words))


def write_beats(packets: Iterable[Packet]) -> int:
    """Writes packets as the harness plays them; gives the number of beats."""
    lines = [
        f"{int(number == len(packet.beats))} {packet.user:x} {beat.keep:x} {beat.lanes[::-1].hex()}\n"
        for packet in packets
        for number, beat in enumerate(packet.beats, 1)
    ]
    Path("input.hex").write_text("".join(lines))
    return len(lines)


def read_beats(lanes: int, file: str = "output.hex") -> list[Collected]:
    """Reads packets of ``lanes`` bytes a beat that a harness has written.

    Raises AssertionError when a bit is X, a beat is not the last and not full, bytes are not contiguous from
    lane 0 or not 0 where they are masked, or a packet has no end.
    """
    text = Path(file).read_bytes()
    if not text:
        return []
    keep_digits = -(-lanes // 4)
    assert text.index(b"\n") == 4 + keep_digits + 1 + 2 * lanes, f"{file}: unknown format"
    lines = np.frombuffer(text, np.uint8).reshape(-1, text.index(b"\n") + 1)

    def numbers(start: int, digits: int) -> NDArray[np.uint8]:
        # An even number of digits a beat.
        padded = np.full((len(lines), digits + digits % 2), ord("0"), np.uint8)
        padded[:, digits % 2 :] = lines[:, start : start + digits]
        try:
            found = bytes.fromhex(padded.tobytes().decode())
        except ValueError:
            raise AssertionError(f"{file}: X in a valid beat") from None
        return np.frombuffer(found, np.uint8).reshape(len(lines), -1)

    last = numbers(0, 1)[:, 0] == 1
    user = numbers(2, 1)[:, 0]
    data = numbers(5 + keep_digits, 2 * lanes)[:, ::-1]
    keep = np.unpackbits(numbers(4, keep_digits), axis=1)[:, ::-1][:, :lanes].astype(bool)
    count = keep.sum(axis=1)
    assert (keep == (np.arange(lanes) < count[:, None])).all(), f"{file}: tkeep is not contiguous from lane 0"
    assert not data[~keep].any(), f"{file}: tdata is not 0 in a lane that tkeep masks"
    assert (count[~last] == lanes).all(), f"{file}: a beat that is not the last is not full"
    assert last[-1], f"{file}: output stopped inside a packet"
    flat = np.ascontiguousarray(data[keep]).tobytes()
    ends = np.cumsum(count)[last].tolist()
    beats = np.diff(np.flatnonzero(last), prepend=-1).tolist()
    rows = zip([0, *ends[:-1]], ends, user[last].tolist(), beats, strict=True)
    return [Collected(flat[begin:end], verdict, size) for begin, end, verdict, size in rows]
