import json
import re
import shlex
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest
from qlc.cli import main
from qlc.code import PRESETS
from qlc.histogram import count_symbols
from qlc.optimum import best_areas, best_huffman, best_quad
from qlc.ranking import rank_symbols
from qlc.table_files import read_table
from safetensors import serialize

RNG = np.random.default_rng(8)
SYMBOLS = np.minimum(RNG.exponential(12, size=9000), 255).astype(np.uint8)
COUNTS = count_symbols(SYMBOLS)
BY_RANK = COUNTS[rank_symbols(COUNTS, "uint8")]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Run a command line in an empty directory with inputs: its exit status and what it said on stderr."""
    monkeypatch.chdir(tmp_path)
    np.save("up.npy", SYMBOLS)
    (tmp_path / "plain.bin").write_bytes(SYMBOLS.tobytes())
    (tmp_path / "nothing.bin").write_bytes(b"")
    data = SYMBOLS.tobytes()
    entries = [
        ("a/up", "float8_e4m3fn", data, 9000),
        ("a/down", "uint8", data[::-1], 9000),
        ("a/f", "float16", data, 4500),
    ]
    (tmp_path / "model.safetensors").write_bytes(
        serialize({name: {"dtype": d, "shape": [n], "data": x} for name, d, x, n in entries})
    )

    def run(line):
        try:
            status = main(shlex.split(line))
        except SystemExit as stop:
            status = stop.code
        return status, capsys.readouterr().err

    return run


def listing(tmp_path: Path):
    return sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*"))


def test_calibrate_writes_a_table_a_tensor(run, tmp_path: Path) -> None:
    status, said = run("calibrate up.npy plain.bin model.safetensors --out new/tables --id 7")
    assert status == 0
    assert said == "qlc: model.safetensors: a/f: passed over: dtype F16 is not an 8-bit float or U8\n"
    out = tmp_path / "new" / "tables"
    tables = [read_table(out / f"{name}.json") for name in ("up", "plain", "a_down", "a_up")]
    assert [(t.name, t.dtype, t.table_id, t.symbols_counted) for t in tables] == [
        ("up", "uint8", 7, 9000),
        ("plain", "uint8", 8, 9000),
        ("a_down", "uint8", 9, 9000),
        ("a_up", "float8_e4m3fn", 10, 9000),
    ]
    assert len(list(out.iterdir())) == 20


@pytest.mark.parametrize(
    ("option", "code"),
    [
        *((f"--scheme {name}", str(code)) for name, code in PRESETS.items()),
        ("--scheme 2:3,4,5,8", "5x8,6x16,7x32,10"),
        ("--scheme 6x40,7x16,8x32,11", "6x40,7x16,8x32,11"),
        ("--scheme 7x1,8x253,9", "7x1,8x253,9"),
        ("--raw-bits 3 --scheme 4x8,6x16,8x32,11", "4x8,6x16,8x32,11"),
        ("", str(best_quad(BY_RANK))),
        ("--scheme auto", str(best_quad(BY_RANK))),
        ("--scheme huffman", str(best_huffman(BY_RANK))),
        ("--scheme huffman --shortest 4 --longest 9", str(best_huffman(BY_RANK, 0, 4, 9))),
        ("--shortest 5 --longest 10", str(best_quad(BY_RANK, 0, 5, 10))),
        ("--scheme area8", str(best_areas(BY_RANK, 3))),
        ("--scheme area16", str(best_areas(BY_RANK, 4))),
    ],
)
def test_calibrate_scheme(run, tmp_path: Path, option, code) -> None:
    assert run(f"calibrate up.npy --out . {option}") == (0, "")
    assert str(read_table(tmp_path / "up.json").code) == code


@pytest.mark.parametrize("raw_bits", range(4))
@pytest.mark.parametrize(("scheme", "find"), [("auto", best_quad), ("huffman", best_huffman)])
def test_calibrate_raw_bits(run, tmp_path: Path, raw_bits, scheme, find) -> None:
    assert run(f"calibrate up.npy --out . --scheme {scheme} --raw-bits {raw_bits} --longest 11") == (0, "")
    table = read_table(tmp_path / "up.json")
    ranking = rank_symbols(COUNTS, "uint8", raw_bits)
    assert table.raw_bits == raw_bits
    assert table.code == find(COUNTS[ranking], raw_bits, 1, 11)
    assert np.array_equal(table.rank_to_symbol, ranking)
    assert len((tmp_path / "up.rank.hex").read_text().split()) == 256 >> raw_bits
    assert run("encode up.npy packet --table up.json") == (0, "")
    assert run("decode packet out --table up.json") == (0, "")
    assert (tmp_path / "out").read_bytes() == SYMBOLS.tobytes()


def test_calibrate_one_tensor(run, tmp_path: Path) -> None:
    assert run("calibrate model.safetensors up.npy --out . --tensor a/up --id 4")[0] == 0
    assert sorted(path.name for path in tmp_path.glob("*.json")) == ["a_up.json"]
    assert read_table(tmp_path / "a_up.json").table_id == 4


def test_calibrate_dtype(run, tmp_path: Path) -> None:
    assert run("calibrate plain.bin --out . --dtype float8_e5m2fnuz") == (0, "")
    assert read_table(tmp_path / "plain.json").rank_to_symbol[255] == 0x80


def test_calibrate_passes_over_empty_tensors(run, tmp_path: Path) -> None:
    status, said = run("calibrate nothing.bin up.npy --out . --id 5")
    assert (status, said) == (0, "qlc: nothing.bin: nothing: passed over: no symbols\n")
    assert not list(tmp_path.glob("nothing.*.hex"))
    assert read_table(tmp_path / "up.json").table_id == 5


def test_calibrate_fails_where_all_tensors_are_empty(run, tmp_path: Path) -> None:
    status, said = run("calibrate nothing.bin --out new")
    assert status == 1
    assert said.splitlines() == [
        "qlc: nothing.bin: nothing: passed over: no symbols",
        "qlc: nothing.bin: no symbols to calibrate on",
    ]
    assert not (tmp_path / "new").exists()


def test_calibrate_has_32_ids(run, tmp_path: Path) -> None:
    for i in range(32):
        (tmp_path / f"t{i}.bin").write_bytes(b"abc")
    files = " ".join(f"t{i}.bin" for i in range(32)) + " --scheme table1"
    assert run(f"calibrate {files} --out .") == (0, "")
    assert [read_table(tmp_path / f"t{i}.json").table_id for i in range(32)] == list(range(32))
    before = listing(tmp_path)
    said = "table id 32: ids end at 31; share tables with --tables N, or choose with --tensor"
    assert run(f"calibrate up.npy {files} --out new") == (1, f"qlc: t31.bin: t31: {said}\n")
    assert run("calibrate t0.bin t1.bin --out new --id 31") == (1, f"qlc: t1.bin: t1: {said}\n")
    assert listing(tmp_path) == before


@pytest.mark.parametrize("options", ["", "--block 100", "--min-packet 0 --min-saving 9"])
@pytest.mark.parametrize("source", ["up.npy", "plain.bin", "model.safetensors --tensor a/up"])
def test_encode_and_decode(run, tmp_path: Path, source, options) -> None:
    run("calibrate up.npy --out . --id 3")
    assert run(f"encode {source} packet --table up.json {options}") == (0, "")
    assert 5000 < (tmp_path / "packet").stat().st_size < 8000
    assert run("decode packet out --table up.json") == (0, "")
    assert (tmp_path / "out").read_bytes() == SYMBOLS.tobytes()


def test_encode_options_reach_the_blocks(run, tmp_path: Path) -> None:
    run("calibrate up.npy --out . --id 3")
    run("encode up.npy packet --table up.json --block 100")
    packet = (tmp_path / "packet").read_bytes()
    assert packet[:3].hex() == "c30630"  # coded, CRC, table 3, 100 symbols
    assert packet[4:8] == zlib.crc32(SYMBOLS[:100].tobytes()).to_bytes(4, "big")
    run("encode up.npy packet --table up.json --min-packet 9001 --block 4096 --no-crc")
    assert (tmp_path / "packet").read_bytes()[:1].hex() == "83"  # 9000 symbols are more than a block
    run("encode up.npy packet --table up.json --min-saving 4000 --no-crc")
    assert (tmp_path / "packet").read_bytes()[:8].hex() == "00ffffff" + SYMBOLS[:4].tobytes().hex()


def test_a_packet_without_crc_is_decoded_where_allowed_only(run, tmp_path: Path) -> None:
    run("calibrate up.npy --out .")
    assert run("encode up.npy packet --table up.json --no-crc") == (0, "")
    said = "qlc: packet: block 0 at byte 0: no-crc after 0 symbols\n"
    assert run("decode packet out --table up.json") == (1, said)
    assert not (tmp_path / "out").exists()
    assert run("decode packet out --table up.json --allow-no-crc") == (0, "")
    assert (tmp_path / "out").read_bytes() == SYMBOLS.tobytes()


def test_the_wrong_table_of_an_id_is_an_error(run, tmp_path: Path) -> None:
    run("calibrate up.npy --out . --scheme table1")
    (tmp_path / "other.bin").write_bytes(RNG.permutation(256).astype(np.uint8).tobytes() * 3)
    run("calibrate other.bin --out . --scheme table1")
    run("encode up.npy packet --table up.json")
    status, said = run("decode packet out --table other.json")
    assert status == 1
    assert re.fullmatch(r"qlc: packet: block 0 at byte 0: [a-z-]+ after \d+ symbols\n", said)
    assert not (tmp_path / "out").exists()


def test_decode_finds_the_table_by_its_id(run, tmp_path: Path) -> None:
    run("calibrate up.npy model.safetensors --out .")
    run("encode model.safetensors packet --tensor a/down --table a_down.json")
    assert run("decode packet out --table up.json --table a_down.json --table a_up.json") == (0, "")
    assert (tmp_path / "out").read_bytes() == SYMBOLS.tobytes()[::-1]


def test_an_empty_file_encodes_to_an_empty_packet(run, tmp_path: Path) -> None:
    run("calibrate up.npy --out .")
    assert run("encode nothing.bin packet --table up.json") == (0, "")
    assert run("decode packet out --table up.json") == (0, "")
    assert (tmp_path / "packet").read_bytes() == (tmp_path / "out").read_bytes() == b""


def test_analyze(run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["analyze", "up.npy", "model.safetensors", "--json", "figures.json", "--html", "page.html"])
    text = capsys.readouterr().out
    assert [line.split("  ")[0] for line in text.splitlines()[2:]] == [
        "tensor",
        "up.npy: up",
        "model.safetensors: a/down",
        "model.safetensors: a/up",
        "total",
    ]
    tensors = json.loads((tmp_path / "figures.json").read_text())["tensors"]
    assert [(t["file"], t["name"]) for t in tensors] == [
        ("up.npy", "up"),
        ("model.safetensors", "a/down"),
        ("model.safetensors", "a/up"),
    ]
    assert [t["raw_bits"] for t in tensors] == [0, 0, 3]
    assert (tmp_path / "page.html").read_text().count("<tr>") == 5


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("calibrate no.npy --out new", "no.npy: No such file or directory"),
        ("calibrate up.npy --out plain.bin", "plain.bin: File exists"),
        ("encode no.npy new --table up.json", "no.npy: No such file or directory"),
        ("encode up.npy new --table no.json", "no.json: No such file or directory"),
        ("encode up.npy new --table up.npy", "up.npy: must be a table's .json file"),
        ("encode up.npy new --table up.json --tensor x", "up.npy: x: no such 8-bit tensor; it holds up"),
        ("encode up.npy no/new --table up.json", "no/new: No such file or directory"),
        ("encode up.npy plain.bin/new --table up.json", "plain.bin/new: Not a directory"),
        ("encode up.npy up.npy --table up.json", "up.npy: is the input up.npy, which would be lost"),
        ("encode up.npy link --table up.json", "link: is the input up.npy, which would be lost"),
        ("encode up.npy up.json --table up.json", "up.json: is the input up.json, which would be lost"),
        ("encode up.npy /dev/full --table up.json", "/dev/full: No space left on device"),
        ("decode no new --table up.json", "no: No such file or directory"),
        ("decode plain.bin new --table no.json", "no.json: No such file or directory"),
        ("decode packet new --table up.json --table up.json", "up.json: table_id: 0 is also that of up.json"),
        ("decode other new --table up.json", "other: block 0 at byte 0: unknown-table after 0 symbols"),
        ("analyze no.npy --json new", "no.npy: No such file or directory"),
        ("analyze up.npy --json ./up.npy", "up.npy: is the input up.npy, which would be lost"),
        ("analyze plain.bin up.npy --json link", "link: is the input up.npy, which would be lost"),
        ("analyze up.npy --html up.npy", "up.npy: is the input up.npy, which would be lost"),
        ("analyze up.npy --json /dev/full", "/dev/full: No space left on device"),
        ("analyze up.npy --html /dev/full", "/dev/full: No space left on device"),
        (
            "calibrate up.npy --out new --raw-bits 3 --scheme table2",
            "up.npy: up: code 4x2,6x32,8x64,11: 2 codewords of 4 bits: "
            "with 3 raw bits it must be a multiple of 8",
        ),
        (
            "calibrate up.npy --out new --longest 7",
            "up.npy: up: no quad code of 1 to 7 bits has 256 codewords",
        ),
        ("analyze up.npy --json no/new", "no/new: No such file or directory"),
    ],
)
def test_bad_data_is_one_line_and_leaves_no_output(run, tmp_path: Path, line, said) -> None:
    run("calibrate up.npy --out .")
    run("encode up.npy packet --table up.json")
    packet = (tmp_path / "packet").read_bytes()
    (tmp_path / "other").write_bytes(bytes([packet[0] ^ 1]) + packet[1:])
    (tmp_path / "link").symlink_to("up.npy")
    before = listing(tmp_path)
    assert run(line) == (1, f"qlc: {said}\n")
    assert listing(tmp_path) == before


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("", "2 tensors: choose one with --tensor; it holds a/down, a/up"),
        ("--tensor b", "b: no such 8-bit tensor; it holds a/down, a/up"),
        ("--tensor a/f", "a/f: no such 8-bit tensor; it holds a/down, a/up"),
    ],
)
def test_several_tensors(run, tmp_path: Path, option, said) -> None:
    run("calibrate up.npy --out .")
    line = f"encode model.safetensors new --table up.json {option}"
    assert run(line) == (1, f"qlc: model.safetensors: {said}\n")
    assert not (tmp_path / "new").exists()


def test_a_cut_packet_names_the_block(run, tmp_path: Path) -> None:
    run("calibrate up.npy --out .")
    run("encode up.npy packet --table up.json")
    (tmp_path / "packet").write_bytes((tmp_path / "packet").read_bytes()[:-1])
    status, said = run("decode packet new --table up.json")
    assert status == 1
    assert re.fullmatch(r"qlc: packet: block 2 at byte \d{4}: truncated after 8\d{3} symbols\n", said)
    assert not (tmp_path / "new").exists()


def test_an_error_leaves_the_old_output_alone(run, tmp_path: Path) -> None:
    run("calibrate up.npy --out .")
    (tmp_path / "out").write_bytes(b"old")
    assert run("decode plain.bin out --table up.json")[0] == 1
    assert (tmp_path / "out").read_bytes() == b"old"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("", "the following arguments are required: COMMAND"),
        ("compress", "argument COMMAND: invalid choice: 'compress'"),
        ("calibrate up.npy", "the following arguments are required: --out"),
        ("calibrate --out new", "the following arguments are required: IN"),
        ("calibrate up.npy --out new --id 32", "argument --id: '32': must be 0 to 31"),
        ("calibrate up.npy --out new --tables 0", "argument --tables: '0': must be 1 to 32"),
        ("calibrate up.npy --out new --tables 33", "argument --tables: '33': must be 1 to 32"),
        ("calibrate up.npy --out new --id 30 --tables 3", "--id 30 --tables 3: ids end at 31"),
        ("analyze up.npy --json f --csv ./f", "--json and --csv: f cannot be both"),
        ("analyze up.npy --csv - --html -", "--csv and --html: - cannot be both"),
        ("calibrate up.npy --out new --dtype e4m3", "argument --dtype: invalid choice: 'e4m3'"),
        ("calibrate up.npy --out new --scheme table3", "argument --scheme: code 'table3': must be "),
        ("calibrate up.npy --out new --scheme 1:3,7", "argument --scheme: code '1:3,7': the areas "),
        (
            "calibrate up.npy --out new --scheme 2:7,6,5,5",
            "argument --scheme: code '2:7,6,5,5': a later area ",
        ),
        ("calibrate up.npy --out new --scheme 6x40,11x9", "argument --scheme: code '6x40,11x9': must be "),
        ("calibrate up.npy --out new --scheme 6x40,7", "argument --scheme: code '6x40,7': 88 codewords: "),
        ("calibrate up.npy --out new --raw-bits 4", "argument --raw-bits: '4': must be 0 to 3"),
        ("calibrate up.npy --out new --shortest 0", "argument --shortest: '0': must be 1 to 12"),
        ("calibrate up.npy --out new --longest 13", "argument --longest: '13': must be 1 to 12"),
        (
            "calibrate up.npy --out new --shortest 9 --longest 8",
            "--shortest 9: must not be above --longest 8",
        ),
        ("encode up.npy new", "the following arguments are required: --table"),
        ("encode up.npy new --table t --block 31", "argument --block: '31': must be 32 to 4096"),
        ("encode up.npy new --table t --block 4097", "argument --block: '4097': must be 32 to 4096"),
        ("encode up.npy new --table t --min-saving 0", "argument --min-saving: '0': must be at least 1"),
        ("encode up.npy new --table t --min-packet x", "argument --min-packet: 'x': must be at least 0"),
        ("decode packet", "the following arguments are required: OUT, --table"),
        ("analyze", "the following arguments are required: IN"),
        ("calibrate up.npy --out new --ids 3", "unrecognized arguments: --ids 3"),
        ("encode up.npy new --table t --fast", "unrecognized arguments: --fast"),
        ("decode packet new more --table t", "unrecognized arguments: more"),
        ("analyze up.npy -q", "unrecognized arguments: -q"),
        ("calibrate up.npy --out ''", "argument --out: must not be empty"),
        ("encode up.npy '' --table t", "argument OUT: must not be empty"),
        ("decode packet '' --table t", "argument OUT: must not be empty"),
        ("analyze up.npy --json ''", "argument --json: must not be empty"),
        ("analyze up.npy --html ''", "argument --html: must not be empty"),
        ("encode up.npy new --table t --crc", "unrecognized arguments: --crc"),
    ],
)
def test_wrong_usage_is_one_line_and_status_2(run, tmp_path: Path, line, said) -> None:
    before = listing(tmp_path)
    status, found = run(line)
    assert status == 2
    command = f"qlc {line.split()[0]}" if line not in ("", "compress") else "qlc"
    assert found.startswith(f"{command}: {said}")
    assert found.endswith(f" (see {command} --help)\n")
    assert found.count("\n") == 1
    assert listing(tmp_path) == before


def test_as_a_program(run, tmp_path: Path) -> None:
    def program(*arguments):
        return subprocess.run([sys.executable, "-m", "qlc", *arguments], capture_output=True, text=True)

    assert program("calibrate", "up.npy", "--out", ".").returncode == 0
    assert program("encode", "up.npy", "packet", "--table", "up.json").returncode == 0
    done = program("decode", "packet", "/dev/stdout", "--table", "up.json")
    assert (done.returncode, done.stderr) == (0, "")
    failed = program("decode", "up.npy", "out", "--table", "up.json")
    assert (failed.returncode, failed.stdout) == (1, "")
    assert failed.stderr.startswith("qlc: up.npy: block 0 at byte 0: ")
    assert failed.stderr.count("\n") == 1
    assert program("decode").returncode == 2
    assert "calibrate" in program("--help").stdout
