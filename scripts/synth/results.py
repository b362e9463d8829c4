"""The results of synthesis that are kept in docs/figures/synth.json."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scripts import ROOT

Row = dict[str, Any]
FILE = ROOT / "docs" / "figures" / "synth.json"
# The library whose areas are compared.
LIBRARY = "asap7_RVT_TT"


def compared(rows: Sequence[Row]) -> dict[str, Row]:
    """The targets in that library, tables in flip-flops, by name."""
    return {
        row["target"]: row for row in rows if row["technology"] == LIBRARY and row["tables"] == "registers"
    }
