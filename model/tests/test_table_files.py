import json
import re
from pathlib import Path

import numpy as np
import pytest
from qlc import atomic
from qlc.code import PRESETS, Code
from qlc.errors import InputError
from qlc.table_files import read_table, write_table

from tests.samples import NAMED, identity_table, random_code, random_table

RNG = np.random.default_rng(3)
TABLES = {
    **{name: random_table(RNG, code, table_id=5) for name, code in NAMED.items()},
    **{f"random{i}": random_table(RNG, random_code(RNG, i % 4), i, i % 4) for i in range(20)},
}


@pytest.fixture
def files(tmp_path: Path):
    """The files of a table1 table named `identity`, by kind."""
    paths = write_table(identity_table(PRESETS["table1"]), tmp_path)
    return {path.name.split(".", 1)[1]: path for path in paths}


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_round_trip_is_byte_identical(table, tmp_path: Path) -> None:
    (tmp_path / "again").mkdir()
    first = write_table(table, tmp_path)
    second = write_table(read_table(first[-1]), tmp_path / "again")
    assert [path.name for path in first] == [path.name for path in second]
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


def test_files_as_specified(files) -> None:
    assert sorted(files) == ["code.hex", "json", "length.hex", "rank.hex", "symbol.hex"]
    assert files["code.hex"].read_text().splitlines()[:2] == ["6000", "6001"]
    assert files["code.hex"].read_text().splitlines()[-1] == "b7a7"
    assert files["rank.hex"].read_text().splitlines() == [f"{i:02x}" for i in range(256)]
    assert files["symbol.hex"].read_text() == files["rank.hex"].read_text()
    assert files["length.hex"].read_text().split() == [
        "60a00000",
        "70c00fd8",
        "80e00f78",
        "b1000958",
        *["01000000"] * 8,
    ]
    fields = json.loads(files["json"].read_text())
    assert fields.pop("rank_to_symbol") == list(range(256))
    assert fields.pop("entropy_bits") == pytest.approx(7.72, abs=0.01)
    assert fields == {
        "name": "identity",
        "dtype": "uint8",
        "lengths": [6, 7, 8, 11],
        "limits": [2560, 3072, 3584, 4096],
        "areas": "3:3,3,3,3,3,4,5,8",
        "raw_bits": 0,
        "table_id": 0,
        "symbols_counted": 256 * 257 // 2,
        "expected_bits": 8.618069,
    }


@pytest.mark.parametrize("raw_bits", range(4))
def test_files_of_classes(tmp_path: Path, raw_bits) -> None:
    table = random_table(RNG, Code.parse("4x8,6x16,8x32,11"), raw_bits=raw_bits)
    words = {path.name.split(".")[1]: path.read_text().split() for path in write_table(table, tmp_path)[:-1]}
    assert len(words["rank"]) == len(words["symbol"]) == 256 >> raw_bits
    for symbol, word in enumerate(words["code"]):
        rank = int(words["rank"][symbol >> raw_bits], 16)
        assert int(words["symbol"][rank], 16) == symbol >> raw_bits
        rank = rank << raw_bits | symbol & (1 << raw_bits) - 1
        length, codeword = int(word, 16) >> 12, int(word, 16) & 0xFFF
        assert (length, codeword) == (table.code.rank_lengths[rank], table.code.rank_codewords[rank])
        # What hardware does with the words of the lengths.
        lengths = [int(w, 16) for w in words["length"]]
        found = next(w for w in lengths if codeword << 12 - length < w >> 12 & 0xFFFF)
        assert found >> 28 == length
        assert (codeword + (found & 0xFFF)) % 4096 == rank


def test_a_code_without_the_paper_s_form_has_null(tmp_path: Path) -> None:
    json_path = write_table(identity_table(Code.parse("6x1,9")), tmp_path)[-1]
    assert json.loads(json_path.read_text())["areas"] is None
    assert read_table(json_path).code.areas is None
    json_path.write_text(json_path.read_text().replace("null", '"1:8,8"'))
    with pytest.raises(InputError, match=r"identity\.json: areas: 1:8,8: lengths and limits make it null$"):
        read_table(json_path)


@pytest.mark.parametrize("areas", ["3:3,3,3,3,3,4,5,8", "4:2,2,2,2,2,2,2,2,2,2,3,3,4,4,7,7"])
def test_any_of_the_paper_s_forms_of_the_code_is_read(files, areas) -> None:
    files["json"].write_text(edit("3:3,3,3,3,3,4,5,8", areas)(files["json"].read_text()))
    assert read_table(files["json"]).code == PRESETS["table1"]


def test_nothing_but_the_files_is_left(files, tmp_path: Path) -> None:
    assert sorted(tmp_path.iterdir()) == sorted(files.values())


