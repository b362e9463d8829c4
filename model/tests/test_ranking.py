import ml_dtypes
import numpy as np
import pytest
from qlc.ranking import KNOWN_DTYPES, MANTISSA_BITS, SPECIAL_SYMBOLS, rank_by_magnitude, rank_symbols


@pytest.mark.parametrize("dtype", [d for d in KNOWN_DTYPES if d != "uint8"])
def test_special_symbols_are_those_of_ml_dtypes(dtype) -> None:
    values = np.arange(256, dtype=np.uint8).view(getattr(ml_dtypes, dtype)).astype(np.float32)
    assert KNOWN_DTYPES[dtype] == tuple(np.flatnonzero(~np.isfinite(values)).tolist())


@pytest.mark.parametrize("dtype", KNOWN_DTYPES)
@pytest.mark.parametrize("high", [1, 3, 1000])
def test_order_is_the_plain_sort(dtype, high) -> None:
    counts = np.random.default_rng(high).integers(0, high, size=256)
    special = KNOWN_DTYPES[dtype]
    plain = sorted(set(range(256)) - set(special), key=lambda symbol: (-counts[symbol], symbol))
    assert rank_symbols(counts, dtype).tolist() == [*plain, *special]


def test_special_values_are_last_however_frequent() -> None:
    counts = np.zeros(256, dtype=np.int64)
    counts[[0xFF, 0x10]] = 10**9, 1
    ranking = rank_symbols(counts, "float8_e4m3fn")
    assert ranking[0] == 0x10
    assert ranking[-2:].tolist() == [0x7F, 0xFF]


@pytest.mark.parametrize("dtype", [d for d in KNOWN_DTYPES if d != "uint8"])
def test_mantissa_bits_are_those_of_ml_dtypes(dtype) -> None:
    assert MANTISSA_BITS[dtype] == ml_dtypes.finfo(getattr(ml_dtypes, dtype)).nmant


def test_hardware_numbers_the_first_seven() -> None:
    assert list(KNOWN_DTYPES)[:7] == list(SPECIAL_SYMBOLS)


def test_every_dtype_has_mantissa_bits() -> None:
    assert list(MANTISSA_BITS) == list(KNOWN_DTYPES)
    assert MANTISSA_BITS["uint8"] == 0


@pytest.mark.parametrize("dtype", KNOWN_DTYPES)
@pytest.mark.parametrize("raw_bits", [1, 2, 3])
@pytest.mark.parametrize("high", [1, 3, 1000])
def test_classes_by_the_plain_sort(dtype, raw_bits, high) -> None:
    counts = np.random.default_rng(high).integers(0, high, size=256)
    size = 1 << raw_bits
    sums = {c: sum(counts[c * size : c * size + size].tolist()) for c in range(256 // size)}
    plain = sorted(sums, key=lambda c: (-sums[c], c))
    expected = [c * size + low for c in plain for low in range(size)]
    assert rank_symbols(counts, dtype, raw_bits).tolist() == expected


@pytest.mark.parametrize("raw_bits", [-1, 4])
def test_raw_bits_out_of_range(raw_bits) -> None:
    with pytest.raises(ValueError, match=f"^raw_bits {raw_bits}: must be 0 to 3$"):
        rank_symbols(np.zeros(256, dtype=int), "uint8", raw_bits)


def test_counts_are_left_alone() -> None:
    counts = np.arange(256)
    rank_symbols(counts, "float8_e4m3fn")
    assert counts.tolist() == list(range(256))


def test_unknown_dtype() -> None:
    with pytest.raises(ValueError, match=r"^dtype 'e4m3': must be one of float8_e4m3fn, "):
        rank_symbols(np.zeros(256, dtype=int), "e4m3")


@pytest.mark.parametrize("counts", [np.zeros(255, int), np.zeros((2, 128), int), np.zeros(256), [-1] * 256])
def test_counts_must_be_256_integers(counts) -> None:
    with pytest.raises(ValueError, match=r"^counts must be 256 integers of at least 0$"):
        rank_symbols(counts, "uint8")


FOLDED = ("float8_e4m3fn", "float8_e4m3", "float8_e5m2", "float8_e3m4")


@pytest.mark.parametrize("dtype", FOLDED)
@pytest.mark.parametrize("high", [1, 3, 1000])
def test_magnitudes_are_ranked_with_both_signs(dtype, high) -> None:
    counts = np.random.default_rng(high).integers(0, high, size=256)
    special = KNOWN_DTYPES[dtype]
    both = {m: counts[m] + counts[m | 0x80] for m in range(128)}
    plain = sorted(set(range(128)) - set(special), key=lambda m: (-both[m], m))
    magnitudes = [*plain, *(m for m in special if m < 128)]
    expected = [m | sign for m in magnitudes for sign in (0, 0x80)]
    assert rank_by_magnitude(counts, dtype).tolist() == expected


def test_special_magnitudes_are_last_however_frequent() -> None:
    counts = np.zeros(256, dtype=np.int64)
    counts[[0xFF, 0x90]] = 10**9, 1
    ranking = rank_by_magnitude(counts, "float8_e4m3fn")
    assert ranking[:2].tolist() == [0x10, 0x90]
    assert ranking[-2:].tolist() == [0x7F, 0xFF]


@pytest.mark.parametrize("dtype", sorted(set(KNOWN_DTYPES) - set(FOLDED)))
def test_symbols_without_signs_are_refused(dtype) -> None:
    with pytest.raises(ValueError, match=rf"^dtype '{dtype}': its symbols are not pairs"):
        rank_by_magnitude(np.zeros(256, dtype=int), dtype)
