"""What ``make synth`` synthesises: modules of ``rtl/`` and how their tables are stored."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

ROOT = Path(__file__).resolve().parents[1]
# Where modules are found by name.
FOLDERS = (ROOT / "rtl", ROOT / "rtl" / "baseline")

# registers: in flip-flops, loadable; memory: as the technology's memories, loadable; constant: fixed, with
# the contents of a real table.
Tables = Literal["registers", "memory", "constant"]


@dataclass(frozen=True)
class Target:
    """A top module and its parameters."""

    top: str
    parameters: dict[str, int] = field(default_factory=dict)
    tables: Tables = "registers"
    # Parameters that take the files of a constant table, and which of them: FILE parameter to file suffix
    files: dict[str, str] = field(default_factory=dict)
    # The area of the modules below it is of interest, too
    parts: bool = False
    # Small enough for an ECP5, where place and route takes minutes
    fpga: bool = False

    def source(self) -> Path:
        """The file of the top module."""
        return next(path for folder in FOLDERS if (path := folder / f"{self.top}.v").is_file())


DECODER_FILES = {"AREA_FILE": "area", "SYMBOL_FILE": "symbol"}
ENCODER_FILES = {"RANK_FILE": "rank", "AREA_FILE": "area"}
HUFFMAN_DECODER_FILES = {"LENGTH_FILE": "length", "SYMBOL_FILE": "symbol"}

TARGETS = {
    **{
        f"decoder_core_p{p}": Target("qlc_decoder_core", {"PREFIX_BITS": p, "DATA_BITS": 32}, fpga=True)
        for p in (1, 2, 3, 4)
    },
    "decoder_core_memory": Target(
        "qlc_decoder_core", {"PREFIX_BITS": 3, "DATA_BITS": 32}, "memory", fpga=True
    ),
    "decoder_core_constant": Target(
        "qlc_decoder_core", {"PREFIX_BITS": 3, "DATA_BITS": 32}, "constant", DECODER_FILES, fpga=True
    ),
    **{
        f"encoder_core_{s}": Target("qlc_encoder_core", {"SYMBOLS": s}, parts=s == 32, fpga=s <= 4)
        for s in (1, 4, 8, 16, 32)
    },
    **{
        f"encoder_core_{s}_memory": Target("qlc_encoder_core", {"SYMBOLS": s}, "memory", fpga=s <= 4)
        for s in (1, 4, 32)
    },
    **{
        f"encoder_core_{s}_constant": Target("qlc_encoder_core", {"SYMBOLS": s}, "constant", ENCODER_FILES)
        for s in (1, 32)
    },
    **{
        f"decoder_wide_{w}": Target("qlc_decoder_wide", {"WORD_BITS": w}, parts=w == 256, fpga=w <= 32)
        for w in (8, 16, 32, 64, 128, 256, 512)
    },
    "decoder_wide_64_p4": Target("qlc_decoder_wide", {"WORD_BITS": 64, "PREFIX_BITS": 4}),
    "huffman_serial": Target("huffman_decoder_serial", fpga=True),
    "huffman_core": Target("huffman_decoder_core", fpga=True),
    "huffman_core_memory": Target("huffman_decoder_core", tables="memory", fpga=True),
    "huffman_core_constant": Target(
        "huffman_decoder_core", tables="constant", files=HUFFMAN_DECODER_FILES, fpga=True
    ),
    **{
        f"huffman_wide_{w}": Target("huffman_decoder_wide", {"WORD_BITS": w}, parts=w == 256, fpga=w <= 8)
        for w in (8, 16, 32, 64, 128, 256)
    },
    **{
        f"huffman_encoder_{s}": Target("huffman_encoder_core", {"SYMBOLS": s}, parts=s == 32, fpga=s <= 4)
        for s in (1, 4, 8, 16, 32)
    },
    **{
        f"huffman_encoder_{s}_memory": Target("huffman_encoder_core", {"SYMBOLS": s}, "memory")
        for s in (1, 32)
    },
    # The encoder's rings in flip-flops are only of interest where they are short.
    "block_encoder": Target("qlc_block_encoder", {"TABLES": 1, "BLOCK_SYMBOLS": 64}),
    "block_decoder": Target("qlc_block_decoder", {"TABLES": 1}),
    **{
        f"block_decoder_wide_{w}": Target("qlc_block_decoder", {"TABLES": 1, "WORD_BITS": w})
        for w in (64, 256, 512)
    },
    "encoder": Target("qlc_encoder", {"TABLES": 4, "BLOCK_SYMBOLS": 64}),
    "decoder": Target("qlc_decoder", {"TABLES": 4}),
    "decoder_wide_top_64": Target("qlc_decoder", {"TABLES": 4, "WORD_BITS": 64}),
}
