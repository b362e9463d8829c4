"""Shows hardware and software that make tables from traffic: ``make demo-warmup``.

The first packets of a tensor pass raw, while the encoder's histogram counts a sample of them. Software reads
it over AXI4-Lite, makes a table and loads it. The packets that follow are compressed. Then the tensor of
another layer comes. Software notices only by the counters, which show more bytes a symbol. It counts again
and loads a new table.

Prints what happened. Writes ``curve.json`` to ``build/demo_warmup``, or to another folder that is new, empty
or from an earlier run, and ``curve.png`` if matplotlib is installed (requirements-plots.txt).

Exit status: 0 all right, 1 a saving is not what it should be or a failed simulation, 2 usage.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qlc.bounds import BUILDS
from qlc.table_files import write_table
from qlc_tb.simulation import SIMULATORS, SimulationError, missing, run, version

from scripts import ROOT
from scripts.codes import CONTENDERS, parameters
from scripts.committed_data import Sample, histograms, samples
from scripts.interrupt import end_on_signals
from scripts.run_folder import run_folder

FIRST = "layers.12.ffn_gate.act"
SECOND = "layers.29.ffn_gate.act"
# The code of all tables, and with it the encoder's build
CODE = CONTENDERS["auto"]
# How far a table from the histogram may be from that of the whole tensor, in points
LIMIT = 0.3
# What software takes for a drift, in points below its table's expectation
TOLERANCE = 1.0
# Windows from the change, the first mixed one included, in which it must be noticed
NOTICED_WITHIN = 2
OUTPUTS = ("windows.json", "curve.json", "curve.png")

Row = dict[str, Any]


@dataclass(frozen=True)
class Job:
    """What to play; counts are of packets."""

    first: str = FIRST
    second: str = SECOND
    # Symbols in a packet: no multiple of 1024, or the same lanes would meet the same places of the
    # sample, 1024 beats long, in each of its turns.
    packet: int = 4080
    warmup: int = 150
    window: int = 10
    following: int = 80
    forget_clear: bool = False

    @property
    def change(self) -> int:
        """The packets of the first tensor: the second comes in the middle of a window."""
        return self._compressed + self.window // 2

    @property
    def packets(self) -> int:
        """All packets: the second tensor's are noticed, counted, and compressed again."""
        return self._compressed + (NOTICED_WITHIN + 1) * self.window + self.warmup + self.following

    @property
    def _compressed(self) -> int:
        return self.warmup + self.window + self.following

    def write(self, chosen: list[Sample], folder: Path) -> Path:
        """Writes it for the simulation, and the tables made from the whole tensors."""
        counts = histograms()
        tensors = []
        for sample in chosen:
            histogram = counts[sample.histogram]
            table = CODE.table(histogram, sample.tensor.name)
            write_table(table, folder)
            file = folder / f"{table.name}.json"
            tensors.append({"tensor": sample.tensor.name, "file": str(sample.file), "table": str(file)})
        settings = {
            "tensors": tensors,
            "packet": self.packet,
            "warmup": self.warmup,
            "window": self.window,
            "change": self.change,
            "packets": self.packets,
            "tolerance": TOLERANCE,
            "forget_clear": self.forget_clear,
        }
        path = folder / "job.json"
        path.write_text(json.dumps(settings))
        return path


def simulate(job: Job, simulator: str, out: Path, seed: int) -> list[Row]:
    """Runs the simulation; gives a row a window.

    Raises SimulationError when it fails.
    """
    by_name = {sample.tensor.name: sample for sample in samples()}
    results = out / "windows.json"
    run(
        simulator,
        "qlc_encoder",
        "warmup.cocotb_warmup",
        ["warmup"],
        parameters={"BLOCK_SYMBOLS": 4096, "TABLES": 4, **parameters(BUILDS[CODE.build])},
        seed=seed,
        environment={
            "QLC_WARMUP": str(job.write([by_name[job.first], by_name[job.second]], out)),
            "QLC_RESULTS": str(results),
        },
        name=str(out / "simulation"),
    )
    rows: list[Row] = json.loads(results.read_text())
    return rows


