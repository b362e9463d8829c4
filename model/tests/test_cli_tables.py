"""`calibrate --tables N`, and its index of tables in the other commands."""

import json
from pathlib import Path

import numpy as np
import pytest
from qlc.cli import main
from qlc.table_files import read_table
from safetensors import serialize

RNG = np.random.default_rng(11)


def draw(scale, size=3000):
    return np.minimum(RNG.exponential(scale, size=size), 255).astype(np.uint8)


TENSORS = {f"l{i}": ("float8_e4m3fn", draw(4 + i % 4 * 10)) for i in range(40)}
TENSORS["scale"] = ("float8_e8m0fnu", draw(3, 200))
TENSORS["empty"] = ("uint8", draw(3, 0))


def save(path, tensors):
    entries = {n: {"dtype": d, "shape": [len(x)], "data": x.tobytes()} for n, (d, x) in tensors.items()}
    path.write_bytes(serialize(entries))


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("shared")
    save(folder / "m.safetensors", TENSORS)
    arguments = ["calibrate", str(folder / "m.safetensors"), "--out", str(folder / "t"), "--shortest", "4"]
    assert main([*arguments, "--tables", "5", "--id", "3"]) == 0
    return folder


@pytest.fixture
def folder(shared, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(shared)
    return shared


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_files(folder) -> None:
    names = [f"shared-0{i}" for i in range(3, 8)]
    tables = [read_table(folder / "t" / f"{name}.json") for name in names]
    assert [(t.name, t.table_id) for t in tables] == [(name, i + 3) for i, name in enumerate(names)]
    assert len(list((folder / "t").iterdir())) == 5 * 5 + 1


def test_index(folder) -> None:
    index = json.loads((folder / "t" / "tables.json").read_text())
    assert index["tables"] == [f"shared-0{i}.json" for i in range(3, 8)]
    assert [row["name"] for row in index["tensors"]] == sorted(TENSORS.keys() - {"empty"})
    groups = {}
    bits = {"own_bits": 0, "bits": 0}
    for row in index["tensors"]:
        dtype, symbols = TENSORS[row["name"]]
        table = read_table(folder / "t" / row["table"])
        assert (row["dtype"], row["symbols"], row["table_id"]) == (dtype, len(symbols), table.table_id)
        assert table.dtype == dtype
        assert row["bits"] == pytest.approx(table.lengths[symbols].mean(), abs=1e-6)
        assert row["lost"] == pytest.approx(100 * (row["bits"] - row["own_bits"]) / 8, abs=1e-4)
        assert row["lost"] > -1e-9
        groups.setdefault(row["table"], set()).add(int(row["name"][1:]) % 4 if dtype[-2] == "f" else dtype)
        for key in bits:
            bits[key] += row[key] * row["symbols"]
    assert all(len(kinds) == 1 for kinds in groups.values())
    symbols = sum(len(x) for _, x in TENSORS.values())
    assert index["total"]["symbols"] == symbols
    for key, value in bits.items():
        assert index["total"][key] == pytest.approx(value / symbols, abs=1e-5)


def test_one_tensor_s_own_table_is_what_the_loss_is_measured_by(folder) -> None:
    assert main(["calibrate", "m.safetensors", "--out", "own", "--tensor", "l7", "--shortest", "4"]) == 0
    rows = json.loads((folder / "t" / "tables.json").read_text())["tensors"]
    own = next(row["own_bits"] for row in rows if row["name"] == "l7")
    assert own == pytest.approx(read_table(folder / "own" / "l7.json").expected_bits, abs=1e-6)


def test_what_it_says(folder, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", "m.safetensors", "--out", "u", "--tables", "2", "--shortest", "4"]) == 0
    out, err = capsys.readouterr()
    head, *lines, last = out.splitlines()
    assert head.split() == ["tensor", "symbols", "table", "id", "own", "%", "shared", "%", "lost"]
    assert [line.split()[0] for line in lines] == sorted(TENSORS.keys() - {"empty"})
    rows = json.loads((folder / "u" / "tables.json").read_text())["tensors"]
    for line, row in zip(lines, rows, strict=True):
        own, shared = (f"{100 * (1 - row[key] / 8):.2f}" for key in ("own_bits", "bits"))
        *_, table, number, own_shown, shared_shown, lost = line.split()
        assert (table + ".json", int(number)) == (row["table"], row["table_id"])
        assert (own_shown, shared_shown) == (own, shared)
        assert float(lost) == pytest.approx(row["lost"], abs=0.001)
    assert last.split()[:2] == ["total", str(sum(len(x) for _, x in TENSORS.values()))]
    assert err == "qlc: m.safetensors: empty: passed over: no symbols\n"


def test_the_same_tensors_give_the_same_files(folder, tmp_path: Path) -> None:
    source = str(folder / "m.safetensors")
    arguments = ["calibrate", source, "--out", str(tmp_path), "--tables", "5", "--id", "3"]
    assert main([*arguments, "--shortest", "4"]) == 0
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == sorted(path.name for path in (folder / "t").iterdir())
    for name in names:
        assert (tmp_path / name).read_bytes() == (folder / "t" / name).read_bytes()


def test_more_tensors_than_ids_are_refused(folder, capsys: pytest.CaptureFixture[str]) -> None:
    before = contents(folder)
    assert main(["calibrate", "m.safetensors", "--out", "new"]) == 1
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.startswith(
        "qlc: m.safetensors: l38: table id 32: ids end at 31; share tables with --tables N"
    )
    assert contents(folder) == before


def test_fewer_tables_than_dtypes_are_refused(folder, capsys: pytest.CaptureFixture[str]) -> None:
    before = contents(folder)
    assert main(["calibrate", "m.safetensors", "--out", "new", "--tables", "1", "--scheme", "table1"]) == 1
    assert capsys.readouterr().err.splitlines()[-1] == (
        "qlc: --tables: 1 tables: tensors of 2 dtypes need 2 at least: float8_e4m3fn, float8_e8m0fnu"
    )
    assert contents(folder) == before


@pytest.mark.parametrize("name", ["l0", "l13", "scale"])
def test_there_and_back(folder, tmp_path: Path, capsys: pytest.CaptureFixture[str], name) -> None:
    packet, out = str(tmp_path / "packet"), tmp_path / "out"
    index = "t/tables.json"
    assert main(["encode", "m.safetensors", packet, "--tensor", name, "--table", index]) == 0
    assert main(["verify", packet, "--table", index]) == 0
    assert main(["decode", packet, str(out), "--table", index]) == 0
    assert out.read_bytes() == TENSORS[name][1].tobytes()
    assert main(["info", index]) == 0
    assert "t/tables.json: index of 5 tables for 41 tensors\n" in capsys.readouterr().out


def test_a_float_whose_header_does_not_tell_its_dtype(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    np.save("e3m4.npy", draw(9).view("V1"))
    dtype = ["--dtype", "float8_e3m4"]
    assert main(["calibrate", "e3m4.npy", "--out", "t", "--tables", "1", *dtype]) == 0
    capsys.readouterr()
    assert main(["encode", "e3m4.npy", "packet", "--table", "t/tables.json"]) == 0
    assert capsys.readouterr().err == ""


def test_tensors_of_one_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, scale in (("a", 4), ("b", 60)):
        (tmp_path / name).mkdir()
        np.save(f"{name}/up.npy", draw(scale))
        np.save(f"{name}-up.npy", np.load(f"{name}/up.npy"))
    (tmp_path / "b" / "up.bin").write_bytes(draw(9).tobytes())
    assert main(["calibrate", "a", "b", "--out", "t", "--tables", "2"]) == 0
    tables = [row["table_id"] for row in json.loads((tmp_path / "t" / "tables.json").read_text())["tensors"]]
    assert tables == [0, 1]
    capsys.readouterr()
    for name, table in (("a/up.npy", 0), ("b/up.npy", 1)):
        assert main(["encode", name, "packet", "--table", "t/tables.json"]) == 0
        assert (tmp_path / "packet").read_bytes()[0] & 31 == table
    assert main(["encode", "b/up.bin", "packet", "--table", "t/tables.json"]) == 1
    assert main(["encode", "b-up.npy", "packet", "--table", "t/tables.json"]) == 1
    assert capsys.readouterr().err.splitlines() == [
        "qlc: t/tables.json: up: there are several, of a/up.npy, b/up.npy: name the table itself",
        "qlc: t/tables.json: b-up: no such tensor in this index",
    ]


@pytest.mark.parametrize("output", ["t/tables.json", "t/shared-03.json", "t/shared-03.rank.hex"])
def test_nothing_that_an_index_leads_to_is_written_over(
    folder, capsys: pytest.CaptureFixture[str], output
) -> None:
    main(["encode", "m.safetensors", "packet", "--tensor", "l0", "--table", "t/tables.json"])
    before = contents(folder)
    for arguments in (["encode", "m.safetensors", output, "--tensor", "l0"], ["decode", "packet", output]):
        assert main([*arguments, "--table", "t/tables.json"]) == 1
        assert capsys.readouterr().err == f"qlc: {output}: is the input {output}, which would be lost\n"
    assert main(["calibrate", output, "--out", "t", "--tables", "5", "--id", "3"]) == 1
    assert capsys.readouterr().err.splitlines()[-1].endswith("which would be lost")
    assert contents(folder) == before


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"tables": "x"}, "tables: must be a list of names of files beside it"),
        ({"tables": ["../x.json"]}, "tables: must be a list of names of files beside it"),
        ({"tables": [7]}, "tables: must be a list of names of files beside it"),
        ({"tables": []}, "tensor 0: its table 'shared-03.json' is not in tables"),
        ({"tensors": {}}, "tensors: must be a list"),
        ({"tensors": [3]}, "tensor 0: must have file, name, dtype, table, all strings"),
        ({"tensors": [{"name": "l0"}]}, "tensor 0: must have file, name, dtype, table, all strings"),
    ],
)
def test_a_damaged_index(folder, tmp_path: Path, capsys: pytest.CaptureFixture[str], change, problem) -> None:
    index = json.loads((folder / "t" / "tables.json").read_text())
    path = tmp_path / "tables.json"
    path.write_text(json.dumps({**index, **change}))
    for arguments in (
        ["encode", "m.safetensors", "new", "--tensor", "l0", "--table"],
        ["decode", "m.safetensors", "new", "--table"],
        ["verify", "m.safetensors", "--table"],
        ["info"],
    ):
        assert main([*arguments, str(path)]) == 1
        assert capsys.readouterr().err == f"qlc: {path}: {problem}\n"
    assert not (folder / "new").exists()