def test_comments_at_the_top_more_keys_and_crlf_are_read(files) -> None:
    for kind in ("code.hex", "length.hex"):
        files[kind].write_text("// made by hand\n// é\n" + files[kind].read_text())
    files["rank.hex"].write_bytes(files["rank.hex"].read_bytes().replace(b"\n", b"\r\n"))
    files["symbol.hex"].write_text(files["symbol.hex"].read_text().rstrip("\n"))
    fields = json.loads(files["json"].read_text())
    files["json"].write_text(json.dumps({**fields, "model": "some"}))
    assert read_table(files["json"]).name == "identity"


def edit(old, new):
    return lambda text: text.replace(old, new, 1)


def line(number, new):
    def change(text):
        lines = text.split("\n")
        lines[number - 1] = new
        return "\n".join(lines)

    return change


DAMAGE = [
    # kind, change, message after "identity.<kind>: "
    ("code.hex", line(3, "602"), "line 3: '602': must be 4 lower-case hex digits"),
    ("code.hex", line(3, "06002"), "line 3: '06002': must be 4 lower-case hex digits"),
    ("code.hex", line(3, "0x62"), "line 3: '0x62': must be 4 lower-case hex digits"),
    ("code.hex", line(256, "B7A7"), "line 256: 'B7A7': must be 4 lower-case hex digits"),
    ("code.hex", line(1, "6000 "), "line 1: '6000 ': must be 4 lower-case hex digits"),
    ("code.hex", line(1, "٣000"), "line 1: '٣000': must be 4 lower-case hex digits"),
    ("code.hex", line(4, ""), "line 4: '': must be 4 lower-case hex digits"),
    ("code.hex", line(4, "// word 3"), "line 4: a comment below the first word"),
    ("code.hex", line(4, "6004"), "line 4: 6004: identity.json makes it 6003"),
    ("code.hex", line(4, "// x\n6003"), "line 4: a comment below the first word"),
    (
        "code.hex",
        lambda text: "// top\n" + line(4, "6004")(text),
        "line 5: 6004: identity.json makes it 6003",
    ),
    ("code.hex", lambda text: text + "0000\n", "line 257: more than 256 words"),
    ("code.hex", lambda text: text + "\n", "line 257: '': must be 4 lower-case hex digits"),
    ("code.hex", lambda text: text[:-5], "line 255: 255 words: must be 256"),
    ("code.hex", lambda text: "", "line 1: '': must be 4 lower-case hex digits"),
    ("code.hex", lambda text: "// empty\n", "line 1: 0 words: must be 256"),
    ("rank.hex", line(10, "9"), "line 10: '9': must be 2 lower-case hex digits"),
    ("rank.hex", line(10, "08"), "line 10: 08: identity.json makes it 09"),
    ("symbol.hex", line(256, "fe"), "line 256: fe: identity.json makes it ff"),
    ("symbol.hex", lambda text: text + "ff\n", "line 257: more than 256 words"),
    ("length.hex", line(4, "b1000959"), "line 4: b1000959: identity.json makes it b1000958"),
    ("length.hex", line(5, "b1000958"), "line 5: b1000958: identity.json makes it 01000000"),
    ("length.hex", line(2, "70c0fd8"), "line 2: '70c0fd8': must be 8 lower-case hex digits"),
    ("length.hex", lambda text: text + "01000000\n", "line 13: more than 12 words"),
    ("length.hex", lambda text: text[:-9], "line 11: 11 words: must be 12"),
    ("json", edit('"name"', '"title"'), "name: missing"),
    ("json", edit('"table_id": 0', '"table_id": true'), "table_id: must be an integer"),
    ("json", edit('"table_id": 0', '"table_id": 0.0'), "table_id: must be an integer"),
    ("json", edit('"table_id": 0', '"table_id": 32'), "table_id 32: must be 0 to 31"),
    ("json", edit('"uint8"', "8"), "dtype: must be a string"),
    ("json", edit('"uint8"', '"int8"'), "dtype 'int8': must be one of float8_e4m3fn, "),
    (
        "json",
        edit('"uint8"', '"float8_e5m2fnuz"'),
        "rank_to_symbol: must end with float8_e5m2fnuz's special values",
    ),
    ("json", edit('"identity"', '"../x"'), "name '../x': must be letters, "),
    ("json", edit("[6, 7,", "[6, null,"), "lengths: must be a list of integers"),
    ("json", edit("[6, 7,", "[6, true,"), "lengths: must be a list of integers"),
    ("json", edit("[6, 7, 8, 11]", '"6x40,7x16,8x32,11"'), "lengths: must be a list of integers"),
    ("json", edit("[2560,", "[2560.0,"), "limits: must be a list of integers"),
    ("json", edit("[6, 7,", "[6,"), "3 lengths, 4 limits: must be as many, 1 to 12"),
    ("json", edit("[6, 7,", "[7, 6,"), "lengths 7 6 8 11: must ascend within 1 to 12"),
    ("json", edit("8, 11]", "8, 13]"), "lengths 6 7 8 13: must ascend within 1 to 12"),
    ("json", edit("4096]", "4095]"), "limits 2560 3072 3584 4095: must ascend from above 0 to 4096"),
    ("json", edit("[2560,", "[2561,"), "length 6: 2561/4096 of the space is no whole codewords"),
    ("json", edit("8, 11]", "8, 9]"), "152 codewords: must be at least 256"),
    ("json", edit('"3:3,3,', '"3:3,4,'), "code '3:3,4,3,3,3,4,5,8': a later area has shorter codewords"),
    ("json", edit('"3:3,3,3,3,3,4,5,8"', '"1:3,8"'), 'areas: 1:3,8: lengths and limits make it "3:3,3,'),
    ("json", edit('"3:3,3,3,3,3,4,5,8"', "null"), 'areas: must be "3:3,3,3,3,3,4,5,8"'),
    ("json", edit('"3:3,3,3,3,3,4,5,8"', "[3]"), 'areas: must be "3:3,3,3,3,3,4,5,8"'),
    ("json", edit('"3:3,3,3,3,3,4,5,8"', '"table1"'), 'areas: must be "3:3,3,3,3,3,4,5,8"'),
    ("json", edit('"areas"', '"parts"'), "areas: missing"),
    ("json", edit('"raw_bits": 0', '"raw_bits": 4'), "raw_bits 4: must be 0 to 3"),
    ("json", edit('"raw_bits": 0', '"raw_bits": "0"'), "raw_bits: must be an integer"),
    ("json", edit("[0, 1, 2", "[1, 0, 2"), None),
    ("json", edit("[0, 1,", "[1, 1,"), "rank_to_symbol: must hold each symbol 0 to 255 once"),
    ("json", edit("[0, 1,", "[0,"), "rank_to_symbol: must hold each symbol 0 to 255 once"),
    ("json", edit("255]", "256]"), "rank_to_symbol: rank 255: 256 is not a symbol"),
    (
        "json",
        edit('"symbols_counted": 32896', '"symbols_counted": 0'),
        "symbols_counted 0: must be at least 1",
    ),
    ("json", edit("8.618069", '"8"'), "expected_bits: must be a number"),
    ("json", edit("8.618069", "NaN"), "not JSON: NaN is not a JSON number"),
    ("json", edit("8.618069", "1e999"), "expected_bits: must be a number"),
    ("json", edit("8.618069", "-1"), "expected_bits -1: must be 0 to "),
    ("json", edit('"dtype"', '"name"'), "not JSON: a key is there twice"),
    ("json", edit('"dtype": "uint8",', '"dtype": "uint8"'), "line 4: not JSON: "),
    ("json", lambda text: "", "line 1: not JSON: "),
    ("json", lambda text: "[" * 100_000, "not JSON: "),
    ("json", lambda text: "[1]", "must be a JSON object"),
]