def phases(rows: list[Row], job: Job) -> dict[str, list[Row]]:
    """The windows before the first table, with it, after the change with it, and with the second table.

    Those with packets of two kinds are in none.
    """
    loads = [number for number, row in enumerate(rows) if row["action"] == "table"]
    first = loads[0] if loads else len(rows)
    second = loads[1] if len(loads) > 1 else len(rows)
    whole = [row["packets"] <= job.change or row["packets"] - job.window >= job.change for row in rows]
    return {
        "raw": rows[: first + 1],
        "compressed": [row for row in rows[first + 2 :] if row["packets"] <= job.change],
        "drifted": [
            row
            for row, alone in zip(rows[first + 2 : second + 1], whole[first + 2 : second + 1], strict=True)
            if alone and row["packets"] > job.change
        ],
        "recovered": rows[second + 2 :],
    }


def mean(rows: list[Row], key: str) -> float:
    """The mean over windows, which all have as many symbols."""
    return float(sum(row[key] for row in rows) / len(rows))


def judge(rows: list[Row], job: Job) -> list[str]:
    """What is wrong; empty when all is well."""
    parts = phases(rows, job)
    empty = [name for name, windows in parts.items() if not windows]
    if empty:
        return [f"no window is {' or '.join(empty)}"]
    wrong = []
    if any(row["coded"] for row in parts["raw"]):
        wrong.append("coded blocks before there was a table")
    for name in ("compressed", "recovered"):
        windows = parts[name]
        saving, offline = mean(windows, "saving"), mean(windows, "offline")
        if len(windows) * job.window < job.following:
            wrong.append(f"{name}: {len(windows)} windows only")
        if saving < offline - LIMIT:
            wrong.append(f"{name}: {saving:.2f} % saved, the table of the whole tensor {offline:.2f} %")
    if mean(parts["drifted"], "saving") > mean(parts["drifted"], "offline") - TOLERANCE:
        wrong.append("the other tensor fits the first one's table: nothing to notice")
    drifts = [row["packets"] for row in rows if row["action"] == "drift"]
    latest = job.change + NOTICED_WITHIN * job.window
    if len(drifts) != 1 or not job.change < drifts[0] <= latest:
        wrong.append(f"drift noticed after packets {drifts}, expected one after {job.change}, until {latest}")
    return wrong


def report(rows: list[Row], job: Job) -> None:
    """A line for each thing that happened."""
    parts = phases(rows, job)
    names = {"raw": job.first, "compressed": job.first, "drifted": job.second, "recovered": job.second}
    loads = [row for row in rows if row["action"] == "table"]
    print("packets     tensor                    saved %  offline %  what")
    for name, windows in parts.items():
        if not windows:
            continue
        span = f"{windows[0]['packets'] - job.window + 1}-{windows[-1]['packets']}"
        what = {
            "raw": f"raw; {loads[0]['samples']} symbols counted" if loads else "raw",
            "compressed": "with the table of these counts",
            "drifted": "other data, same table; noticed, counted again",
            "recovered": f"with the second table, of {loads[-1]['samples']} symbols" if loads else "",
        }[name]
        saving, offline = mean(windows, "saving"), mean(windows, "offline")
        print(f"{span:11} {names[name]:25} {saving:7.2f}  {offline:9.2f}  {what}")


