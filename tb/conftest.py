"""What all benches' pytest files share: the simulator, the seed and the call that runs a bench."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from qlc_tb import simulation

DEFAULT_SEED = 2602


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds ``--seed``, ``--long`` and ``--sweep``."""
    parser.addoption("--seed", type=int, default=DEFAULT_SEED, help="seed of all random stimulus in benches")
    parser.addoption("--long", action="store_true", help="also what takes many minutes")
    parser.addoption("--sweep", action="store_true", help="also every configuration, which takes hours")


def pytest_configure(config: pytest.Config) -> None:
    """Declares the markers of what the options add."""
    config.addinivalue_line("markers", "long: takes many minutes, runs with --long or --sweep only")
    config.addinivalue_line("markers", "sweep: one of very many configurations, runs with --sweep only")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what was not asked for, and says how many."""
    sweep = config.getoption("--sweep")
    asked = {"long": sweep or config.getoption("--long"), "sweep": sweep}
    absent = [marker for marker, wanted in asked.items() if not wanted]
    left_out = {item for item in items if any(item.get_closest_marker(marker) for marker in absent)}
    if left_out:
        config.hook.pytest_deselected(items=list(left_out))
        items[:] = [item for item in items if item not in left_out]


def pytest_report_header(config: pytest.Config) -> str:
    """Prints the seed."""
    return f"bench seed: {config.getoption('--seed', DEFAULT_SEED)} (--seed N)"


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> int:
    """The seed of all random stimulus."""
    return int(request.config.getoption("--seed", DEFAULT_SEED))


@pytest.fixture
def simulator(request: pytest.FixtureRequest) -> str:
    """A simulator's name, an indirect parameter; skips where it is not installed, but fails in CI."""
    if (lack := simulation.missing(request.param)) is not None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(lack)
    return str(request.param)


@pytest.fixture
def simulate(request: pytest.FixtureRequest, seed: int) -> Callable[..., Path]:
    """``simulation.run`` with the seed, in a folder of this test's own."""
    return partial(simulation.run, seed=seed, name=re.sub(r"[^\w.-]+", "-", request.node.name))


@pytest.fixture
def table_folder() -> Path:
    """Where table files go that a build names: always the same, or each run would be a new build."""
    folder = simulation.BUILD / "tables"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
