"""Tests of the bit-serial decoder's rate; all else is tested as the decoder core is."""

from __future__ import annotations

import itertools

import numpy as np
from qlc_decoder_core.cocotb_qlc_decoder_core import DecoderBench
from qlc_tb import stimulus
from qlc_tb.bench import bench_test


@bench_test(DecoderBench)
async def bit_every_cycle(tb: DecoderBench) -> None:
    """A codeword of n bits takes n cycles, the first one more; one cycle more between packets."""
    lengths = []
    for kind in stimulus.KINDS.values():
        for count in (1, 20, 100):
            symbols = kind(tb.table, count, tb.rng)
            lengths.append(tb.table.lengths[symbols].astype(int))
            tb.send(symbols)
    received = await tb.drain()
    for number, packet in enumerate(received):
        expected = np.cumsum(lengths[number])
        # A last symbol waits for the bits behind it, which are there but at the end of a beat.
        start = tb.input.packets[number].cycles[0] + 1
        late = np.array(packet.cycles) - start - expected
        assert not late[:-1].any(), f"symbols late by {late}"
        assert late[-1] in (0, 1), f"last symbol late by {late[-1]}"
    for number, (a, b) in enumerate(itertools.pairwise(received)):
        pause = b.cycles[0] - a.cycles[-1] - int(lengths[number + 1][0])
        assert pause == 1, f"{pause} cycles without a bit between packets"
