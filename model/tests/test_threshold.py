import numpy as np
import pytest
from qlc.threshold import threshold_scheme

from tests.test_optimum import HISTOGRAMS


def test_by_hand():
    # 2 % of 1000 is 20: zones of 1, 1, 3 (rounded to 4) and 1 rank, then the rest.
    counts = np.array([500, 20, 19, 0, 1, 0, 400, *[1] * 60, *[0] * 189])
    assert counts.sum() == 1000
    assert threshold_scheme(counts, 2).extra_bits == (0, 0, 2, 8)
    # After these 7 ranks two zones of 20 ranks, rounded to 32; the 185 ranks left hold nothing.
    assert threshold_scheme(counts, 3).extra_bits == (0, 0, 2, 0, 5, 5, 8, 0)


def test_an_even_histogram():
    # 2 % is 5.12 ranks, so 6, rounded to 8: 7 zones, and 200 ranks left.
    assert threshold_scheme(HISTOGRAMS["even"]).extra_bits == (3,) * 7 + (8,)


def test_a_larger_share():
    assert threshold_scheme(HISTOGRAMS["even"], share=1 / 8).extra_bits == (5,) * 8


@pytest.mark.parametrize("counts", HISTOGRAMS.values(), ids=HISTOGRAMS)
@pytest.mark.parametrize("prefix_bits", [1, 2, 3, 4])
def test_always_a_valid_scheme_whose_closed_zones_hold_the_share(counts, prefix_bits):
    scheme = threshold_scheme(counts, prefix_bits)
    held = [counts[base : base + size].sum() for base, size in zip(scheme.base, scheme.size, strict=True)]
    used = int((scheme.size > 0).sum())
    assert all(h >= 0.02 * counts.sum() for h in held[: used - 1])
