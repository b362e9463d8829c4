"""The scoreboard of the tops: which register writes a packet met, and what the counters then hold."""

from __future__ import annotations

import logging
from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest
from qlc_tb.packet import Expected
from qlc_tb.scoreboard import ScoreboardError
from qlc_tb.top import Choice, OneOf, VersionScoreboard

LOG = logging.getLogger(__name__)


@pytest.fixture
def scoreboard(monkeypatch: pytest.MonkeyPatch) -> VersionScoreboard:
    """One without a monitor."""
    monkeypatch.setattr("qlc_tb.scoreboard.PacketScoreboard.__init__", lambda self, *_: None)
    nothing: Any = SimpleNamespace()
    board = VersionScoreboard(nothing, nothing)
    board.compared = 0
    return board


def choice(version: int, data: bytes, **counts: int) -> Choice:
    """A packet of a version, and what it adds."""
    return Choice(version, Expected(data, 0), Counter(counts))


def send(board: VersionScoreboard, data: bytes, *choices: Choice) -> None:
    """A packet that was received, and what it may be."""
    got: Any = SimpleNamespace(data=data, user=0)
    board.compare(got, OneOf.of(list(choices)), LOG)


def possible(board: VersionScoreboard) -> list[dict[str, int]]:
    """The counts that hardware may show."""
    return [dict(counts) for _, counts in board.possible]


def test_counts_tell_equal_packets_apart(scoreboard: VersionScoreboard) -> None:
    send(scoreboard, b"a", choice(0, b"a", specials=1), choice(1, b"a", specials=2))
    assert possible(scoreboard) == [{"specials": 1}, {"specials": 2}]
    # A later packet of version 0: the first had it, too.
    send(scoreboard, b"b", choice(0, b"b", specials=1), choice(1, b"c", specials=2))
    assert possible(scoreboard) == [{"specials": 2}]


def test_no_way_back(scoreboard: VersionScoreboard) -> None:
    send(scoreboard, b"b", choice(0, b"a"), choice(1, b"b"))
    with pytest.raises(ScoreboardError, match="as before a register write"):
        send(scoreboard, b"a", choice(0, b"a"), choice(1, b"b"))


def test_no_choice_fits(scoreboard: VersionScoreboard) -> None:
    with pytest.raises(ScoreboardError, match="first difference at byte 0"):
        send(scoreboard, b"z", choice(0, b"a"), choice(1, b"b"))
