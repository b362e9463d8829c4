"""No command needs more memory than one tensor and a few blocks."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from qlc.block import encode_block
from qlc.cli import main

MIB = 1 << 20
SMALL, LARGE = 24 * MIB, 256 * MIB
BLOCKS, CHUNKS = 5 * MIB, 14 * MIB
"""A few blocks; a chunk of symbols to count, as numpy's integers too."""
CODE = (
    "import sys; from qlc import cli; status = cli.main(sys.argv[1:])\n"
    "print(next(x for x in open('/proc/self/status') if x.startswith('VmHWM')), file=sys.stderr)\n"
    "sys.exit(status)"
)

pytestmark = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux's /proc")


def peak(folder, line):
    """The most memory that a command had, in bytes."""
    command = [sys.executable, "-c", CODE, *line.split()]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == ("--table m." in line), done.stderr
    return int(done.stderr.split()[-2]) * 1024


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory):
    """A file with a large tensor and small ones, and a packet of a small one."""
    folder = tmp_path_factory.mktemp("memory")
    symbols = np.minimum(np.random.default_rng(2).exponential(9, size=SMALL), 255).astype(np.uint8)
    sizes = {"a": LARGE, "b": SMALL, "c": SMALL}
    ends = np.cumsum([0, *sizes.values()]).tolist()
    entries = {
        name: {"dtype": "U8", "shape": [size], "data_offsets": ends[i : i + 2]}
        for i, (name, size) in enumerate(sizes.items())
    }
    header = json.dumps(entries).encode()
    with (folder / "m.safetensors").open("wb") as file:
        file.write(len(header).to_bytes(8, "little") + header)
        file.seek(LARGE, 1)  # a hole, which reads as zeros
        file.write(symbols.tobytes() * 2)
    (folder / "small.bin").write_bytes(symbols[:9000].tobytes())
    assert main(["calibrate", str(folder / "small.bin"), "--out", str(folder)]) == 0
    # Raw blocks: a coded packet of this size takes long to decode.
    with (folder / "packet").open("wb") as file:
        for at in range(0, SMALL, 4096):
            file.write(encode_block(symbols[at : at + 4096], None, 1, True, at + 4096 >= SMALL))
    return folder


@pytest.mark.parametrize(
    ("line", "allowed"),
    [
        ("calibrate m.safetensors --out t", CHUNKS),
        ("calibrate m.safetensors --out t --tables 2", CHUNKS),
        ("analyze m.safetensors", CHUNKS),
        ("encode m.safetensors out --tensor b --table small.json", SMALL + BLOCKS),
        ("decode packet out --table small.json", SMALL + BLOCKS),
        ("verify packet --table small.json", BLOCKS),
        ("info packet", BLOCKS),
        # A table that is none is not read either.
        ("decode packet out --table m.safetensors", BLOCKS),
    ],
)
def test_peak(folder, line, allowed) -> None:
    least = peak(folder, "info small.json")
    assert peak(folder, line) < least + allowed
