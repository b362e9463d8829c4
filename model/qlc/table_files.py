"""The files of a table: `<name>.json`, and four `$readmemh` files for hardware beside it.

| file                | lines                   | word                                                      |
| ------------------- | ----------------------- | --------------------------------------------------------- |
| `<name>.code.hex`   | 256, by symbol          | 4 digits {length[3:0], codeword[11:0]}                    |
| `<name>.rank.hex`   | 2^(8-R), by class       | 2 digits, the class's rank (R = 0: the symbol's)          |
| `<name>.symbol.hex` | 2^(8-R), by class rank  | 2 digits, the class (R = 0: the symbol)                   |
| `<name>.length.hex` | 12, by codeword length  | 8 digits {length[3:0], limit[15:0], step[11:0]}           |

R are the table's raw bits. Lengths ascend; behind them the words are 01000000. One word a line, lower-case
hex; lines that start with `//` may stand at the top.
"""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qlc.atomic import write_all_atomic
from qlc.code import LONGEST, Code
from qlc.errors import InputError
from qlc.histogram import SYMBOLS
from qlc.table import Table

_INTEGERS = ("raw_bits", "table_id", "symbols_counted")
_NUMBERS = ("entropy_bits", "expected_bits")
_STRINGS = ("name", "dtype")
_KINDS = ("code", "rank", "symbol", "length")
_LISTS = ("lengths", "limits", "rank_to_symbol")


def write_table(table: Table, directory: Path) -> list[Path]:
    """Write the five files of a table into an existing directory and give their paths, the JSON last.

    They appear whole or not at all. Raises `OSError`.
    """
    files = render_table(table, directory)
    write_all_atomic(files)
    return list(files)


def render_table(table: Table, directory: Path) -> dict[Path, bytes]:
    """Give the five files of a table, by path in a directory, the JSON last."""
    texts = {f"{table.name}.{kind}.hex": _hex_text(*words) for kind, words in _hex_words(table).items()}
    texts[f"{table.name}.json"] = _json_text(table)
    return {directory / name: text.encode() for name, text in texts.items()}


def table_paths(path: Path) -> list[Path]:
    """Give the five files that `read_table` reads for a JSON file."""
    return [path, *(path.with_suffix(f".{kind}.hex") for kind in _KINDS)] if path.name else [path]


def read_table(path: Path) -> Table:
    """Read a table from its JSON file and check the four hex files beside it, all of which must be there.

    Raises `InputError`, naming the file and the line or key, for anything missing, malformed, or at odds
    with the JSON.
    """
    if path.suffix != ".json":
        raise InputError(path, "", "must be a table's .json file")
    table = _parse_json(path, _read_text(path))
    for kind, (words, digits) in _hex_words(table).items():
        hex_path = path.with_suffix(f".{kind}.hex")
        _check_hex(hex_path, _read_text(hex_path), words, digits, path.name)
    return table


def _hex_words(table: Table) -> dict[str, tuple[NDArray[np.integer], int]]:
    """By kind of file: its words and their digits."""
    return {
        "code": (table.lengths * np.uint16(1 << LONGEST) | table.codewords, 4),
        "rank": (table.class_ranks(), 2),
        "symbol": (table.classes(), 2),
        "length": (table.code.length_words(), 8),
    }


def _hex_text(words: NDArray[np.integer], digits: int) -> str:
    return "".join(f"{word:0{digits}x}\n" for word in words.tolist())


def _json_text(table: Table) -> str:
    fields = {
        "name": table.name,
        "dtype": table.dtype,
        "lengths": list(table.code.lengths),
        "limits": list(table.code.limits),
        "areas": table.code.areas,
        "raw_bits": table.raw_bits,
        "rank_to_symbol": table.rank_to_symbol.tolist(),
        "table_id": table.table_id,
        "symbols_counted": table.symbols_counted,
        "entropy_bits": table.entropy_bits,
        "expected_bits": table.expected_bits,
    }
    # json's own indent would give each of the 256 symbols a line.
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in fields.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise InputError(path, "", error.strerror or "cannot be read") from None


def _parse_json(path: Path, text: str) -> Table:
    try:
        fields = json.loads(text, object_pairs_hook=_unique_keys, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise InputError(path, f"line {error.lineno}", f"not JSON: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise InputError(path, "", f"not JSON: {error}") from None
    if not isinstance(fields, dict):
        raise InputError(path, "", "must be a JSON object")
    for keys, check, wanted in (
        (_STRINGS, _is_string, "a string"),
        (_INTEGERS, _is_integer, "an integer"),
        (_NUMBERS, _is_number, "a number"),
        (_LISTS, _is_integers, "a list of integers"),
    ):
        for key in keys:
            if key not in fields:
                raise InputError(path, key, "missing")
            if not check(fields[key]):
                raise InputError(path, key, f"must be {wanted}")
    for rank, symbol in enumerate(fields["rank_to_symbol"]):
        if not 0 <= symbol < SYMBOLS:
            raise InputError(path, "rank_to_symbol", f"rank {rank}: {symbol} is not a symbol")
    try:
        code = Code(tuple(fields["lengths"]), tuple(fields["limits"]))
        _check_areas(path, fields, code)
        return Table(
            name=fields["name"],
            dtype=fields["dtype"],
            code=code,
            raw_bits=fields["raw_bits"],
            rank_to_symbol=np.array(fields["rank_to_symbol"], dtype=np.uint8),
            table_id=fields["table_id"],
            symbols_counted=fields["symbols_counted"],
            entropy_bits=fields["entropy_bits"],
            expected_bits=fields["expected_bits"],
        )
    except ValueError as error:
        raise InputError(path, "", str(error)) from None


def _check_areas(path: Path, fields: dict[str, Any], code: Code) -> None:
    """Any text of the paper's form of the code may stand there, or null where it has none."""
    if "areas" not in fields:
        raise InputError(path, "areas", "missing")
    areas = fields["areas"]
    if areas is None and code.areas is None:
        return
    if not isinstance(areas, str) or ":" not in areas:
        raise InputError(path, "areas", f"must be {json.dumps(code.areas)}")
    if Code.parse(areas) != code:
        raise InputError(path, "areas", f"{areas}: lengths and limits make it {json.dumps(code.areas)}")


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ValueError("a key is there twice")
    return fields


def _no_constant(text: str) -> float:
    raise ValueError(f"{text} is not a JSON number")


def _is_string(value: object) -> bool:
    return isinstance(value, str)


def _is_integer(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    return _is_integer(value) or (isinstance(value, float) and math.isfinite(value))


def _is_integers(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_integer, value))


def _check_hex(path: Path, text: str, words: NDArray[np.integer], digits: int, json_name: str) -> None:
    lines = text.removesuffix("\n").split("\n")
    top = next((i for i, line in enumerate(lines) if not line.startswith("//")), len(lines))
    for number, line in enumerate(lines[top:], start=top + 1):
        place = f"line {number}"
        if line.startswith("//"):
            raise InputError(path, place, "a comment below the first word")
        if len(line) != digits or not set(line) <= set("0123456789abcdef"):
            raise InputError(path, place, f"{line!r}: must be {digits} lower-case hex digits")
        index = number - 1 - top
        if index >= len(words):
            raise InputError(path, place, f"more than {len(words)} words")
        if int(line, 16) != words[index]:
            raise InputError(path, place, f"{line}: {json_name} makes it {words[index]:0{digits}x}")
    if len(lines) - top < len(words):
        raise InputError(path, f"line {len(lines)}", f"{len(lines) - top} words: must be {len(words)}")
