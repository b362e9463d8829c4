import json
import tracemalloc
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from qlc.errors import InputError
from qlc.ranking import KNOWN_DTYPES
from qlc.tensors import find_tensors, read_tensors
from safetensors import serialize

SYMBOLS = np.arange(6, dtype=np.uint8)


def save(path, dtype, array=SYMBOLS):
    np.save(path, array.view(getattr(ml_dtypes, dtype, dtype)))
    return path


def tensors(*entries):
    """A safetensors file of (name, dtype, data), one-dimensional."""
    width = {"float16": 2, "float32": 4}
    return serialize(
        {n: {"dtype": d, "shape": [len(data) // width.get(d, 1)], "data": data} for n, d, data in entries}
    )


@pytest.mark.parametrize(
    ("saved", "read"),
    [
        ("uint8", "uint8"),
        ("float8_e4m3fn", "float8_e4m3fn"),
        ("float8_e5m2", "float8_e5m2"),
        # The header does not tell these apart.
        ("float8_e4m3", "float8_e4m3fn"),
        ("float8_e4m3fnuz", "float8_e4m3fn"),
        ("float8_e4m3b11fnuz", "float8_e4m3fn"),
        ("float8_e5m2fnuz", "float8_e4m3fn"),
    ],
)
def test_npy(tmp_path: Path, saved, read) -> None:
    [tensor] = read_tensors(save(tmp_path / "layer.0.npy", saved, SYMBOLS.reshape(2, 3)))
    assert (tensor.name, tensor.dtype, tensor.symbols.tolist()) == ("layer.0", read, SYMBOLS.tolist())
    assert tensor.symbols.dtype == np.uint8


@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
def test_npy_versions_scalars_and_empties(tmp_path: Path, version) -> None:
    for array in (np.array(7, dtype=np.uint8), np.zeros((0, 3), dtype=np.uint8), SYMBOLS):
        with (tmp_path / "x.npy").open("wb") as file:
            np.lib.format.write_array(file, array, version=version)
        assert read_tensors(tmp_path / "x.npy")[0].symbols.tolist() == array.ravel().tolist()


def test_npy_symbols_are_in_the_order_of_the_file(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.asfortranarray(SYMBOLS.reshape(2, 3)))
    assert read_tensors(tmp_path / "x.npy")[0].symbols.tolist() == [0, 3, 1, 4, 2, 5]


@pytest.mark.parametrize(
    ("dtype", "descr"), [("int8", "|i1"), ("float32", "<f4"), ("uint16", "<u2"), ("bool", "|b1")]
)
def test_npy_of_other_dtypes(tmp_path: Path, dtype, descr) -> None:
    np.save(tmp_path / "x.npy", SYMBOLS.astype(dtype))
    with pytest.raises(InputError) as error:
        read_tensors(tmp_path / "x.npy")
    problem = f"header: dtype {descr!r}: must be uint8 or an 8-bit float"
    assert str(error.value) == f"{tmp_path / 'x.npy'}: {problem}"


def test_npy_of_a_structure(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.zeros(2, dtype=[("a", "u1")]))
    with pytest.raises(InputError, match="must be uint8 or an 8-bit float"):
        read_tensors(tmp_path / "x.npy")


@pytest.mark.parametrize("cut", [0, 5, 9, 10, 60, 127])
def test_npy_with_a_cut_header(tmp_path: Path, cut) -> None:
    path = save(tmp_path / "x.npy", "uint8")
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(InputError, match=r"x\.npy: header: not a \.npy file$"):
        read_tensors(path)


@pytest.mark.parametrize(
    "header",
    [
        "{'descr': '|u1'}",
        "[1, 2]",
        "{'shape': (",
        *(
            f"{{'descr': '|u1', 'shape': {shape}}}"
            for shape in (
                "'x'",
                "4",
                "-4",
                "(-4,)",
                "(-2, -2)",
                "4.0",
                "(4.0,)",
                "(True, 4)",
                "((4,),)",
                "[4]",
            )
        ),
        "(" * 20000,
        "{'descr': '|u1', 'shape': (4,)}" + " " * 70000,
    ],
    ids=lambda header: header[:40],
)
def test_npy_with_a_bad_header(tmp_path: Path, header) -> None:
    (tmp_path / "x.npy").write_bytes(
        b"\x93NUMPY\x01\x00" + min(len(header), 65535).to_bytes(2, "little") + header.encode() + b"data"
    )
    with pytest.raises(InputError, match=r"x\.npy: header: not a \.npy file$"):
        read_tensors(tmp_path / "x.npy")


def npy(header, version=b"\1\0"):
    return b"\x93NUMPY" + version + len(header).to_bytes(2, "little") + header.encode()


@pytest.mark.parametrize(
    ("shape", "told"),
    [
        ("(1 << 62,)", None),
        (f"({2**62}, 8)", "2^64 or more"),
        (f"({10**4000},)", "2^64 or more"),
        ("(9, 9)", 81),
    ],
)
def test_npy_of_a_huge_shape(tmp_path: Path, shape, told) -> None:
    (tmp_path / "x.npy").write_bytes(npy(f"{{'descr': '|u1', 'shape': {shape}}}") + b"data")
    problem = f"data: 4 bytes: the header says {told}" if told else "header: not a .npy file"
    with pytest.raises(InputError) as error:
        read_tensors(tmp_path / "x.npy")
    assert str(error.value) == f"{tmp_path / 'x.npy'}: {problem}"


@pytest.mark.parametrize("version", [b"\0\0", b"\1\1", b"\4\0", b"\xff\xff"])
def test_npy_of_an_unknown_version(tmp_path: Path, version) -> None:
    (tmp_path / "x.npy").write_bytes(npy("{'descr': '|u1', 'shape': (4,)}", version) + b"data")
    with pytest.raises(InputError, match=r"x\.npy: header: not a \.npy file$"):
        read_tensors(tmp_path / "x.npy")


@pytest.mark.parametrize("dtype", [*KNOWN_DTYPES])
def test_npy_with_a_named_dtype(tmp_path: Path, dtype) -> None:
    (tmp_path / "x.npy").write_bytes(npy(f"{{'descr': '{dtype}', 'shape': (2, 2)}}") + b"data")
    notes = []
    [tensor] = read_tensors(tmp_path / "x.npy", notes.append)
    assert (tensor.dtype, tensor.symbols.tobytes(), notes) == (dtype, b"data", [])


@pytest.mark.parametrize("dtype", ["int4", "float4_e2m1fn", "float6_e3m2fn", "bfloat16"])
def test_npy_with_another_named_dtype(tmp_path: Path, dtype) -> None:
    (tmp_path / "x.npy").write_bytes(npy(f"{{'descr': '{dtype}', 'shape': (4,)}}") + b"data")
    with pytest.raises(InputError, match=f"header: dtype '{dtype}': must be uint8 or an 8-bit float$"):
        read_tensors(tmp_path / "x.npy")


def test_an_assumed_dtype_is_said_and_can_be_given(tmp_path: Path) -> None:
    path = save(tmp_path / "x.npy", "float8_e3m4")
    notes = []
    assert read_tensors(path, notes.append)[0].dtype == "float8_e4m3fn"
    assert notes == [
        f"{path}: taken as float8_e4m3fn, though the header is that of int4, float4, float6 and others too"
    ]
    [stored] = find_tensors(path, notes.append, "float8_e3m4")
    assert (stored.dtype, len(notes)) == ("float8_e3m4", 1)
    [stored] = find_tensors(save(path, "float8_e5m2"), notes.append, "float8_e3m4")
    assert (stored.dtype, len(notes)) == ("float8_e5m2", 1)


def test_npy_of_plain_void_is_of_no_dtype_unless_it_is_given(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", SYMBOLS.view("V1"))
    with pytest.raises(InputError, match=r"header: dtype '\|V1': must be uint8 or an 8-bit float$"):
        read_tensors(tmp_path / "x.npy")
    assert find_tensors(tmp_path / "x.npy", dtype="float8_e5m2")[0].dtype == "float8_e5m2"


@pytest.mark.parametrize(("change", "found"), [(lambda d: d[:-1], 5), (lambda d: d + b"x", 7)])
def test_npy_with_the_wrong_amount_of_data(tmp_path: Path, change, found) -> None:
    path = save(tmp_path / "x.npy", "float8_e4m3fn")
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(InputError, match=f"data: {found} bytes: the header says 6$"):
        read_tensors(path)


def test_safetensors(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    path.write_bytes(
        tensors(
            ("b/up", "float8_e4m3fn", b"\x01\x7f"),
            ("c", "float8_e5m2", b"\x02"),
            ("a", "uint8", b"\x03\x04\x05"),
            ("none", "uint8", b""),
            ("half", "float16", b"xx"),
            ("scale", "float8_e8m0fnu", b"x"),
        )
    )
    notes = []
    found = [(t.name, t.dtype, t.symbols.tolist()) for t in read_tensors(path, notes.append)]
    assert found == [
        ("a", "uint8", [3, 4, 5]),
        ("b/up", "float8_e4m3fn", [1, 0x7F]),
        ("c", "float8_e5m2", [2]),
        ("none", "uint8", []),
        ("scale", "float8_e8m0fnu", [ord("x")]),
    ]
    assert notes == [f"{path}: half: passed over: dtype F16 is not an 8-bit float or U8"]


def test_safetensors_without_an_8_bit_tensor(tmp_path: Path) -> None:
    (tmp_path / "x.safetensors").write_bytes(tensors(("a", "float32", bytes(4))))
    with pytest.raises(InputError, match=r"x\.safetensors: no tensor of an 8-bit float or U8$"):
        read_tensors(tmp_path / "x.safetensors")


@pytest.mark.parametrize("change", [lambda d: d[:-1], lambda d: d[:5], lambda d: b"", lambda d: b"x" * 40])
def test_damaged_safetensors(tmp_path: Path, change) -> None:
    path = tmp_path / "x.safetensors"
    path.write_bytes(change(tensors(("a", "uint8", b"abc"))))
    with pytest.raises(InputError, match=r"x\.safetensors: not a \.safetensors file: ") as error:
        read_tensors(path)
    assert "\n" not in str(error.value)


def test_safetensors_with_a_name_twice(tmp_path: Path) -> None:
    once = b'"a/up":{"dtype":"U8","shape":[%d],"data_offsets":[0,%d]}'
    header = b"{" + once % (1, 1) + b"," + once % (2, 2) + b"}"
    path = tmp_path / "x.safetensors"
    path.write_bytes(len(header).to_bytes(8, "little") + header + b"ab")
    with pytest.raises(InputError) as error:
        read_tensors(path)
    assert str(error.value) == f"{path}: header: 'a/up' is there twice"


def write_safetensors(path, header, data=b"abcd"):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)
    return path


GOOD = {"dtype": "U8", "shape": [2, 2], "data_offsets": [0, 4]}


@pytest.mark.parametrize(
    ("header", "problem"),
    [
        ([], "not a .safetensors file: header: must be a JSON object"),
        (b"[" * 100_000, "not a .safetensors file: header: "),
        (b"\xff\xfe", "not a .safetensors file: header: "),
        ({"a": 1}, "a: not a .safetensors file: no dtype, shape and data_offsets"),
        *(
            ({"a": {**GOOD, key: value}}, "a: not a .safetensors file: no dtype, shape and data_offsets")
            for key, value in (
                ("dtype", 8),
                ("shape", 4),
                ("shape", [-2, -2]),
                ("shape", [4.0]),
                ("shape", "4"),
                ("data_offsets", [0]),
                ("data_offsets", [4, 0]),
                ("data_offsets", [-4, 0]),
                ("data_offsets", [0, True]),
                ("data_offsets", None),
            )
        ),
        ({"a": {**GOOD, "shape": [5]}}, "a: 4 bytes: the shape says otherwise"),
        ({"a": {**GOOD, "shape": [10**30]}}, "a: 4 bytes: the shape says otherwise"),
        ({"a": {**GOOD, "data_offsets": [0, 10**30]}}, "not a .safetensors file: 4 bytes of data: "),
        ({"a": {**GOOD, "data_offsets": [1, 4]}}, "a: not a .safetensors file: data begins at 1, not at 0"),
        ({"a": GOOD, "b": GOOD}, "b: not a .safetensors file: data begins at 0, not at 4"),
        ({}, "not a .safetensors file: 4 bytes of data: the header says 0"),
    ],
    ids=str,
)
def test_hostile_safetensors(tmp_path: Path, header, problem) -> None:
    path = write_safetensors(tmp_path / "x.safetensors", header)
    with pytest.raises(InputError) as error:
        read_tensors(path)
    assert str(error.value).startswith(f"{path}: {problem}")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("stored", "dtype"),
    [("F8_E4M3FNUZ", "float8_e4m3fnuz"), ("F8_E5M2FNUZ", "float8_e5m2fnuz"), ("F8_E8M0", "float8_e8m0fnu")],
)
def test_safetensors_of_rarer_floats(tmp_path: Path, stored, dtype) -> None:
    path = write_safetensors(tmp_path / "x.safetensors", {"t": {**GOOD, "dtype": stored}})
    assert [t.dtype for t in read_tensors(path)] == [dtype]


def test_safetensors_with_metadata(tmp_path: Path) -> None:
    path = write_safetensors(tmp_path / "x.safetensors", {"__metadata__": {"a": "b"}, "t": GOOD})
    assert [(t.name, t.symbols.tobytes()) for t in read_tensors(path)] == [("t", b"abcd")]


def test_tensors_are_read_one_by_one(tmp_path: Path) -> None:
    """Looking a file of 1 GiB over, and reading a small tensor at its end, takes no memory of its size."""
    size = 1 << 30
    header = json.dumps(
        {
            "a": {"dtype": "U8", "shape": [size], "data_offsets": [0, size]},
            "b": {"dtype": "U8", "shape": [4], "data_offsets": [size, size + 4]},
        }
    ).encode()
    path = tmp_path / "x.safetensors"
    with path.open("wb") as file:
        file.write(len(header).to_bytes(8, "little") + header)
        file.seek(size, 1)
        file.write(b"tail")
    tracemalloc.start()
    big, small = find_tensors(path)
    assert (big.size, small.read().symbols.tobytes()) == (size, b"tail")
    assert tracemalloc.get_traced_memory()[1] < 1 << 20
    tracemalloc.stop()


def test_a_file_that_shrinks_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "x.bin").write_bytes(b"abcdef")
    [stored] = find_tensors(tmp_path / "x.bin")
    (tmp_path / "x.bin").write_bytes(b"abc")
    with pytest.raises(InputError, match=r"x\.bin: x: 3 of 6 bytes: cut short$"):
        stored.read()


@pytest.mark.parametrize("suffix", [".npz", ".pt", ".gguf", ".json"])
def test_containers_are_plain_bytes_with_a_note(tmp_path: Path, suffix) -> None:
    path = tmp_path / f"x{suffix}"
    path.write_bytes(b"abc")
    notes = []
    assert read_tensors(path, notes.append)[0].symbols.tobytes() == b"abc"
    assert notes == [f"{path}: taken as plain bytes: {suffix} files are not read as tensors"]


@pytest.mark.parametrize("name", ["X.NPY", "x.Npy", "X.SAFETENSORS"])
def test_suffixes_in_any_case(tmp_path: Path, name) -> None:
    data = tensors(("X", "uint8", SYMBOLS.tobytes()))
    if "npy" in name.lower():
        np.save(tmp_path / "x", SYMBOLS)
        data = (tmp_path / "x.npy").read_bytes()
    (tmp_path / name).write_bytes(data)
    assert read_tensors(tmp_path / name)[0].symbols.tolist() == SYMBOLS.tolist()


def test_what_begins_as_another_file_does_is_plain_bytes_with_a_note(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", SYMBOLS)
    np.savez(tmp_path / "x.npz", SYMBOLS)
    for source, kind in (("x.npy", ".npy"), ("x.npz", ".npz, .pt or other zip")):
        path = tmp_path / "model.bin"
        path.write_bytes((tmp_path / source).read_bytes())
        notes = []
        assert read_tensors(path, notes.append)[0].dtype == "uint8"
        assert notes == [f"{path}: taken as plain bytes, though it begins as a {kind} file does"]


def test_counts_are_those_of_what_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qlc.tensors._CHUNK", 7)
    rng = np.random.default_rng(3)
    data = [rng.integers(0, 256, size=size, dtype=np.uint8).tobytes() for size in (0, 1, 7, 100)]
    path = tmp_path / "x.safetensors"
    path.write_bytes(tensors(*((f"t{i}", "uint8", part) for i, part in enumerate(data))))
    for stored, part in zip(find_tensors(path), data, strict=True):
        assert stored.count().tolist() == np.bincount(list(part), minlength=256).tolist()
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(InputError, match=r"x\.safetensors: t3: 70 of 100 bytes: cut short$"):
        stored.count()


def test_any_other_file_is_plain_bytes(tmp_path: Path) -> None:
    (tmp_path / "weights.v2.bin").write_bytes(b"\x00\xff\x7f")
    [tensor] = read_tensors(tmp_path / "weights.v2.bin")
    assert (tensor.name, tensor.dtype, tensor.symbols.tolist()) == ("weights.v2", "uint8", [0, 255, 127])


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no: No such file or directory$"):
        read_tensors(tmp_path / "no")
    with pytest.raises(InputError, match=r"Is a directory$"):
        read_tensors(tmp_path)
