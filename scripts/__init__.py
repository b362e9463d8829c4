"""What the make targets run: ``python -m scripts.sim`` and the like, from the root of the checkout."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