def draw(rows: list[Row], job: Job, file: Path) -> bool:
    """Draws the curve; tells whether it could."""
    try:
        import matplotlib.pyplot as plt
    except ModuleNotFoundError:
        return False

    plt.switch_backend("Agg")
    figure, axes = plt.subplots(figsize=(9, 4.5), layout="constrained")
    packets = [row["packets"] for row in rows]
    axes.step(packets, [row["offline"] for row in rows], where="pre", color="0.6", linestyle="--",
              label="table made offline from the whole tensor")  # fmt: skip
    axes.step(packets, [row["saving"] for row in rows], where="pre", color="C0", label="measured")
    for row in rows:
        if row["action"]:
            color = {"table": "C2", "drift": "C3"}[row["action"]]
            axes.axvline(row["packets"], color=color, linewidth=1)
            text = {"table": "table made", "drift": "drift noticed"}[row["action"]]
            axes.annotate(text, (row["packets"], 1.0), xycoords=("data", "axes fraction"), rotation=90,
                          va="top", ha="right", color=color, fontsize=8)  # fmt: skip
    axes.axvline(job.change, color="0.3", linewidth=1, linestyle=":")
    axes.set_xlabel(f"packets of {job.packet} symbols: {job.first}, from {job.change} on {job.second}")
    axes.set_ylabel(f"saving over {job.window} packets, %")
    axes.legend(loc="lower right")
    figure.savefig(file, dpi=120)
    plt.close(figure)
    return True


def parse_arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    names = [sample.tensor.name for sample in samples() if not sample.tensor.name.endswith(".scale")]
    parser.add_argument("--sim", choices=SIMULATORS, default="verilator")
    parser.add_argument("--first", default=FIRST, metavar="TENSOR", help=f"default: {FIRST}")
    parser.add_argument("--second", default=SECOND, metavar="TENSOR", help=f"default: {SECOND}")
    parser.add_argument("--warmup", type=int, default=Job.warmup, help="packets to count (default: 150)")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "demo_warmup", metavar="DIR")
    parser.add_argument("--seed", type=int, default=1, help="of the simulators' random values (default: 1)")
    parser.add_argument(
        "--plant-fault",
        action="store_true",
        help="software forgets to clear the histogram the second time; the run must fail",
    )
    arguments = parser.parse_args()
    for name in (arguments.first, arguments.second):
        if name not in names:
            parser.error(f"{name}: no such tensor in data/")
    if arguments.warmup < 1 or arguments.warmup % Job.window:
        parser.error(f"--warmup {arguments.warmup}: must be a multiple of {Job.window}")
    return arguments


def main() -> int:
    """Runs everything; see the module's text."""
    arguments = parse_arguments()
    if (lack := missing(arguments.sim)) is not None:
        print(f"demo-warmup: {lack}", file=sys.stderr)
        return 1
    out = arguments.out.resolve()
    with ExitStack() as stack:
        try:
            stack.enter_context(run_folder("demo-warmup", out, OUTPUTS))
        except OSError as error:
            print(f"demo-warmup: --out {out}: {error.strerror}", file=sys.stderr)
            return 2
        return play(out, arguments)


def play(out: Path, arguments: argparse.Namespace) -> int:
    """Plays the job, prints and writes what happened; gives the exit status."""
    begin = time.monotonic()
    job = Job(arguments.first, arguments.second, warmup=arguments.warmup, forget_clear=arguments.plant_fault)
    try:
        rows = simulate(job, arguments.sim, out, arguments.seed)
    except SimulationError as error:
        print(f"demo-warmup: {error}", file=sys.stderr)
        return 1
    wrong = judge(rows, job)
    curve = {
        "first": job.first,
        "second": job.second,
        "packet_symbols": job.packet,
        "window_packets": job.window,
        "change": job.change,
        "wrong": wrong,
        "windows": rows,
    }
    (out / "curve.json").write_text(json.dumps(curve, indent=1) + "\n")
    report(rows, job)
    print(f"curve: {out / 'curve.json'}")
    if draw(rows, job, out / "curve.png"):
        print(f"       {out / 'curve.png'}")
    else:
        print("no picture: matplotlib is not installed (pip install -r requirements-plots.txt)")
    for text in wrong:
        print(f"demo-warmup: {text}", file=sys.stderr)
    print(
        f"{'FAIL' if wrong else 'PASS'}: {job.packets} packets, {version(arguments.sim)}, "
        f"{time.monotonic() - begin:.1f} s"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    end_on_signals("demo-warmup")
    sys.exit(main())
