"""Input files: the 8-bit tensors that a .npy, a .safetensors or any other file holds."""

import ast
import json
from collections.abc import Callable
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, deserialize

from qlc.errors import InputError

_NPY_DTYPES = {
    "|u1": "uint8",
    # numpy has no name for an 8-bit float: ml_dtypes' floats are saved as one unnamed byte, except
    # float8_e5m2, whose header numpy itself refuses to read.
    "<V1": "float8_e4m3fn",
    "|V1": "float8_e4m3fn",
    "<f1": "float8_e5m2",
    "|f1": "float8_e5m2",
}
_SAFETENSORS_DTYPES = {"U8": "uint8", "F8_E4M3": "float8_e4m3fn", "F8_E5M2": "float8_e5m2"}


@dataclass(frozen=True, eq=False)
class Tensor:
    """One tensor: its name, dtype (a key of `SPECIAL_SYMBOLS`) and symbols, uint8[n], as stored."""

    name: str
    dtype: str
    symbols: NDArray[np.uint8]


def read_tensors(path: Path, note: Callable[[str], None] = lambda line: None) -> list[Tensor]:
    """Read the 8-bit tensors of a file, in the order of their names.

    A .npy file holds one, named after the file: uint8 or any 8-bit float of ml_dtypes. Its header does not
    tell the kinds of 8-bit float apart; all but float8_e5m2 are taken as float8_e4m3fn. A .safetensors
    file holds several; those that are not F8_E4M3, F8_E5M2 or U8 are passed over with a `note`. Any other
    file is one uint8 tensor of its bytes, named after the file.

    Raises `InputError` when the file cannot be read, is damaged, or holds no 8-bit tensor.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(path, "", error.strerror or "cannot be read") from None
    if path.suffix == ".npy":
        return [_npy(path, data)]
    if path.suffix == ".safetensors":
        return _safetensors(path, data, note)
    return [Tensor(path.stem, "uint8", np.frombuffer(data, dtype=np.uint8))]


def _npy(path: Path, data: bytes) -> Tensor:
    # The format of numpy.lib.format: magic, version, header length (2 bytes, 4 from version 2), header.
    length_bytes = 2 if data[6:7] == b"\x01" else 4
    start = 8 + length_bytes + int.from_bytes(data[8 : 8 + length_bytes], "little")
    try:
        if data[:6] != b"\x93NUMPY" or start > len(data):
            raise ValueError
        header = ast.literal_eval(data[8 + length_bytes : start].decode("latin1").strip())
        descr, shape = header["descr"], header["shape"]
        count = int(np.prod(shape, dtype=np.int64))
    except (ValueError, SyntaxError, KeyError, TypeError):
        raise InputError(path, "header", "not a .npy file") from None
    if not isinstance(descr, str) or descr not in _NPY_DTYPES:
        raise InputError(path, "header", f"dtype {descr!r}: must be uint8 or an 8-bit float")
    if len(data) - start != count:
        raise InputError(path, "data", f"{len(data) - start} bytes: the header says {count}")
    return Tensor(path.stem, _NPY_DTYPES[descr], np.frombuffer(data, dtype=np.uint8, offset=start))


def _safetensors(path: Path, data: bytes, note: Callable[[str], None]) -> list[Tensor]:
    try:
        entries = deserialize(data)
    except SafetensorError as error:
        raise InputError(path, "", f"not a .safetensors file: {error}") from None
    _refuse_twins(path, data)
    tensors = []
    for name, entry in sorted(entries, key=itemgetter(0)):  # deserialize's own order varies
        if entry["dtype"] in _SAFETENSORS_DTYPES:
            symbols = np.frombuffer(entry["data"], dtype=np.uint8)
            tensors.append(Tensor(name, _SAFETENSORS_DTYPES[entry["dtype"]], symbols))
        else:
            note(f"{path}: {name}: passed over: dtype {entry['dtype']} is not an 8-bit float or U8")
    if not tensors:
        raise InputError(path, "", "no tensor of dtype F8_E4M3, F8_E5M2 or U8")
    return tensors


def _refuse_twins(path: Path, data: bytes) -> None:
    # Of two entries of one name `deserialize` gives the last, without a word.
    def check(pairs: list[tuple[str, object]]) -> dict[str, object]:
        entries = dict(pairs)
        if len(entries) < len(pairs):
            names = [name for name, _ in pairs]
            twin = next(name for name in names if names.count(name) > 1)
            raise InputError(path, "header", f"{twin!r} is there twice")
        return entries

    json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")], object_pairs_hook=check)
