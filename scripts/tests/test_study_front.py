"""The front of codes against their hardware, and a page without and with figures of hardware."""

from __future__ import annotations

import json

import pytest
from qlc.bounds import BUILDS
from qlc.table import calibrate

from scripts import committed_data
from scripts.study import front as study_front
from scripts.study import page as study_page
from scripts.study.codes import RULES
from scripts.study.front import CHOICES, MODULES, Choice
from scripts.synth.targets import TARGETS

RESULTS = json.loads(study_page.STORE.read_text())
# Every target of the page, of an area of its own
SIZES = {
    target.format(choice.build): 1000.0 + 10 * number + place
    for number, target in enumerate(MODULES.values())
    for place, choice in enumerate(CHOICES)
}


def test_targets_are_those_of_synthesis() -> None:
    wanted = {target.format(choice.build) for target in MODULES.values() for choice in CHOICES}
    # The builds of any table at all are synthesised as a whole only.
    named = {target for target in wanted if not target.endswith(("_default", "_any"))}
    assert named <= set(TARGETS)
    assert all(TARGETS[target].build == "" or target.endswith(TARGETS[target].build) for target in named)


@pytest.mark.parametrize("choice", CHOICES, ids=str)
def test_every_build_holds_its_code(choice: Choice) -> None:
    bounds = BUILDS[choice.build]
    for name in ("layers.12.ffn_up.act", "layers.00.attn.prob", "embed.grad"):
        histogram = committed_data.histograms()[name]
        rule = RULES[choice.code]
        table = calibrate(
            histogram.counts, histogram.dtype, rule.code, name, 0, rule.raw_bits, rule.shortest, rule.longest
        )
        assert bounds.problem(table) is None


def test_front_by_hand() -> None:
    a, b, c, d = CHOICES[:4]
    assert study_front.front({a: (5, 1), b: (4, 1), c: (3, 2), d: (6, 0.5)}) == [c, b, d]
    # Two of the same are both on it.
    assert study_front.front({a: (5, 1), b: (5, 1)}) == [a, b]


def test_without_hardware_there_is_no_column() -> None:
    page = study_page.render(RESULTS, {})
    assert "smallest first" not in page
    assert "wide decoder, 64 bits" not in page


def test_with_hardware_there_is_one() -> None:
    page = study_page.render(RESULTS, SIZES)
    assert page.count("smallest first") == 1
    for module in MODULES:
        assert f"- {module}: " in page


def test_one_target_alone_is_no_column() -> None:
    target = MODULES["decoder core"].format("raw")
    assert study_page.render(RESULTS, {target: 1000.0}) == study_page.render(RESULTS, {})


def test_kept_areas_are_of_one_technology() -> None:
    areas = study_front.areas()
    assert all(area > 0 for area in areas.values())
    assert "huffman_serial" in areas
