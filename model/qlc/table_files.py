"""The files of a table: `<name>.json`, and four `$readmemh` files for hardware beside it.

| file                | lines          | word                                                     |
| ------------------- | -------------- | -------------------------------------------------------- |
| `<name>.code.hex`   | 256, by symbol | 4 digits {length[3:0], codeword[11:0]}                   |
| `<name>.rank.hex`   | 256, by symbol | 2 digits, the rank                                       |
| `<name>.symbol.hex` | 256, by rank   | 2 digits, the symbol                                     |
| `<name>.area.hex`   | 2^P, by area   | 4 digits {extra[3:0], base[11:0]}; base 100 where empty  |

One word a line, lower-case hex; lines that start with `//` may stand at the top.
"""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qlc.atomic import write_all_atomic
from qlc.errors import InputError
from qlc.histogram import SYMBOLS
from qlc.scheme import Scheme
from qlc.table import Table

_INTEGERS = ("prefix_bits", "table_id", "symbols_counted")
_NUMBERS = ("entropy_bits", "expected_bits")
_STRINGS = ("name", "dtype")
_LISTS = ("extra_bits", "rank_to_symbol")


def write_table(table: Table, directory: Path) -> list[Path]:
    """Write the five files of a table into an existing directory and give their paths, the JSON last.

    They appear whole or not at all. Raises `OSError`.
    """
    texts = {f"{table.name}.{kind}.hex": _hex_text(*words) for kind, words in _hex_words(table).items()}
    texts[f"{table.name}.json"] = _json_text(table)
    paths = [directory / name for name in texts]
    write_all_atomic({path: text.encode() for path, text in zip(paths, texts.values(), strict=True)})
    return paths


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
        "code": (table.code_words, 4),
        "rank": (table.symbol_to_rank, 2),
        "symbol": (table.rank_to_symbol, 2),
        "area": (table.area_words, 4),
    }


def _hex_text(words: NDArray[np.integer], digits: int) -> str:
    return "".join(f"{word:0{digits}x}\n" for word in words.tolist())


def _json_text(table: Table) -> str:
    fields = {
        "name": table.name,
        "dtype": table.dtype,
        "prefix_bits": table.scheme.prefix_bits,
        "extra_bits": list(table.scheme.extra_bits),
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
        return Table(
            name=fields["name"],
            dtype=fields["dtype"],
            scheme=Scheme(fields["prefix_bits"], tuple(fields["extra_bits"])),
            rank_to_symbol=np.array(fields["rank_to_symbol"], dtype=np.uint8),
            table_id=fields["table_id"],
            symbols_counted=fields["symbols_counted"],
            entropy_bits=fields["entropy_bits"],
            expected_bits=fields["expected_bits"],
        )
    except ValueError as error:
        raise InputError(path, "", str(error)) from None


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
