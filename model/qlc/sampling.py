"""The sampled histogram: which symbols the hardware counts while packets pass, and the counts.

One lane is looked at in every beat, lane 0 in the first; each next beat's is one higher, and lane 0
follows the highest. The lane goes on from packet to packet. A beat without a byte in its lane gives no
sample, and the lane moves on all the same. A packet is counted as a whole or not at all.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from qlc.histogram import SYMBOLS, count_symbols

LANES = 32
COUNT_BITS = 32


def sample_beats(
    data: NDArray[np.uint8], keep: NDArray[np.bool_], lane: int = 0
) -> tuple[NDArray[np.uint8], int]:
    """Give the samples of beats, uint8[beats, lanes] with a flag per byte in use, and the next beat's lane.

    `lane` is that of the first beat.
    """
    beats, lanes = data.shape
    looked_at = (lane + np.arange(beats)) % lanes
    kept = keep[np.arange(beats), looked_at]
    return data[np.flatnonzero(kept), looked_at[kept]], (lane + beats) % lanes


def sample_packet(
    symbols: NDArray[np.uint8], lane: int = 0, lanes: int = LANES
) -> tuple[NDArray[np.uint8], int]:
    """Give the samples of a packet, uint8[n], and the next packet's lane.

    All its beats but the last are full; without symbols it is one empty beat.
    """
    beats = max(1, -(-len(symbols) // lanes))
    places = np.arange(beats) * lanes + (lane + np.arange(beats)) % lanes
    return symbols[places[places < len(symbols)]], (lane + beats) % lanes


class SampledHistogram:
    """The histogram as the hardware holds it: fed with whole packets, in order, since a clear.

    With `freeze_packets` above 0 it ignores all packets after as many. A count stays at the largest
    value of its `count_bits`.
    """

    def __init__(self, lanes: int = LANES, freeze_packets: int = 0, count_bits: int = COUNT_BITS) -> None:
        """Begin with no counts. `lanes` are the symbols of a beat."""
        self.lanes = lanes
        self.freeze_packets = freeze_packets
        self.largest = (1 << count_bits) - 1
        self.counts: NDArray[np.int64] = np.zeros(SYMBOLS, dtype=np.int64)
        self.samples = 0
        self.packets = 0
        self.frozen = False
        self.lane = 0

    def clear(self) -> None:
        """Set everything to 0, the lane too."""
        self.counts = np.zeros(SYMBOLS, dtype=np.int64)
        self.samples = self.packets = self.lane = 0
        self.frozen = False

    def packet(self, symbols: NDArray[np.uint8]) -> None:
        """Take a packet of symbols, uint8[n]."""
        if not self.frozen:
            self._take(*sample_packet(symbols, self.lane, self.lanes))

    def stream(self, packets: Iterable[NDArray[np.uint8]]) -> None:
        """Take packets of symbols."""
        for symbols in packets:
            self.packet(symbols)

    def beats(self, data: NDArray[np.uint8], keep: NDArray[np.bool_]) -> None:
        """Take a packet as beats, uint8[beats, lanes], with a flag per byte in use."""
        if not self.frozen:
            self._take(*sample_beats(data, keep, self.lane))

    def _take(self, samples: NDArray[np.uint8], lane: int) -> None:
        self.counts = np.minimum(self.counts + count_symbols(samples), self.largest)
        self.samples += len(samples)
        self.lane = lane
        self.packets = min(self.packets + 1, (1 << 32) - 1)
        self.frozen = 0 < self.freeze_packets <= self.packets
