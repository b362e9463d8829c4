"""Tables for benches, and the write ports of the cores."""

from __future__ import annotations

import os
import random
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from qlc.bounds import Bounds
from qlc.code import LONGEST, PRESETS, QUAD_KNOWN_BITS, QUAD_LENGTHS, SPACE, Code, CodeError
from qlc.optimum import best_huffman, best_quad
from qlc.ranking import rank_symbols
from qlc.table import TABLE_IDS, Table, calibrate, check_raw_bits

from qlc_tb.dut import Dut
from qlc_tb.unknown import unknown

# Set to 1, one bit of each table loaded is wrong in the DUT, so every bench must fail.
PLANT_FAULT = "QLC_PLANT_FAULT"
# Addresses and data for a write port.
Words = list[tuple[int, int]]

PARAMETERS = ("LENGTHS", "KNOWN_BITS", "SHORTEST", "LONGEST", "RAW_BITS")
# Of the first length's word, on the write port of every core.
LENGTH_ADDRESS = 256
# More than enough to find a random code inside any bounds.
TRIES = 100_000


def bounds_of(dut: Dut) -> Bounds:
    """What tables a DUT can hold, by its parameters."""
    return Bounds(**{name.lower(): int(getattr(dut, name).value) for name in PARAMETERS})


def random_table(code: Code, rng: random.Random, raw_bits: int = 0) -> Table:
    """A table with symbols, or classes of them, ranked at random."""
    counts = np.arange(1, 257)
    rng.shuffle(counts)  # type: ignore[arg-type]
    return calibrate(counts, "uint8", code, "random", rng.randrange(TABLE_IDS), raw_bits)


def table_of(symbols: NDArray[np.uint8], code: Code, raw_bits: int) -> Table:
    """A table of this code made for a tensor."""
    return calibrate(np.bincount(symbols, minlength=256), "float8_e4m3fn", code, "tensor", 0, raw_bits)


def fits(code: Code, bounds: Bounds, rng: random.Random) -> bool:
    """Whether a table of this code, with the raw bits of the bounds, fits a DUT."""
    try:
        check_raw_bits(code, bounds.raw_bits)
    except ValueError:
        return False
    return bounds.problem(random_table(code, rng, bounds.raw_bits)) is None


