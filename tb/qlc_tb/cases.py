"""Cases of parametrised tests."""

from __future__ import annotations

from typing import Any

import pytest


def long(*values: Any) -> Any:  # noqa: ANN401, as pytest's own
    """A case that only ``make regression`` runs."""
    return pytest.param(*values, marks=pytest.mark.long)
