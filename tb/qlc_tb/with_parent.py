"""Makes a simulator end when the program that started it is killed; ``run`` loads it before a bench."""

from __future__ import annotations

import ctypes
import signal
import sys
import warnings

_PR_SET_PDEATHSIG = 1

if sys.platform == "linux":
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
# There are none to find.
warnings.filterwarnings("ignore", f"No tests were discovered in module: {__name__}")
