"""What tests start finds modules in this checkout, whatever is installed; the tests do by pyproject.toml."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent
os.environ["PYTHONPATH"] = os.pathsep.join(map(str, (ROOT, ROOT / "model", ROOT / "tb")))
