"""The hooks of pre-commit are the linters of ``make lint``, from the project's own environment."""

from __future__ import annotations

import re
from importlib.util import find_spec

import pytest

from scripts import ROOT, lint

TEXT = (ROOT / ".pre-commit-config.yaml").read_text()
ENTRIES = re.findall(r"^ *entry: (.*)$", TEXT, re.MULTILINE)
# In make lint these depend on parameters, so one file does not tell.
BY_BUILD = {"verilator", "iverilog"}


def test_hooks_run_no_other_versions() -> None:
    assert re.findall(r"^ *- repo: (.*)$", TEXT, re.MULTILINE) == ["local"]
    assert set(re.findall(r"^ *language: (.*)$", TEXT, re.MULTILINE)) == {"system"}
    assert len(ENTRIES) == TEXT.count("- id: ")
    assert all(entry == "make lint" or entry.startswith(".venv/bin/") for entry in ENTRIES)


def test_hooks_are_the_linters() -> None:
    words = [entry.removeprefix(".venv/bin/").split() for entry in ENTRIES]
    programs = {(name, "check" in rest, "format" in rest) for name, *rest in words if name != "make"}
    wanted = {
        (name, "check" in rest, "format" in rest) for name, *rest in lint.commands() if name not in BY_BUILD
    }
    assert programs - {("python", False, False)} == wanted
    assert "make lint" in ENTRIES


@pytest.mark.parametrize("entry", [entry for entry in ENTRIES if entry != "make lint"])
def test_files_of_a_hook_are_there(entry: str) -> None:
    assert all((ROOT / word).exists() for word in entry.split()[1:] if "/" in word)


def test_module_of_a_hook_is_there() -> None:
    [module] = re.findall(r"python -m (\S+)", TEXT)
    assert find_spec(module) is not None


def test_types_are_checked_of_the_same_files() -> None:
    [own] = [command for command in lint.commands() if command[0] == "mypy"]
    assert f".venv/bin/{' '.join(own)}" in ENTRIES
