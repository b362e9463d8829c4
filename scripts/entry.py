"""What every script does before anything else, so it is imported first.

Modules of this checkout come from this checkout, whatever the environment and the installed ``qlc`` say.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def use_own_tree() -> None:
    """Puts this checkout's modules first."""
    sys.path[:0] = [str(HERE.parent / "model"), str(HERE.parent / "tb")]


use_own_tree()
