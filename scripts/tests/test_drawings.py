"""The drawings of the documents are there, stand alone, and show what the sources say."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
import qlc
from qlc.bitstream import decode
from qlc.table import Table

from scripts import ROOT, waves

FIGURES = ROOT / "docs" / "figures"
BLOCKS = ("system", "encoder", "core", "wide", "decoder")
SVG = "{http://www.w3.org/2000/svg}"
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
WAVES = sorted(waves.WAVES.glob("*.json"))


def named() -> Iterator[Path]:
    """The SVGs that documents name."""
    for document in DOCUMENTS:
        # But for the badge, which is the repository's host's.
        for link in re.findall(r"\]\(((?!\.\./\.\./)[^)#\s]+\.svg)\)", document.read_text()):
            yield (document.parent / link).resolve()


NAMED = sorted(set(named()))


def text(path: Path) -> str:
    """All that a drawing says, a line each."""
    return "\n".join(ElementTree.parse(path).getroot().itertext())


def test_every_drawing_is_in_a_document() -> None:
    drawn = {f"{name}.svg" for name in BLOCKS} | {f"wave-{path.stem}.svg" for path in WAVES}
    assert drawn <= {path.name for path in NAMED}
    assert len(drawn) == 9


@pytest.mark.parametrize("path", NAMED, ids=lambda path: path.name)
def test_drawing_stands_alone(path: Path) -> None:
    root = ElementTree.parse(path).getroot()
    assert root.tag == SVG + "svg"
    assert root.get("viewBox")
    for element in root.iter():
        for name, value in element.attrib.items():
            if name.rpartition("}")[2] in ("href", "src"):
                assert value.startswith("#")
            assert not re.search(r"url\((?!#)", value)
        if element.tag == SVG + "style":
            assert not re.search(r"url\((?!#)|@import", element.text or "")
        assert element.tag not in (SVG + "script", SVG + "image", SVG + "foreignObject")


@pytest.mark.parametrize(
    "path",
    [FIGURES / f"{name}.svg" for name in BLOCKS] + [FIGURES / f"wave-{wave.stem}.svg" for wave in WAVES],
    ids=lambda path: path.name,
)
def test_drawing_is_for_all_readers(path: Path) -> None:
    root = ElementTree.parse(path).getroot()
    assert all(root.findtext(SVG + name) for name in ("title", "desc"))
    assert "prefers-color-scheme: dark" in (root.findtext(SVG + "style") or "")
    assert min(float(size) for size in re.findall(r"(?:font: |font-size: )(\d+)px", text(path))) >= 12


def test_block_diagrams_have_one_style() -> None:
    assert len({ElementTree.parse(FIGURES / f"{name}.svg").findtext(SVG + "style") for name in BLOCKS}) == 1


@pytest.mark.parametrize("name", BLOCKS)
def test_block_diagram_names_modules(name: str) -> None:
    assert (FIGURES / f"{name}.svg").stat().st_size < 12_000
    modules = {path.stem for path in (ROOT / "rtl").rglob("*.v")}
    shown = set(re.findall(r"qlc_[a-z0-9_]*[a-z0-9]", text(FIGURES / f"{name}.svg")))
    assert shown
    assert shown <= modules


@pytest.mark.parametrize("wave", WAVES, ids=lambda path: path.stem)
def test_wave_is_drawn_from_its_source(wave: Path) -> None:
    pytest.importorskip("wavedrom")
    assert (FIGURES / f"wave-{wave.stem}.svg").read_text() == waves.render(wave.read_text())


def lanes(wave: Path) -> dict[str, list[str]]:
    """What each signal is in every cycle."""
    found = {}
    source = json.loads(wave.read_text())
    for lane in [lane for group in source["signal"][1:] for lane in group[1:]]:
        data = iter(lane["data"].split() if "data" in lane else [])
        values: list[str] = []
        for sign in lane["wave"]:
            values.append(
                values[-1] if sign == "." else next(data) if sign.isdigit() and sign > "1" else sign
            )
        assert next(data, None) is None
        found[lane["name"]] = values
    assert len({len(values) for values in found.values()}) == 1
    return found


def packets(lane: dict[str, list[str]], side: str) -> list[list[int]]:
    """The cycles of each packet's transfers."""
    found: list[list[int]] = [[]]
    for cycle, last in enumerate(lane[f"{side}_tlast"]):
        if lane[f"{side}_tvalid"][cycle] == lane[f"{side}_tready"][cycle] == "1":
            found[-1].append(cycle)
            if last == "1":
                found.append([])
    assert not found.pop()
    return found


@pytest.fixture(scope="module")
def table() -> Table:
    """That of the waves."""
    tensors = qlc.find_tensors(ROOT / "data" / "layers.12.safetensors")
    (tensor,) = (each for each in tensors if each.name == "layers.12.ffn_up.act")
    return qlc.calibrate(qlc.count_symbols(tensor.read().symbols), tensor.dtype, "table1", "up", 0)


@pytest.mark.parametrize("name", ["packet", "stall", "error"])
def test_wave_of_the_core_is_what_the_model_decodes(name: str, table: Table) -> None:
    wave = waves.WAVES / f"{name}.json"
    foot = json.loads(wave.read_text())["foot"]["text"]
    beats = {key: bytes.fromhex(data) for key, data in re.findall(r"([BC]\d)((?: [0-9a-f]{2})+)\b", foot)}
    lane = lanes(wave)
    taken, sent = packets(lane, "s_axis"), packets(lane, "m_axis")
    assert len(taken) == len(sent)
    for source, sink in zip(taken, sent, strict=True):
        # Bytes of beats that are dropped are not said.
        payload = b"".join(beats.get(lane["s_axis_tdata"][cycle], b"") for cycle in source)
        symbols, error = decode(payload, int(lane["s_axis_tuser"][source[0]]), table)
        kept = sink[: len(symbols)]
        assert bytes.fromhex("".join(lane["m_axis_tdata"][cycle] for cycle in kept)) == symbols.tobytes()
        assert int(lane["m_axis_tuser"][sink[-1]]) == error
        assert len(sink) == len(symbols) + (error != 0)
        assert sink[0] == source[0] + 3
        ranks = [
            int(lane["2: rank_reg"][cycle - 1]) for cycle in kept if lane["m_axis_tready"][cycle - 1] == "1"
        ]
        behind = [cycle for cycle in kept if lane["m_axis_tready"][cycle - 1] == "1"]
        places = np.argsort(table.rank_to_symbol)
        assert [places[int(lane["m_axis_tdata"][cycle], 16)] for cycle in behind] == ranks


def test_stalled_outputs_hold() -> None:
    lane = lanes(waves.WAVES / "stall.json")
    stalled = [cycle for cycle, ready in enumerate(lane["m_axis_tready"]) if ready == "0"]
    assert stalled
    for name in ("m_axis_tvalid", "m_axis_tdata", "m_axis_tlast", "2: rank_reg", "1: length"):
        assert len({lane[name][cycle] for cycle in [*stalled, stalled[-1] + 1]}) == 1
