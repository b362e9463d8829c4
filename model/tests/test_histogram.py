import numpy as np
import pytest
from qlc.histogram import MAX_TOTAL, check_counts, count_symbols, entropy_bits, expected_bits


def test_count_symbols() -> None:
    counts = count_symbols(np.array([3, 255, 3, 0], dtype=np.uint8))
    assert counts.shape == (256,)
    assert {i: counts[i] for i in np.flatnonzero(counts)} == {0: 1, 3: 2, 255: 1}
    assert count_symbols(np.zeros(0, dtype=np.uint8)).sum() == 0


@pytest.mark.parametrize(
    ("counts", "bits"), [([7] * 256, 8), ([5, 0, 0], 0), ([1, 1, 2], 1.5), ([0, 3, 3], 1)]
)
def test_entropy(counts, bits) -> None:
    assert entropy_bits(np.array(counts)) == pytest.approx(bits)


def test_huge_counts_stay_exact() -> None:
    counts = np.array([MAX_TOTAL - 1, *[0] * 254, 1], dtype=np.uint64)
    assert check_counts(counts).tolist() == counts.tolist()
    assert expected_bits(check_counts(counts), np.full(256, 12)) == 12
    for more in (MAX_TOTAL, 2**63, 2**64 - 1):  # the last two are negative as signed integers
        counts[0] = more
        with pytest.raises(ValueError, match=f"^counts must be {MAX_TOTAL} at most in all$"):
            check_counts(counts)


def test_expected_bits() -> None:
    assert expected_bits(np.array([3, 1, 0]), np.array([1, 5, 9])) == 2
