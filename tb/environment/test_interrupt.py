"""Whatever ends a script ends its simulations, in one line, with the status that shells expect."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent
# Plays two simulations in a pool of one, as scripts do.
SCRIPT = f"""
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from qlc_tb.simulation import run
from scripts.interrupt import end_on_signals

def play(number):
    run(
        "icarus", "faulty_stream", "environment.cocotb_sleeper", ["sleeps"], seed=1,
        sources=[Path({str(HERE / "faulty_stream.v")!r})], name=str(Path(__file__).parent / str(number)),
    )

end_on_signals("player")
with ThreadPoolExecutor(1) as pool:
    for number in range(2):
        pool.submit(play, number)
"""


def until(what: Callable[[], bool]) -> None:
    """Waits for it."""
    end = time.monotonic() + 60
    while not what():
        assert time.monotonic() < end
        time.sleep(0.02)


def alive(process: int) -> bool:
    """Whether a process runs; one that is dead and not yet waited for does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class Script:
    """The script, in a session of its own, and its simulation."""

    def __init__(self, folder: Path) -> None:
        (folder / "player.py").write_text(SCRIPT)
        # An open standard input, as a terminal's: a simulator could wait there.
        self.process = subprocess.Popen(
            [sys.executable, str(folder / "player.py")],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            preexec_fn=self.as_in_a_terminal,
        )  # fmt: skip
        told = folder / "0" / "process"
        until(lambda: told.exists() and told.read_text().endswith("\n"))
        self.simulator = int(told.read_text())
        self.second = folder / "1"

    @staticmethod
    def as_in_a_terminal() -> None:
        """Whatever the tests' own session is like."""
        os.setsid()
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    def ends(self) -> tuple[int, str]:
        """Waits until it ends and then that its simulator does, too; gives its status and its words."""
        status = self.process.wait(60)
        until(lambda: not alive(self.simulator))
        assert not self.second.exists()
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        assert self.process.stdout.read() == ""
        return status, self.process.stderr.read()


@pytest.fixture
def script(tmp_path: Path) -> Iterator[Script]:
    one = Script(tmp_path)
    yield one
    with one.process:
        if one.process.poll() is None or alive(one.simulator):
            os.killpg(one.process.pid, signal.SIGKILL)


pytestmark = [
    pytest.mark.parametrize("simulator", ["icarus"], indirect=True),
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="has no /proc"),
]


@pytest.mark.usefixtures("simulator")
class TestScript:
    def test_interrupt_from_the_terminal(self, script: Script) -> None:
        os.killpg(script.process.pid, signal.SIGINT)
        assert script.ends() == (130, "player: interrupted\n")

    def test_interrupt_of_the_script_alone(self, script: Script) -> None:
        script.process.send_signal(signal.SIGINT)
        assert script.ends() == (130, "player: interrupted\n")

    def test_sigterm(self, script: Script) -> None:
        script.process.terminate()
        assert script.ends() == (143, "player: terminated\n")

    def test_killed(self, script: Script) -> None:
        script.process.kill()
        assert script.ends() == (-signal.SIGKILL, "")

    def test_interrupted_simulator_does_not_wait_at_its_prompt(self, script: Script) -> None:
        os.kill(script.simulator, signal.SIGINT)
        until(lambda: not alive(script.simulator))
