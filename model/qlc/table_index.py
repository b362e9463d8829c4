"""The index of tables that tensors share, `tables.json`: which tensor has which table, and what it loses.

| key       | holds                                                                                    |
| --------- | ---------------------------------------------------------------------------------------- |
| `tables`  | the tables' JSON files, beside the index                                                 |
| `tensors` | a tensor each: `file`, `name`, `dtype`, `symbols`, `table` (of `tables`), `table_id`,    |
|           | `own_bits`, `bits`: bits a symbol with a table of its own, and with this one; `lost`:    |
|           | points of compressibility between them                                                   |
| `total`   | `symbols`, `own_bits`, `bits` and `lost` of all tensors together                         |
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from qlc.errors import InputError, printable

INDEX_NAME = "tables.json"


@dataclass(frozen=True)
class Share:
    """What one tensor gets, and loses. See the module."""

    file: str
    name: str
    dtype: str
    symbols: int
    table: str
    table_id: int
    own_bits: float
    bits: float

    @property
    def lost(self) -> float:
        """Points of compressibility: what a table of its own would save more, in percent of 8 bits."""
        return 100 * (self.bits - self.own_bits) / 8


def total(shares: Sequence[Share]) -> dict[str, float]:
    """Give the figures of all tensors together: means weighted by symbols."""
    symbols = sum(share.symbols for share in shares)
    own, bits = (
        sum(getattr(share, key) * share.symbols for share in shares) / symbols for key in ("own_bits", "bits")
    )
    return {"symbols": symbols, "own_bits": own, "bits": bits, "lost": 100 * (bits - own) / 8}


def index_text(shares: Sequence[Share]) -> str:
    """Give the text of the index."""

    def rounded(fields: dict[str, Any]) -> str:
        return json.dumps({k: round(v, 6) if isinstance(v, float) else v for k, v in fields.items()})

    tables = list(dict.fromkeys(share.table for share in shares))
    rows = ",\n".join(f"    {rounded({**asdict(share), 'lost': share.lost})}" for share in shares)
    return (
        f'{{\n  "tables": {json.dumps(tables)},\n  "tensors": [\n{rows}\n  ],\n'
        f'  "total": {rounded(total(shares))}\n}}\n'
    )


def as_text(shares: Sequence[Share]) -> str:
    """Lay out what each tensor gets and loses, a line a tensor."""
    several = len({share.file for share in shares}) > 1
    rows = [["tensor", "symbols", "table", "id", "own %", "shared %", "lost"]]
    for share in shares:
        name = printable(f"{share.file}: {share.name}" if several else share.name)
        table = share.table.removesuffix(".json")
        figures = _figures(share.own_bits, share.bits, share.lost)
        rows.append([name, str(share.symbols), table, str(share.table_id), *figures])
    whole = total(shares)
    figures = _figures(whole["own_bits"], whole["bits"], whole["lost"])
    rows.append(["total", str(whole["symbols"]), "", "", *figures])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column in (0, 2) else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def _figures(own_bits: float, bits: float, lost: float) -> list[str]:
    return [f"{100 * (1 - own_bits / 8):.2f}", f"{100 * (1 - bits / 8):.2f}", f"{lost:.3f}"]


@dataclass(frozen=True)
class Index:
    """An index as read: its tables' files, and the table of each tensor."""

    path: Path
    tables: tuple[Path, ...]
    tensors: tuple[tuple[str, str, str, str], ...]
    """Of each tensor: file, name, dtype, table."""

    def find(self, file: Path, name: str) -> tuple[Path, str]:
        """Give the table of a tensor, and its dtype.

        Of several tensors of that name, that of the file counts: by its path as it was given, else by its
        name. Raises `InputError` where there is none, or still more than one table.
        """
        found = [row for row in self.tensors if row[1] == name]
        for here in (
            [row for row in found if row[0] == str(file)],
            [row for row in found if Path(row[0]).name == file.name],
            found,
        ):
            if here:
                if len({row[2:] for row in here}) > 1:
                    files = ", ".join(dict.fromkeys(row[0] for row in here))
                    raise InputError(self.path, name, f"there are several, of {files}: name the table itself")
                return self.path.parent / here[0][3], here[0][2]
        raise InputError(self.path, name, "no such tensor in this index")


def read_index(path: Path) -> Index | None:
    """Read an index; None where the file is no index, which a table's own file is not either.

    Raises `InputError` when it is one, but is malformed.
    """
    if path.suffix != ".json":
        return None
    try:
        fields = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(fields, dict) or "tensors" not in fields:
        return None
    tables = fields.get("tables")
    if not (isinstance(tables, list) and all(map(_is_file_name, tables))):
        raise InputError(path, "tables", "must be a list of names of files beside it")
    keys = ("file", "name", "dtype", "table")
    rows = fields["tensors"]
    if not isinstance(rows, list):
        raise InputError(path, "tensors", "must be a list")
    for number, row in enumerate(rows):
        if not (isinstance(row, dict) and all(isinstance(row.get(key), str) for key in keys)):
            raise InputError(path, f"tensor {number}", f"must have {', '.join(keys)}, all strings")
        if row["table"] not in tables:
            raise InputError(path, f"tensor {number}", f"its table {row['table']!r} is not in tables")
    paths = tuple(path.parent / name for name in tables)
    return Index(path, paths, tuple((r["file"], r["name"], r["dtype"], r["table"]) for r in rows))


def _is_file_name(value: object) -> bool:
    return isinstance(value, str) and value.endswith(".json") and Path(value).name == value
