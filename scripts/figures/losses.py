"""What a build's code loses against Huffman's, from the study's figures: one axis of the front."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from qlc.bounds import BUILDS

from scripts.study.codes import mean_by_kind
from scripts.study.markdown import Results, between

# The activations of the feed-forward layers' first half, which the paper's static code is made for.
FFN = ("ffn_gate.act", "ffn_up.act")


# Of a loss in points: the study has bits with four.
DIGITS = 3


@dataclass(frozen=True)
class BuildCode:
    """A code of a build, by its name in the study, and how the page calls it."""

    build: str
    name: str
    what: str


# The codes of each build, the best one that it holds last.
CODES = (
    BuildCode("paper", "table1", "the published static code"),
    BuildCode("paper", "area8", "best of 8 areas"),
    BuildCode("quad", "auto-4", "best quad code"),
    BuildCode("raw", "auto-raw", "best quad code, raw mantissa"),
    BuildCode("huffman", "huffman-4", "best of any lengths"),
    BuildCode("huffman_raw", "huffman-raw", "best of any lengths, raw mantissa"),
    BuildCode("default", "auto", "best quad code"),
    BuildCode("any", "huffman12", "best of any lengths"),
    BuildCode("huffman_serial", "huffman16", "Huffman, at most 16 bits"),
)


def losses(study: Results) -> list[dict[str, Any]]:
    """By code, its build's bounds, and points behind Huffman without a limit to its lengths, by kind."""
    tensors = study["tensors"]
    # Their means have more digits than those that the study keeps.
    kinds = mean_by_kind(
        {name: dict(zip(tensors["codes"], row, strict=True)) for name, row in tensors["rows"].items()}
    )
    return [
        {
            "build": code.build,
            "what": code.what,
            "bounds": asdict(BUILDS[code.build]) if code.build in BUILDS else {},
            "kinds": {
                kind: round(between(bits, code.name, "huffman"), DIGITS) for kind, bits in kinds.items()
            },
        }
        for code in CODES
    ]
