"""A small bench that is right for a right DUT, and benches that must fail whatever the DUT."""

from __future__ import annotations

from qlc_tb.bench import Bench, bench_test
from qlc_tb.packet import Expected, Packet, dense


def _send(tb: Bench, count: int) -> None:
    data = tb.rng.randbytes(count)
    tb.source.put(Packet(dense(data, tb.source.width)))
    tb.scoreboard.expect(Expected(data))


@bench_test(Bench)
async def stream(tb: Bench) -> None:
    """Packets through, with stalls."""
    tb.stall("scattered", "scattered")
    for count in range(1, 30):
        _send(tb, count)


@bench_test(Bench)
async def fails(tb: Bench) -> None:
    """A test that fails."""
    _send(tb, 1)
    raise AssertionError("on purpose")


@bench_test(Bench)
async def compares_nothing(tb: Bench) -> None:
    """A test that compares nothing."""


@bench_test(Bench)
async def expects_too_much(tb: Bench) -> None:
    """A test that ends with a packet expected that was never sent."""
    _send(tb, 1)
    tb.scoreboard.expect(Expected(b"never sent"))


@bench_test(Bench)
async def expects_too_little(tb: Bench) -> None:
    """A test that sends a packet and expects none."""
    _send(tb, 1)
    tb.source.put(Packet(dense(b"not expected", tb.source.width)))
