"""Input files: the 8-bit tensors that a .npy, a .safetensors or any other file holds.

A file is looked over first, and its tensors are read one by one, so that no more than one is in memory.
"""

import ast
import json
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from qlc.atomic import STDIN, standard_input
from qlc.errors import InputError
from qlc.histogram import SYMBOLS, count_symbols
from qlc.ranking import KNOWN_DTYPES

_CHUNK = 1 << 20
# Bytes that a header may have, about as many as numpy and safetensors themselves take.
_NPY_HEADER = 1 << 16
_SAFETENSORS_HEADER = 100_000_000
_NPY_DTYPES = {
    "|u1": "uint8",
    "<u1": "uint8",
    # float8_e5m2 is the only 8-bit float of ml_dtypes with a letter of its own.
    "<f1": "float8_e5m2",
    "|f1": "float8_e5m2",
    **{dtype: dtype for dtype in KNOWN_DTYPES},
}
_NPY_ASSUMED = "float8_e4m3fn"
"""What <V1 is taken as: ml_dtypes saves so all its other types of one byte, int4 and float6 among them."""
_SAFETENSORS_DTYPES = {
    "U8": "uint8",
    "F8_E4M3": "float8_e4m3fn",
    "F8_E5M2": "float8_e5m2",
    "F8_E4M3FNUZ": "float8_e4m3fnuz",
    "F8_E5M2FNUZ": "float8_e5m2fnuz",
    "F8_E8M0": "float8_e8m0fnu",
}
_MAGICS = {
    b"\x93NUMPY": ".npy",
    b"PK\x03\x04": ".npz, .pt or other zip",
    b"GGUF": ".gguf",
    b"\x89HDF": ".h5",
    b"\x1f\x8b": ".gz",
    b"\x28\xb5\x2f\xfd": ".zst",
}
_CONTAINERS = frozenset((".npz", ".pt", ".pth", ".gguf", ".json", ".pkl", ".zip", ".h5", ".onnx"))

Note = Callable[[str], None]


@dataclass(frozen=True, eq=False)
class Tensor:
    """One tensor: its name, dtype (a key of `KNOWN_DTYPES`) and symbols, uint8[n], as stored."""

    name: str
    dtype: str
    symbols: NDArray[np.uint8]


@dataclass(frozen=True)
class StoredTensor:
    """A tensor that is still in its file: `size` bytes from `offset` on, or in `data` where it is a pipe."""

    path: Path
    name: str
    dtype: str
    offset: int
    size: int
    data: bytes | None = None

    def read(self) -> Tensor:
        """Read it. Raises `InputError` when the file cannot be read, or has become shorter."""
        if self.data is not None:
            symbols = np.frombuffer(self.data, dtype=np.uint8)[self.offset : self.offset + self.size]
        else:
            try:
                symbols = np.fromfile(self.path, dtype=np.uint8, count=self.size, offset=self.offset)
            except OSError as error:
                raise InputError(self.path, self.name, error.strerror or "cannot be read") from None
        if len(symbols) != self.size:
            raise InputError(self.path, self.name, f"{len(symbols)} of {self.size} bytes: cut short")
        return Tensor(self.name, self.dtype, symbols)

    def count(self) -> NDArray[np.int64]:
        """Count its symbols, int64[256], without having it in memory as a whole. Raises as `read`."""
        return sum(map(count_symbols, self._chunks()), np.zeros(SYMBOLS, dtype=np.int64))

    def _chunks(self) -> Iterator[NDArray[np.uint8]]:
        if self.data is not None:
            yield self.read().symbols
            return
        try:
            with self.path.open("rb") as file:
                file.seek(self.offset)
                done = 0
                while done < self.size:
                    chunk = file.read(min(_CHUNK, self.size - done))
                    if not chunk:
                        problem = f"{done} of {self.size} bytes: cut short"
                        raise InputError(self.path, self.name, problem)
                    done += len(chunk)
                    yield np.frombuffer(chunk, dtype=np.uint8)
        except OSError as error:
            raise InputError(self.path, self.name, error.strerror or "cannot be read") from None


def _quiet(line: str) -> None:
    pass


def find_tensors(path: Path, note: Note = _quiet, dtype: str | None = None) -> list[StoredTensor]:
    """Find the 8-bit tensors of a file, in the order of their names, without reading them.

    A .npy file holds one, named after the file: uint8 or any 8-bit float of ml_dtypes. Its header does not
    tell most kinds of 8-bit float apart: they are taken as `dtype`, else as float8_e4m3fn with a `note`. A
    .safetensors file holds several; those that are not 8-bit floats or U8 are passed over with a note. Any
    other file is one uint8 tensor of its bytes, named after the file; so is standard input, the path `-`.

    Raises `InputError` when the file cannot be read, is damaged, or holds no 8-bit tensor.
    """
    suffix = path.suffix.lower()
    try:
        if path == STDIN:
            data = standard_input().read()
            return [StoredTensor(path, "stdin", "uint8", 0, len(data), data)]
        if path.exists() and not path.is_file() and not path.is_dir():
            data = path.read_bytes()  # a pipe can be read once only
            return [StoredTensor(path, path.stem, "uint8", 0, len(data), data)]
        with path.open("rb") as file:
            head = file.read(8)
            if suffix == ".npy":
                head += file.read(_NPY_HEADER - len(head))
            elif suffix == ".safetensors":
                head += file.read(min(int.from_bytes(head, "little"), _SAFETENSORS_HEADER))
            size = file.seek(0, 2)
    except OSError as error:
        raise InputError(path, "", error.strerror or "cannot be read") from None
    if suffix == ".npy":
        return [_npy(path, head, size, note, dtype)]
    if suffix == ".safetensors":
        return _safetensors(path, head, size, note)
    kind = next((kind for magic, kind in _MAGICS.items() if head.startswith(magic)), None)
    if suffix in _CONTAINERS:
        note(f"{path}: taken as plain bytes: {path.suffix} files are not read as tensors")
    elif kind:
        note(f"{path}: taken as plain bytes, though it begins as a {kind} file does")
    return [StoredTensor(path, path.stem, "uint8", 0, size)]


