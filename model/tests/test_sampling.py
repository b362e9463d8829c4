import numpy as np
import pytest
from qlc.sampling import SampledHistogram, sample_beats, sample_packet

RNG = np.random.default_rng(7)


def one_by_one(packets, lanes, freeze_packets=0, count_bits=32):
    """The rule, beat by beat: counts, samples, packets, frozen."""
    counts = [0] * 256
    samples = counted = lane = 0
    frozen = False
    for packet in packets:
        if frozen:
            continue
        for start in range(0, max(len(packet), 1), lanes):
            beat = packet[start : start + lanes]
            if lane < len(beat):
                counts[beat[lane]] = min(counts[beat[lane]] + 1, 2**count_bits - 1)
                samples += 1
            lane = (lane + 1) % lanes
        counted += 1
        frozen = counted == freeze_packets
    return counts, samples, counted, frozen


@pytest.mark.parametrize("lanes", [1, 4, 5, 32])
@pytest.mark.parametrize(("freeze_packets", "count_bits"), [(0, 32), (20, 32), (0, 2), (1, 1)])
def test_as_one_by_one(lanes, freeze_packets, count_bits) -> None:
    packets = [RNG.integers(0, 16, RNG.integers(0, 200)).astype(np.uint8) for _ in range(60)]
    histogram = SampledHistogram(lanes, freeze_packets, count_bits)
    histogram.stream(packets)
    got = list(histogram.counts), histogram.samples, histogram.packets, histogram.frozen
    assert got == one_by_one(packets, lanes, freeze_packets, count_bits)


def test_lanes_rotate() -> None:
    symbols = np.arange(256, dtype=np.uint8)
    samples, lane = sample_packet(symbols, lane=30)
    assert list(samples) == [30, 32 + 31, 64 + 0, 96 + 1, 128 + 2, 160 + 3, 192 + 4, 224 + 5]
    assert lane == 6


@pytest.mark.parametrize("length", [0, 1, 31, 32, 33, 64, 100])
def test_beats_as_packet(length) -> None:
    symbols = RNG.integers(0, 256, length).astype(np.uint8)
    beats = max(1, -(-length // 32))
    data = np.zeros(beats * 32, dtype=np.uint8)
    data[:length] = symbols
    keep = np.arange(beats * 32) < length
    for lane in range(32):
        of_beats = sample_beats(data.reshape(-1, 32), keep.reshape(-1, 32), lane)
        of_packet = sample_packet(symbols, lane)
        np.testing.assert_array_equal(of_beats[0], of_packet[0])
        assert of_beats[1] == of_packet[1]


def test_byte_that_is_not_kept() -> None:
    data = np.array([[1, 2], [3, 4], [5, 6]], dtype=np.uint8)
    keep = np.array([[False, True], [True, True], [True, False]])
    histogram = SampledHistogram(lanes=2)
    histogram.beats(data, keep)
    assert list(np.flatnonzero(histogram.counts)) == [4, 5]
    assert (histogram.samples, histogram.packets, histogram.lane) == (2, 1, 1)


def test_clear() -> None:
    histogram = SampledHistogram(lanes=4, freeze_packets=2)
    packets = [np.arange(11, dtype=np.uint8)] * 3
    histogram.stream(packets)
    assert histogram.frozen
    before = histogram.counts
    histogram.clear()
    assert (histogram.counts.sum(), histogram.samples, histogram.packets) == (0, 0, 0)
    histogram.stream(packets)
    np.testing.assert_array_equal(histogram.counts, before)


def test_sample_tells_the_whole() -> None:
    """Of a long stream, the sample's shares are close to the stream's."""
    symbols = RNG.geometric(0.1, 32 * 40_000).clip(max=255).astype(np.uint8)
    histogram = SampledHistogram()
    histogram.stream(np.split(symbols, 400))
    assert histogram.samples == 40_000
    whole = np.bincount(symbols, minlength=256) / len(symbols)
    assert abs(histogram.counts / histogram.samples - whole).max() < 0.01
