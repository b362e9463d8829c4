"""What docs/code.md says of codes, types, verdicts and builds is what the model does."""

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import qlc
from qlc.bounds import BUILDS
from qlc.cli import main
from qlc.code import PRESETS, Code
from qlc.errors import Error
from qlc.histogram import count_symbols
from qlc.ranking import MANTISSA_BITS, SPECIAL_SYMBOLS
from qlc.table_files import read_table
from safetensors import serialize

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "code.md").read_text()


def rows(head):
    """The cells of the table whose first line begins with that."""
    lines = PAGE[PAGE.index(f"\n| {head}") + 1 :].split("\n\n")[0].splitlines()
    return [[cell.strip().replace("`", "") for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_presets() -> None:
    assert {name: (Code.parse(code), areas) for name, code, areas, _ in rows("preset")} == {
        name: (code, code.areas) for name, code in PRESETS.items()
    }


def test_the_example_of_a_code() -> None:
    code = PRESETS["table1"]
    for i, (length, limit, words, ranks, step) in enumerate(rows("length")):
        assert (int(length), int(limit)) == (code.lengths[i], code.limits[i])
        assert int(step.split()[0], 16) == code.steps[i]
        assert int(step.split("(")[1].rstrip(")")) % 4096 == code.steps[i] if i else step == "0"
        for word, rank in zip(words.split(" to "), ranks.split(" to "), strict=True):
            assert (len(word), int(word, 2)) == (int(length), code.rank_codewords[int(rank)])
    assert code.rank_codewords[41] == 0b1010001


def test_types() -> None:
    for names, special, mantissa in rows("type"):
        symbols = [range(int(a[:2], 16), int(a[-2:], 16) + 1) for a in special.split() if special != "none"]
        for name in names.split(", "):
            assert SPECIAL_SYMBOLS[name] == tuple(s for part in symbols for s in part)
            assert MANTISSA_BITS[name] == int(mantissa)
    assert {name for names, *_ in rows("type") for name in names.split(", ")} == set(SPECIAL_SYMBOLS)


def test_verdicts() -> None:
    assert {int(code): name for code, name, _ in rows("code | name")} == {
        e.value: e.label for e in Error if e
    }


def test_tables_for_each_build(tmp_path: Path) -> None:
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


def test_the_program_runs(tmp_path: Path) -> None:
    [program] = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    code, tensor = done.stdout.splitlines()
    assert re.fullmatch(r"[0-9x,]+: \d\.\d\d bits a symbol, at least \d\.\d\d", code)
    assert tensor.startswith("up uint8 262144 [")
    used = set(re.findall(r"qlc\.(\w+)", program))
    assert used <= set(qlc.__all__)


def test_all_names_are_there_and_documented() -> None:
    for name in qlc.__all__:
        assert getattr(qlc, name).__doc__


def test_the_commands_for_shared_tables_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    symbols = np.minimum(np.random.default_rng(1).exponential(9, size=(40, 4000)), 255).astype(np.uint8)
    entries = {
        f"layers.{i}.up": {"dtype": "float8_e4m3fn", "shape": [4000], "data": row.tobytes()}
        for i, row in enumerate(symbols)
    }
    (tmp_path / "model.safetensors").write_bytes(serialize(entries))
    commands = PAGE[PAGE.index("\n    qlc calibrate model.safetensors") :].split("\n\n")[0].split("\n")[1:]
    assert len(commands) == 3
    for command in commands:
        assert main(command.split()[1:]) == 0
    assert (tmp_path / "up.bin").read_bytes() == symbols[0].tobytes()
    index = json.loads((tmp_path / "tables" / "tables.json").read_text())
    assert set(index) == {key for key, _ in rows("key")}
    [fields] = [cell for key, cell in rows("key") if key == "tensors"]
    assert re.sub(r" \([^)]*\)", "", fields) == f"for each tensor {', '.join(index['tensors'][0])}"


@pytest.mark.parametrize("verb", ["calibrate", "encode", "decode", "analyze", "info", "verify"])
def test_options_are_those_of_the_help(verb, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([verb, "--help"])
    usage = capsys.readouterr().out.split("\n\n")[0]
    line = next(line for line in PAGE.splitlines() if line.startswith(f"    qlc {verb} "))
    assert set(re.findall(r"--[a-z-]+", line)) == set(re.findall(r"--[a-z-]+", usage))
