"""What is installed, and what ``import qlc`` gives."""

from __future__ import annotations

import inspect
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import qlc

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[zipfile.ZipFile]:
    """The wheel of this checkout, made without a network and outside of it."""
    folder = tmp_path_factory.mktemp("checkout")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    shutil.copytree(
        ROOT / "model", folder / "model", ignore=shutil.ignore_patterns("*.egg-info", "__pycache__")
    )
    options = ["--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--disable-pip-version-check"]
    subprocess.run([sys.executable, "-m", "pip", "wheel", *options, "."], cwd=folder, check=True)
    [file] = folder.glob("*.whl")
    with zipfile.ZipFile(file) as opened:
        yield opened


def test_wheel_holds_the_package_and_nothing_else(wheel: zipfile.ZipFile) -> None:
    names = {name for name in wheel.namelist() if ".dist-info/" not in name}
    files = {str(path.relative_to(ROOT / "model")) for path in (ROOT / "model" / "qlc").rglob("*.py")}
    assert names == files | {"qlc/py.typed"}


def test_wheel_has_the_version(wheel: zipfile.ZipFile) -> None:
    [metadata] = [name for name in wheel.namelist() if name.endswith(".dist-info/METADATA")]
    assert f"\nVersion: {qlc.__version__}\n" in wheel.read(metadata).decode()


def public() -> Iterator[tuple[str, Callable[..., Any]]]:
    """All that can be called: functions, and the public methods of classes."""
    for name in qlc.__all__:
        value = getattr(qlc, name)
        if inspect.isfunction(value):
            yield name, value
        for method, what in vars(value).items() if inspect.isclass(value) else ():
            function = what.__func__ if isinstance(what, classmethod) else what
            if inspect.isfunction(function) and function.__module__.startswith("qlc") and method[0] != "_":
                yield f"{name}.{method}", function


def test_all_that_can_be_called_is_typed() -> None:
    found = dict(public())
    assert {"calibrate", "Code.parse", "Bounds.problem", "StoredTensor.read"} <= set(found)
    for name, function in found.items():
        signature = inspect.signature(function)
        untyped = [each.name for each in signature.parameters.values() if each.annotation is each.empty]
        assert set(untyped) <= {"self", "cls"}, name
        assert signature.return_annotation is not signature.empty, name
        assert function.__doc__, name


def test_a_build_says_why_it_cannot_hold_a_table() -> None:
    table = qlc.calibrate([1] * 256, "uint8", "huffman", name="flat", table_id=0)
    assert isinstance(qlc.BUILDS["raw"], qlc.Bounds)
    assert qlc.BUILDS["any"].problem(table) is None
    assert qlc.BUILDS["raw"].problem(table) == "table flat: 0 raw bits: this build takes 3 and more"
