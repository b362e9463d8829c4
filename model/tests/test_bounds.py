"""Which build holds which table."""

import dataclasses

import numpy as np
import pytest
from qlc.bounds import BUILDS, DEFAULT_BOUNDS, Bounds
from qlc.code import PRESETS, Code
from qlc.histogram import count_symbols
from qlc.table import calibrate

from tests.samples import identity_table, random_code, random_table


@pytest.mark.parametrize(
    ("text", "raw_bits", "bounds", "problem"),
    [
        ("table1", 0, Bounds(), None),
        ("table1", 0, Bounds(known_bits=3, shortest=6, longest=11), None),
        ("table1", 0, Bounds(lengths=3), "4 codeword lengths: this build takes at most 3"),
        ("table1", 0, Bounds(shortest=7), "codewords of 6 bits: this build takes 7 and more"),
        ("table1", 0, Bounds(longest=10), "codewords of 11 bits: this build takes 10 and fewer"),
        ("table1", 0, Bounds(raw_bits=1), "0 raw bits: this build takes 1 and more"),
        ("table1", 3, Bounds(raw_bits=3), None),
        ("table1", 2, Bounds(raw_bits=3), "2 raw bits: this build takes 3 and more"),
        ("quad16", 0, Bounds(known_bits=3), "limit 2304: this build takes multiples of 512"),
        ("7x1,8x253,9", 0, Bounds(), "limit 32: this build takes multiples of 64"),
        ("7x1,8x253,9", 0, Bounds(known_bits=7), "limit 4080: this build takes multiples of 32"),
        ("7x1,8x253,9", 0, Bounds(known_bits=8), None),
    ],
)
def test_problem(text, raw_bits, bounds, problem) -> None:
    found = bounds.problem(identity_table(Code.parse(text), raw_bits=raw_bits))
    assert found == (problem and f"table identity: {problem}")


def test_against_the_definition() -> None:
    rng = np.random.default_rng(1)
    held = 0
    for _ in range(400):
        raw_bits = int(rng.integers(0, 4))
        table = random_table(rng, random_code(rng, raw_bits), raw_bits=raw_bits)
        bounds = Bounds(
            int(rng.integers(1, 13)),
            int(rng.integers(3, 13)),
            int(rng.integers(1, 9)),
            int(rng.integers(8, 13)),
            int(rng.integers(0, 4)),
        )
        lengths = table.lengths
        unit = 4096 >> bounds.known_bits
        fits = (
            len(set(lengths.tolist())) <= bounds.lengths
            and all(limit % unit == 0 for limit in table.code.limits)
            and bounds.shortest <= lengths.min()
            and lengths.max() <= bounds.longest
            and bounds.raw_bits <= raw_bits
        )
        assert (bounds.problem(table) is None) == fits
        held += fits
    assert 10 < held < 390


@pytest.mark.parametrize(
    ("scheme", "raw_bits"),
    [
        *((s, 0) for s in ("auto", "area8", "area16", *PRESETS)),
        *(("auto", raw_bits) for raw_bits in (1, 2, 3)),
    ],
)
def test_the_default_build_holds_every_table_but_huffman_s(scheme, raw_bits) -> None:
    rng = np.random.default_rng(raw_bits)
    for scale in (1, 5, 30, 300):
        counts = count_symbols(np.minimum(rng.exponential(scale, size=3000), 255).astype(np.uint8))
        table = calibrate(counts, "float8_e4m3fn", scheme, "t", 0, raw_bits)
        assert DEFAULT_BOUNDS.problem(table) is None
        assert BUILDS["any"].problem(table) is None


@pytest.mark.parametrize(
    ("build", "scheme"), [("paper", "area8"), ("quad", "auto"), ("raw", "auto"), ("huffman", "huffman")]
)
def test_a_build_holds_the_best_codes_within_its_bounds(build, scheme) -> None:
    bounds = BUILDS[build]
    rng = np.random.default_rng(3)
    for scale in (1, 30, 300):
        counts = count_symbols(np.minimum(rng.exponential(scale, size=3000), 255).astype(np.uint8))
        found = calibrate(counts, "uint8", scheme, "t", 0, bounds.raw_bits, bounds.shortest, bounds.longest)
        assert bounds.problem(found) is None


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("lengths", (0, 13)),
        ("known_bits", (2, 13)),
        ("shortest", (0, 9)),
        ("longest", (7, 13)),
        ("raw_bits", (-1, 4)),
    ],
)
def test_ranges(field, values) -> None:
    for value in values:
        with pytest.raises(ValueError, match=f"^{field} {value}: must be "):
            dataclasses.replace(DEFAULT_BOUNDS, **{field: value})
