"""Cases of parametrised tests that are left out of ``make test``."""

from __future__ import annotations

from typing import Any

import pytest


def long(*values: Any) -> Any:  # noqa: ANN401, as pytest's own
    """A case that only ``make regression`` runs."""
    return pytest.param(*values, marks=pytest.mark.long)


def sweep(*values: Any) -> Any:  # noqa: ANN401, as pytest's own
    """A case that only ``make sweep`` runs, which takes hours."""
    return pytest.param(*values, marks=pytest.mark.sweep)
