"""What ``make synth`` synthesises: modules of ``rtl/`` and how their tables are stored."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from qlc.bounds import BUILDS

from scripts.codes import parameters

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
    # The name of the parameters in qlc.bounds.BUILDS, "" for what has none
    build: str = ""
    # The area of the modules below it is of interest, too
    parts: bool = False
    # Small enough for an ECP5, where place and route takes minutes
    fpga: bool = False


DECODER_FILES = {"LENGTH_FILE": "length", "SYMBOL_FILE": "symbol"}
ENCODER_FILES = {"LENGTH_FILE": "length", "RANK_FILE": "rank"}
# The builds of qlc.bounds.BUILDS that are synthesised, in the order of the figures.
NAMES = ("paper", "quad", "raw", "huffman", "huffman_raw")
SETS = {name: parameters(BUILDS[name]) for name in NAMES}
RAW = SETS["raw"]

TARGETS = {
    **{
        f"decoder_core_{name}": Target("qlc_decoder_core", sets, build=name, fpga=True)
        for name, sets in SETS.items()
    },
    "decoder_core_raw_memory": Target("qlc_decoder_core", RAW, "memory", build="raw", fpga=True),
    "decoder_core_raw_constant": Target("qlc_decoder_core", RAW, "constant", DECODER_FILES, build="raw"),
    **{
        f"decoder_wide_{w}_{name}": Target(
            "qlc_decoder_wide", {"WORD_BITS": w, **sets}, build=name, parts=w == 256 and name != "huffman_raw"
        )
        for w in (64, 256)
        for name, sets in SETS.items()
        if name != "raw"
    },
    **{
        f"decoder_wide_{w}_raw": Target(
            "qlc_decoder_wide", {"WORD_BITS": w, **RAW}, build="raw", parts=w == 256, fpga=w == 64
        )
        for w in (8, 16, 32, 64, 128, 256, 512)
    },
    "huffman_serial": Target("huffman_decoder_serial", fpga=True),
    **{
        f"encoder_core_32_{name}": Target(
            "qlc_encoder_core", {"SYMBOLS": 32, **sets}, build=name, parts=name != "huffman_raw"
        )
        for name, sets in SETS.items()
        if name != "raw"
    },
    **{
        f"encoder_core_{s}_raw": Target(
            "qlc_encoder_core", {"SYMBOLS": s, **RAW}, build="raw", parts=s == 32, fpga=s in (1, 8)
        )
        for s in (1, 8, 16, 32)
    },
    "encoder_core_32_raw_constant": Target(
        "qlc_encoder_core", {"SYMBOLS": 32, **RAW}, "constant", ENCODER_FILES, build="raw"
    ),
    # The encoder's rings in flip-flops are only of interest where they are short.
    "block_encoder_raw": Target("qlc_block_encoder", {"TABLES": 1, "BLOCK_SYMBOLS": 64, **RAW}, build="raw"),
    "block_decoder_raw": Target("qlc_block_decoder", {"TABLES": 1, **RAW}, build="raw"),
    **{
        f"block_decoder_{w}_raw": Target(
            "qlc_block_decoder", {"TABLES": 1, "WORD_BITS": w, **RAW}, build="raw"
        )
        for w in (64, 256, 512)
    },
    "narrow_parser": Target("qlc_narrow_parser", {"TABLES": 1}),
    "wide_parser": Target("qlc_wide_parser", {"TABLES": 1}),
    "encoder": Target("qlc_encoder", {"TABLES": 4, "BLOCK_SYMBOLS": 64}, build="default"),
    "encoder_raw": Target("qlc_encoder", {"TABLES": 4, "BLOCK_SYMBOLS": 64, **RAW}, build="raw"),
    "decoder": Target("qlc_decoder", {"TABLES": 4}, build="default"),
    "decoder_64_raw": Target("qlc_decoder", {"TABLES": 4, "WORD_BITS": 64, **RAW}, build="raw"),
    "decoder_256_raw": Target("qlc_decoder", {"TABLES": 4, "WORD_BITS": 256, **RAW}, build="raw"),
}