@pytest.mark.parametrize(("kind", "change", "message"), DAMAGE)
def test_a_damaged_file_is_named_with_the_place(files, kind, change, message) -> None:
    files[kind].write_text(change(files[kind].read_text()))
    with pytest.raises(InputError) as error:
        read_table(files["json"])
    text = str(error.value)
    assert "\n" not in text
    if message is None:  # the JSON is a good one of another table: the first file at odds with it is named
        assert text == f"{files['code.hex']}: line 1: 6000: identity.json makes it 6001"
    else:
        assert text.startswith(f"{files[kind]}: {message}")


@pytest.mark.parametrize("kind", ["json", "code.hex", "rank.hex", "symbol.hex", "length.hex"])
def test_a_missing_file_is_named(files, kind) -> None:
    files[kind].unlink()
    with pytest.raises(InputError, match=f"^{re.escape(str(files[kind]))}: No such file or directory$"):
        read_table(files["json"])


def test_only_the_json_names_a_table(files) -> None:
    with pytest.raises(InputError, match=r"code\.hex: must be a table's \.json file$"):
        read_table(files["code.hex"])


def test_a_directory_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as error:
        write_table(identity_table(PRESETS["dual"]), tmp_path / "no")
    assert error.value.filename == str(tmp_path / "no" / "identity.code.hex")


@pytest.mark.parametrize("method", ["_write", "replace"])
@pytest.mark.parametrize("good", range(5))
def test_a_failed_write_leaves_none_of_the_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method, good
) -> None:
    done = []
    owner = atomic if method == "_write" else type(tmp_path)
    real = getattr(owner, method)

    def full(path, *arguments):
        if len(done) == good:
            raise OSError(28, "No space left on device", "another name")
        done.append(path)
        return real(path, *arguments)

    monkeypatch.setattr(owner, method, full)
    with pytest.raises(OSError, match="No space left on device") as error:
        write_table(identity_table(PRESETS["dual"]), tmp_path)
    kinds = ["code.hex", "rank.hex", "symbol.hex", "length.hex", "json"]
    assert error.value.filename == str(tmp_path / f"identity.{kinds[good]}")
    assert list(tmp_path.iterdir()) == []