def random_code(bounds: Bounds, rng: random.Random) -> Code:
    """Any code inside the bounds, of random lengths and limits."""
    unit = SPACE >> bounds.known_bits
    for _ in range(TRIES):
        lengths = range(bounds.shortest, bounds.longest + 1)
        chosen = sorted(rng.sample(lengths, min(len(lengths), rng.randint(1, bounds.lengths))))
        # Low limits are likely to leave enough codewords.
        top = rng.randint(len(chosen), SPACE // unit)
        if len(chosen) > top:
            continue
        limits = [unit * place for place in sorted(rng.sample(range(1, top), len(chosen) - 1))]
        try:
            code = Code(tuple(chosen), (*limits, SPACE))
        except CodeError:
            continue
        if fits(code, bounds, rng):
            return code
    raise ValueError(f"no random code found inside {bounds}")


def best_code(bounds: Bounds, rng: random.Random) -> Code | None:
    """The best code inside the bounds for counts that fall at a random rate; None where none was found."""
    return _best_code((1e9 * rng.uniform(0.5, 0.99) ** np.arange(256)).astype(np.int64), bounds)


def _best_code(counts_by_rank: NDArray[np.int64], bounds: Bounds) -> Code | None:
    limits = (bounds.raw_bits, bounds.shortest, bounds.longest)
    if bounds.lengths == bounds.known_bits == LONGEST:
        return best_huffman(counts_by_rank, *limits)
    if bounds.lengths < QUAD_LENGTHS:
        return None
    try:
        # The search takes long where more bits tell the length.
        return best_quad(counts_by_rank, *limits, min(bounds.known_bits, QUAD_KNOWN_BITS))
    except CodeError:
        return None


def extreme_codes(bounds: Bounds) -> list[Code]:
    """One length only, shortest and longest; few of the shortest, then of the longest; a staircase."""
    group = 1 << bounds.raw_bits
    short, long = bounds.shortest, bounds.longest
    texts = [
        "8",
        str(long),
        f"{short}x{group},{long}",
        f"{short}x{2 * group},{short + 2}x{group},{long - 1}x{8 * group},{long}",
        f"{short + 1}x{3 * group},{long}",
        # A length each bit: as many as there are
        ",".join([*(f"{length}x{group}" for length in range(short + bounds.raw_bits, long)), str(long)]),
    ]
    codes = []
    for text in texts:
        try:
            codes.append(Code.parse(text))
        except CodeError:
            continue
    return codes


def codes(bounds: Bounds, rng: random.Random) -> list[Code]:
    """Codes inside the bounds: presets, extremes, the best for falling counts, two random ones.

    The first has illegal codewords.
    """
    best = [best_code(bounds, rng) for _ in range(2)]
    found = [*PRESETS.values(), *extreme_codes(bounds), *filter(None, best)]
    inside = [code for code in found if fits(code, bounds, rng)]
    inside.extend(random_code(bounds, rng) for _ in range(2))
    inside.sort(key=lambda code: sum(code.codeword_counts) == 256)
    return list(dict.fromkeys(inside))


def best_table(counts: NDArray[np.int64], bounds: Bounds, rng: random.Random, name: str = "best") -> Table:
    """The best table inside the bounds for counts of symbols; of any code where none is known to be best."""
    by_rank = counts[rank_symbols(counts, "uint8", bounds.raw_bits)]
    code = _best_code(by_rank, bounds) or random_code(bounds, rng)
    return calibrate(counts, "uint8", code, name, rng.randrange(TABLE_IDS), bounds.raw_bits)


def random_words(raw_bits: int, rng: random.Random) -> Words:
    """Addresses and data for a write port that are no table."""
    zero = rng.random() < 0.3
    classes = [(address, rng.getrandbits(32)) for address in range(256 >> raw_bits)]
    lengths = [(LENGTH_ADDRESS + i, 0 if zero else rng.getrandbits(32)) for i in range(LONGEST)]
    return classes + lengths


def garbage_words(bounds: Bounds, rng: random.Random) -> Words:
    """Addresses and data for a write port that make no table, or one that the bounds do not allow."""
    classes = range(256 >> bounds.raw_bits)
    good = decoder_words(random_table(random_code(bounds, rng), rng, bounds.raw_bits), bounds.raw_bits)
    lengths = [place for place, (address, _) in enumerate(good) if address >= LENGTH_ADDRESS]
    match rng.randrange(6):
        case 0:
            return [(address, rng.getrandbits(32)) for address, _ in good]
        case 1:
            constant = rng.choice([0, (1 << 32) - 1])
            return [(address, constant) for address, _ in good]
        case 2:
            # A bit or some are wrong.
            for _ in range(rng.randint(1, 4)):
                place = rng.choice(lengths[: bounds.lengths])
                address, word = good[place]
                good[place] = address, word ^ 1 << rng.randrange(32)
            return good
        case 3:
            # Good words in the wrong places.
            words = [good[place][1] for place in lengths]
            rng.shuffle(words)
            return good[: len(classes)] + [(LENGTH_ADDRESS + i, word) for i, word in enumerate(words)]
        case 4:
            # Every codeword has the same few bits, or many.
            length = rng.choice([0, 1, 2, bounds.shortest, bounds.longest, 13, 15])
            return good[: len(classes)] + [
                (LENGTH_ADDRESS + i, length << 28 | rng.getrandbits(28)) for i in range(LONGEST)
            ]
        case _:
            # A table for another build.
            return decoder_words(random_table(random_code(Bounds(LONGEST, LONGEST), rng), rng))


def encoder_words(table: Table, raw_bits: int = 0) -> Words:
    """Addresses and data for an encoder's write port: the rank of every class, then the lengths."""
    return list(enumerate(table.class_ranks(raw_bits).tolist())) + length_words(table)


def decoder_words(table: Table, raw_bits: int = 0) -> Words:
    """Addresses and data for a decoder's write port: the class of every class rank, then the lengths."""
    return list(enumerate(table.classes(raw_bits).tolist())) + length_words(table)


def length_words(table: Table) -> Words:
    """Addresses and data of the lengths, all 12 of them."""
    return [(LENGTH_ADDRESS + place, word) for place, word in enumerate(table.code.length_words().tolist())]


def with_fault(words: Iterable[tuple[int, int]], place: int = 0) -> Words:
    """The words, one of them with a wrong bit where PLANT_FAULT is set."""
    found = list(words)
    if os.environ.get(PLANT_FAULT) == "1":
        address, data = found[place]
        found[place] = address, data ^ 1
    return found


class TableWriter:
    """Writes words to a port ``<prefix>_we``, ``<prefix>_addr``, ``<prefix>_data``.

    Also drives ``<prefix>_bank`` where there is one.
    """

    def __init__(self, dut: Dut, rng: random.Random, prefix: str = "table") -> None:
        """Drives the port idle."""
        self._edge = dut.clk.rising_edge
        self._we = getattr(dut, f"{prefix}_we")
        self._addr = getattr(dut, f"{prefix}_addr")
        self._data = getattr(dut, f"{prefix}_data")
        self._bank = getattr(dut, f"{prefix}_bank", None)
        self._rng = rng
        self._go_idle()

    async def write(self, words: Iterable[tuple[int, int]], bank: int | None = None) -> None:
        """Writes a word a cycle; None for the bank of a DUT that has only one."""
        await self._edge
        for address, data in with_fault(words):
            self._we.value = 1
            self._addr.value = address
            self._data.value = data
            if self._bank is not None and bank is not None:
                self._bank.value = bank
            await self._edge
        self._go_idle()

    def _go_idle(self) -> None:
        self._we.value = 0
        self._addr.value = unknown(len(self._addr), self._rng)
        self._data.value = unknown(len(self._data), self._rng)
        if self._bank is not None:
            self._bank.value = unknown(len(self._bank), self._rng)
