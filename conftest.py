"""Tests use this checkout's modules, and so do the programs that they start, whatever is installed."""

from __future__ import annotations

import os
import sys
from pathlib import Path

OWN = [str(Path(__file__).resolve().parent / folder) for folder in ("model", "tb")]
sys.path[:0] = OWN
os.environ["PYTHONPATH"] = os.pathsep.join(OWN)
