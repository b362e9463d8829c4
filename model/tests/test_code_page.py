"""What docs/code.md says of codes, types, verdicts and builds is what the model does."""

import re
from pathlib import Path

import numpy as np
import pytest
from qlc.bounds import BUILDS
from qlc.cli import main
from qlc.code import PRESETS, Code
from qlc.errors import Error
from qlc.histogram import count_symbols
from qlc.ranking import MANTISSA_BITS, SPECIAL_SYMBOLS
from qlc.table_files import read_table

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "code.md").read_text()


def rows(head):
    """The cells of the table whose first line begins with that."""
    lines = PAGE[PAGE.index(f"\n| {head}") + 1 :].split("\n\n")[0].splitlines()
    return [[cell.strip().replace("`", "") for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_presets():
    assert {name: (Code.parse(code), areas) for name, code, areas, _ in rows("preset")} == {
        name: (code, code.areas) for name, code in PRESETS.items()
    }


def test_the_example_of_a_code():
    code = PRESETS["table1"]
    for i, (length, limit, words, ranks, step) in enumerate(rows("length")):
        assert (int(length), int(limit)) == (code.lengths[i], code.limits[i])
        assert int(step.split()[0], 16) == code.steps[i]
        assert int(step.split("(")[1].rstrip(")")) % 4096 == code.steps[i] if i else step == "0"
        for word, rank in zip(words.split(" to "), ranks.split(" to "), strict=True):
            assert (len(word), int(word, 2)) == (int(length), code.rank_codewords[int(rank)])
    assert code.rank_codewords[41] == 0b1010001


def test_types():
    for names, special, mantissa in rows("type"):
        symbols = [range(int(a[:2], 16), int(a[-2:], 16) + 1) for a in special.split() if special != "none"]
        for name in names.split(", "):
            assert SPECIAL_SYMBOLS[name] == tuple(s for part in symbols for s in part)
            assert MANTISSA_BITS[name] == int(mantissa)
    assert {name for names, *_ in rows("type") for name in names.split(", ")} == set(SPECIAL_SYMBOLS)


def test_verdicts():
    assert {int(code): name for code, name, _ in rows("code | name")} == {
        e.value: e.label for e in Error if e
    }


def test_tables_for_each_build(tmp_path):
    symbols = np.minimum(np.random.default_rng(1).exponential(9, size=4000), 255).astype(np.uint8)
    assert (count_symbols(symbols) > 0).sum() > 50
    (tmp_path / "t.bin").write_bytes(symbols.tobytes())
    found = rows("build")
    assert {name for name, _ in found} == set(BUILDS)
    for name, options in found:
        for option in re.findall(r"(?:--[a-z-]+ [a-z0-9]+ ?)+|table[12]", options) or [""]:
            arguments = option.split() if option.startswith("-") or not option else ["--scheme", option]
            assert main(["calibrate", str(tmp_path / "t.bin"), "--out", str(tmp_path), *arguments]) == 0
            assert BUILDS[name].problem(read_table(tmp_path / "t.json")) is None, (name, option)


@pytest.mark.parametrize("verb", ["calibrate", "encode", "decode", "analyze", "info", "verify"])
def test_options_are_those_of_the_help(verb, capsys):
    with pytest.raises(SystemExit):
        main([verb, "--help"])
    usage = capsys.readouterr().out.split("\n\n")[0]
    line = next(line for line in PAGE.splitlines() if line.startswith(f"    qlc {verb} "))
    assert set(re.findall(r"--[a-z-]+", line)) == set(re.findall(r"--[a-z-]+", usage))
