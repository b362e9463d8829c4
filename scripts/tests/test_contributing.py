"""The examples of CONTRIBUTING.md are in the style that they show, and what it names is there."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from qlc_tb.simulation import prepare_environment

from scripts import ROOT

GUIDE = (ROOT / "CONTRIBUTING.md").read_text()
BIN = Path(sys.executable).parent


def example(language: str) -> str:
    """The guide's only example in a language."""
    [text] = re.findall(rf"^```{language}\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
    return str(text)


def said(*command: str, text: str | None = None, cwd: Path = ROOT) -> str:
    """What a linter says, which is nothing when all is well."""
    done = subprocess.run(command, input=text, cwd=cwd, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr + f"status {done.returncode}" * (done.returncode != 0)


@pytest.mark.parametrize("command", [["check", "--quiet"], ["format", "--check", "--quiet"]])
def test_python(command: list[str]) -> None:
    code = f'"""An example."""\n\n\n{example("python")}'
    assert said(str(BIN / "ruff"), *command, "--stdin-filename", "model/qlc/x.py", "-", text=code) == ""


def test_python_does_what_it_says() -> None:
    names: dict[str, object] = {}
    exec(example("python"), names)
    function = names["saved_percent"]
    assert callable(function)
    assert [function(1, bits) for bits in (8, 6, 12)] == [0, 25, -50]
    with pytest.raises(ValueError, match=r"^symbols 0: must be at least 1$"):
        function(0, 0)


@pytest.mark.parametrize(
    "command",
    [
        ["verilator", "--lint-only", "--quiet", "-Wall"],
        ["iverilog", "-g2005", "-Wall", "-o", "/dev/null"],
        ["verible-verilog-lint", "--rules_config", str(ROOT / "rtl" / ".rules.verible_lint")],
    ],
    ids=lambda command: str(command[0]),
)
def test_verilog(tmp_path: Path, command: list[str]) -> None:
    prepare_environment()
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    (tmp_path / "qlc_example.v").write_text(example("verilog"))
    assert said(*command, "qlc_example.v", cwd=tmp_path) == ""


def test_targets_and_files_are_there() -> None:
    makefile = (ROOT / "Makefile").read_text()
    targets = set(re.findall(r"\bmake ([a-z-]+)\b(?= *[`#\n])", GUIDE))
    assert {"setup", "test", "lint"} <= targets
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in targets)
    links = {link.partition("#")[0] for link in re.findall(r"\]\(([^)]+)\)", GUIDE)}
    paths = links | set(re.findall(r"`((?:rtl|tb|model|scripts)/[\w./]*)`", GUIDE))
    assert all((ROOT / path).exists() for path in paths)


def test_commit_message_is_as_it_asks() -> None:
    subject, empty, *body = GUIDE[GUIDE.index("## Commit messages") :].split("```")[1].strip().splitlines()
    assert len(subject) <= 72
    assert empty == ""
    assert all(body)
