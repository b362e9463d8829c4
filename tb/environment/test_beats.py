"""What a harness has played and written: read back as it was, and refused where a stream may not be so."""

from __future__ import annotations

from pathlib import Path

import pytest
from qlc_tb.beats import Collected, read_beats, write_beats
from qlc_tb.packet import Packet, dense


def test_reads_what_it_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    packets = [b"", b"a", b"four", b"five5", bytes(range(11))]
    assert write_beats(Packet(dense(data, 4), user) for user, data in enumerate(packets)) == 8
    expected = [Collected(data, user, max(1, -(-len(data) // 4))) for user, data in enumerate(packets)]
    assert read_beats(4, "input.hex") == expected


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("1 0 f 00xx0000\n", "X in a valid beat"),
        ("x 0 f 00000000\n", "X in a valid beat"),
        ("1 x f 00000000\n", "X in a valid beat"),
        ("1 0 x 00000000\n", "X in a valid beat"),
        ("1 0 5 00010001\n", "tkeep is not contiguous"),
        ("1 0 3 00010001\n", "tdata is not 0"),
        ("0 0 3 00000001\n1 0 f 00000000\n", "not the last is not full"),
        ("0 0 f 00000001\n", "stopped inside a packet"),
        ("1 0 f 000000\n", "unknown format"),
    ],
)
def test_refuses(lines: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "output.hex"
    file.write_text(lines)
    with pytest.raises(AssertionError, match=message):
        read_beats(4, str(file))


def test_no_packet_at_all(tmp_path: Path) -> None:
    file = tmp_path / "output.hex"
    file.touch()
    assert read_beats(4, str(file)) == []
