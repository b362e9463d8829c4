"""The lists of modules and of benches in the documents are those of the sources."""

from __future__ import annotations

import re

import pytest

from scripts import modules


def test_pages_are_up_to_date() -> None:
    for page, text in modules.pages().items():
        assert page.read_text() == text, f"{page.name}: run make registers"


def test_each_module_is_described_once() -> None:
    described = re.findall(r"^ *- `(\w+)`: .", modules.module_list(), re.MULTILINE)
    assert sorted(described) == sorted(modules.FILES)


def test_tops_come_first_and_parts_below_them() -> None:
    lines = modules.module_list().splitlines()
    assert lines[0].startswith("- `qlc_decoder`: ")
    assert any(line.startswith("  - `qlc_block_decoder`: ") for line in lines)
    assert [line for line in lines if not line.startswith(" ")][-1].startswith("- `huffman_decoder_serial`: ")


@pytest.mark.parametrize(
    ("comment", "sentence"),
    [
        ("QLC delay: waits 1, 2, ... cycles. Nothing else.", "Waits 1, 2, ... cycles"),
        ("A ring\nof words", "A ring of words"),
    ],
)
def test_first_sentence(comment: str, sentence: str) -> None:
    assert modules.first_sentence(comment) == sentence


def test_a_page_without_markers_is_named() -> None:
    with pytest.raises(ValueError, match=r"^markers of modules: found 0 times$"):
        modules.render("", "modules", "")