def read_tensors(path: Path, note: Note = _quiet) -> list[Tensor]:
    """Read the 8-bit tensors of a file, all at once. See `find_tensors`."""
    return [stored.read() for stored in find_tensors(path, note)]


def _npy(path: Path, head: bytes, size: int, note: Note, dtype: str | None) -> StoredTensor:
    # The format of numpy.lib.format: magic, version, header length (2 bytes, 4 from version 2), header.
    length_bytes = 2 if head[6:7] == b"\x01" else 4
    start = 8 + length_bytes + int.from_bytes(head[8 : 8 + length_bytes], "little")
    try:
        if head[:6] != b"\x93NUMPY" or head[6:8] not in (b"\1\0", b"\2\0", b"\3\0") or start > len(head):
            raise ValueError
        header = ast.literal_eval(head[8 + length_bytes : start].decode("latin1").strip())
        descr, shape = header["descr"], header["shape"]
        if not isinstance(shape, tuple) or any(type(n) is not int or n < 0 for n in shape):
            raise ValueError
    except (ValueError, SyntaxError, KeyError, TypeError, RecursionError, MemoryError):
        raise InputError(path, "header", "not a .npy file") from None
    if isinstance(descr, str) and descr in _NPY_DTYPES:
        found = _NPY_DTYPES[descr]
    elif descr == "<V1" or (descr == "|V1" and dtype):
        found = dtype or _NPY_ASSUMED
        if not dtype:
            note(
                f"{path}: taken as {found}, though the header is that of int4, float4, float6 and others too"
            )
    else:
        raise InputError(path, "header", f"dtype {str(descr)[:80]!r}: must be uint8 or an 8-bit float")
    count = math.prod(shape)
    if size - start != count:
        told = count if count < 1 << 64 else "2^64 or more"
        raise InputError(path, "data", f"{size - start} bytes: the header says {told}")
    return StoredTensor(path, path.stem, found, start, count)


def _safetensors(path: Path, head: bytes, size: int, note: Note) -> list[StoredTensor]:
    # 8 bytes length of the header, JSON, data: {name: {dtype, shape, data_offsets}}, without holes.
    start = 8 + int.from_bytes(head[:8], "little")
    if len(head) < 8 or start > len(head):
        raise InputError(path, "", "not a .safetensors file: the header is cut short, or too long")
    try:
        entries = json.loads(head[8:start], object_pairs_hook=lambda pairs: _unique(path, pairs))
    except (ValueError, RecursionError) as error:
        raise InputError(path, "", f"not a .safetensors file: header: {error}") from None
    if not isinstance(entries, dict):
        raise InputError(path, "", "not a .safetensors file: header: must be a JSON object")
    entries.pop("__metadata__", None)
    ends = [0]
    found = []
    places = {name: _place(path, name, entry) for name, entry in entries.items()}
    for name in sorted(places, key=lambda name: places[name]):
        begin, end = places[name]
        if begin != ends[-1]:
            problem = f"not a .safetensors file: data begins at {begin}, not at {ends[-1]}"
            raise InputError(path, name, problem)
        ends.append(end)
    if ends[-1] != size - start:
        problem = f"not a .safetensors file: {size - start} bytes of data: the header says {ends[-1]}"
        raise InputError(path, "", problem)
    for name in sorted(entries):
        dtype, (begin, end) = entries[name]["dtype"], places[name]
        if dtype not in _SAFETENSORS_DTYPES:
            note(f"{path}: {name}: passed over: dtype {dtype} is not an 8-bit float or U8")
        elif math.prod(entries[name]["shape"]) != end - begin:
            raise InputError(path, name, f"{end - begin} bytes: the shape says otherwise")
        else:
            place = start + begin
            found.append(StoredTensor(path, name, _SAFETENSORS_DTYPES[dtype], place, end - begin))
    if not found:
        raise InputError(path, "", "no tensor of an 8-bit float or U8")
    return found


def _place(path: Path, name: str, entry: object) -> tuple[int, int]:
    def naturals(value: object) -> bool:
        return isinstance(value, list) and all(type(n) is int and n >= 0 for n in value)

    if not (
        isinstance(entry, dict)
        and isinstance(entry.get("dtype"), str)
        and naturals(entry.get("shape"))
        and naturals(entry.get("data_offsets"))
        and len(entry["data_offsets"]) == 2
        and entry["data_offsets"][0] <= entry["data_offsets"][1]
    ):
        raise InputError(path, name, "not a .safetensors file: no dtype, shape and data_offsets")
    return entry["data_offsets"][0], entry["data_offsets"][1]


def _unique(path: Path, pairs: list[tuple[str, object]]) -> dict[str, object]:
    entries = dict(pairs)
    if len(entries) < len(pairs):
        names = [name for name, _ in pairs]
        twin = next(name for name in names if names.count(name) > 1)
        raise InputError(path, "header", f"{twin!r} is there twice")
    return entries
