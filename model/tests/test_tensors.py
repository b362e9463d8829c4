import ml_dtypes
import numpy as np
import pytest
from qlc.errors import InputError
from qlc.tensors import read_tensors
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
def test_npy(tmp_path, saved, read):
    [tensor] = read_tensors(save(tmp_path / "layer.0.npy", saved, SYMBOLS.reshape(2, 3)))
    assert (tensor.name, tensor.dtype, tensor.symbols.tolist()) == ("layer.0", read, SYMBOLS.tolist())
    assert tensor.symbols.dtype == np.uint8


@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
def test_npy_versions_scalars_and_empties(tmp_path, version):
    for array in (np.array(7, dtype=np.uint8), np.zeros((0, 3), dtype=np.uint8), SYMBOLS):
        with (tmp_path / "x.npy").open("wb") as file:
            np.lib.format.write_array(file, array, version=version)
        assert read_tensors(tmp_path / "x.npy")[0].symbols.tolist() == array.ravel().tolist()


def test_npy_symbols_are_in_the_order_of_the_file(tmp_path):
    np.save(tmp_path / "x.npy", np.asfortranarray(SYMBOLS.reshape(2, 3)))
    assert read_tensors(tmp_path / "x.npy")[0].symbols.tolist() == [0, 3, 1, 4, 2, 5]


@pytest.mark.parametrize(
    ("dtype", "descr"), [("int8", "|i1"), ("float32", "<f4"), ("uint16", "<u2"), ("bool", "|b1")]
)
def test_npy_of_other_dtypes(tmp_path, dtype, descr):
    np.save(tmp_path / "x.npy", SYMBOLS.astype(dtype))
    with pytest.raises(InputError) as error:
        read_tensors(tmp_path / "x.npy")
    problem = f"header: dtype {descr!r}: must be uint8 or an 8-bit float"
    assert str(error.value) == f"{tmp_path / 'x.npy'}: {problem}"


def test_npy_of_a_structure(tmp_path):
    np.save(tmp_path / "x.npy", np.zeros(2, dtype=[("a", "u1")]))
    with pytest.raises(InputError, match="must be uint8 or an 8-bit float"):
        read_tensors(tmp_path / "x.npy")


@pytest.mark.parametrize("cut", [0, 5, 9, 10, 60, 127])
def test_npy_with_a_cut_header(tmp_path, cut):
    path = save(tmp_path / "x.npy", "uint8")
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(InputError, match=r"x\.npy: header: not a \.npy file$"):
        read_tensors(path)


@pytest.mark.parametrize(
    "header", ["{'descr': '|u1'}", "[1, 2]", "{'shape': (", "{'descr': '|u1', 'shape': 'x'}"]
)
def test_npy_with_a_bad_header(tmp_path, header):
    (tmp_path / "x.npy").write_bytes(
        b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + b"data"
    )
    with pytest.raises(InputError, match=r"x\.npy: header: not a \.npy file$"):
        read_tensors(tmp_path / "x.npy")


@pytest.mark.parametrize(("change", "found"), [(lambda d: d[:-1], 5), (lambda d: d + b"x", 7)])
def test_npy_with_the_wrong_amount_of_data(tmp_path, change, found):
    path = save(tmp_path / "x.npy", "float8_e4m3fn")
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(InputError, match=f"data: {found} bytes: the header says 6$"):
        read_tensors(path)


def test_safetensors(tmp_path):
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
    ]
    assert notes == [
        f"{path}: half: passed over: dtype F16 is not an 8-bit float or U8",
        f"{path}: scale: passed over: dtype F8_E8M0 is not an 8-bit float or U8",
    ]


def test_safetensors_without_an_8_bit_tensor(tmp_path):
    (tmp_path / "x.safetensors").write_bytes(tensors(("a", "float32", bytes(4))))
    with pytest.raises(InputError, match=r"x\.safetensors: no tensor of dtype F8_E4M3, F8_E5M2 or U8$"):
        read_tensors(tmp_path / "x.safetensors")


@pytest.mark.parametrize("change", [lambda d: d[:-1], lambda d: d[:5], lambda d: b"", lambda d: b"x" * 40])
def test_damaged_safetensors(tmp_path, change):
    path = tmp_path / "x.safetensors"
    path.write_bytes(change(tensors(("a", "uint8", b"abc"))))
    with pytest.raises(InputError, match=r"x\.safetensors: not a \.safetensors file: ") as error:
        read_tensors(path)
    assert "\n" not in str(error.value)


def test_safetensors_with_a_name_twice(tmp_path):
    once = b'"a/up":{"dtype":"U8","shape":[%d],"data_offsets":[0,%d]}'
    header = b"{" + once % (1, 1) + b"," + once % (2, 2) + b"}"
    path = tmp_path / "x.safetensors"
    path.write_bytes(len(header).to_bytes(8, "little") + header + b"ab")
    with pytest.raises(InputError) as error:
        read_tensors(path)
    assert str(error.value) == f"{path}: header: 'a/up' is there twice"


def test_any_other_file_is_plain_bytes(tmp_path):
    (tmp_path / "weights.v2.bin").write_bytes(b"\x00\xff\x7f")
    [tensor] = read_tensors(tmp_path / "weights.v2.bin")
    assert (tensor.name, tensor.dtype, tensor.symbols.tolist()) == ("weights.v2", "uint8", [0, 255, 127])


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(InputError, match=r"no: No such file or directory$"):
        read_tensors(tmp_path / "no")
    with pytest.raises(InputError, match=r"Is a directory$"):
        read_tensors(tmp_path)
