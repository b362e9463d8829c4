"""The command line in careless hands: what it reads is never lost, what it writes is whole or not there."""

import errno
import json
import os
import re
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import qlc
from qlc import atomic
from qlc.atomic import overwritten, write_all_atomic, write_atomic
from qlc.bounds import BUILDS
from qlc.cli import main
from qlc.table_files import read_table
from safetensors import serialize

SYMBOLS = np.minimum(np.random.default_rng(8).exponential(12, size=9000), 255).astype(np.uint8)
KINDS = ("json", "code.hex", "rank.hex", "symbol.hex", "length.hex")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A folder with a tensor, its table and packet."""
    monkeypatch.chdir(tmp_path)
    np.save("up.npy", SYMBOLS)
    assert main(["calibrate", "up.npy", "--out", ".", "--scheme", "table1"]) == 0
    assert main(["encode", "up.npy", "packet", "--table", "up.json"]) == 0
    return tmp_path


def program(*arguments, **options):
    command = [sys.executable, "-m", "qlc", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, check=False, **options)


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def link(path, to, kind):
    if kind == "symlink":
        path.symlink_to(to.name)
    elif kind == "hard link":
        path.hardlink_to(to)
    return path if kind != "same" else to


class TestInputsAreKept:
    @pytest.mark.parametrize("kind", ["same", "symlink", "hard link"])
    @pytest.mark.parametrize(
        ("verb", "read"),
        [
            ("encode", "up.npy"),
            *(("encode", f"up.{kind}") for kind in KINDS),
            ("decode", "packet"),
            *(("decode", f"up.{kind}") for kind in KINDS),
            ("analyze --json", "up.npy"),
            ("analyze --html", "up.npy"),
            ("analyze --csv", "up.npy"),
        ],
    )
    def test_outputs(self, folder, capsys: pytest.CaptureFixture[str], verb, read, kind) -> None:
        output = link(folder / "other", folder / read, kind).name
        before = contents(folder)
        verb, *option = verb.split()
        arguments = {
            "encode": ["up.npy", output, "--table", "up.json"],
            "decode": ["packet", output, "--table", "up.json"],
            "analyze": ["up.npy", *option, output],
        }[verb]
        assert main([verb, *arguments]) == 1
        assert capsys.readouterr().err == f"qlc: {output}: is the input {read}, which would be lost\n"
        assert contents(folder) == before

    @pytest.mark.parametrize("kind", KINDS)
    @pytest.mark.parametrize("through", ["symlink", "hard link"])
    def test_files_of_tables(self, folder, capsys: pytest.CaptureFixture[str], kind, through) -> None:
        """Calibrating on a file that one of the table's own files leads to."""
        (folder / "in").mkdir()
        (folder / "in" / "notes").write_bytes(b"some bytes")
        if through == "symlink":
            (folder / f"notes.{kind}").symlink_to("in/notes")
        else:
            (folder / f"notes.{kind}").hardlink_to("in/notes")
        self.is_refused(folder, capsys, "in/notes", f"notes.{kind}")

    def test_a_file_of_the_table_s_own_name(self, folder, capsys: pytest.CaptureFixture[str]) -> None:
        (folder / "notes.json").write_bytes(b"some bytes")
        self.is_refused(folder, capsys, "notes.json", "notes.json")

    def is_refused(self, folder, capsys: pytest.CaptureFixture[str], source, output):
        before = contents(folder)
        assert main(["calibrate", source, "--out", "."]) == 1
        error = capsys.readouterr().err.splitlines()[-1]
        assert error == f"qlc: {output}: is the input {source}, which would be lost"
        assert contents(folder) == before

    def test_a_name_that_the_file_system_takes_for_the_same(
        self, folder, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """As where upper and lower case are one: the other name leads to the same file."""
        real = Path.stat

        def stat_of(path, **options):
            return real(Path("up.npy") if path.name == "UP.NPY" else path, **options)

        monkeypatch.setattr(Path, "stat", stat_of)
        assert overwritten(Path("UP.NPY"), [Path("up.npy")]) == Path("up.npy")

    def test_the_two_outputs_of_analyze(self, folder, capsys: pytest.CaptureFixture[str]) -> None:
        for page in ("figures", "./figures"):
            with pytest.raises(SystemExit) as stop:
                main(["analyze", "up.npy", "--json", "figures", "--html", page])
            assert stop.value.code == 2
        assert "cannot be both" in capsys.readouterr().err
        assert not (folder / "figures").exists()

    def test_appending_to_an_input(self, folder) -> None:
        before = contents(folder)
        with (folder / "packet").open("ab") as out:
            done = subprocess.run(
                [sys.executable, "-m", "qlc", "decode", "packet", "-", "--table", "up.json"],
                stdout=out,
                stderr=subprocess.PIPE,
                check=False,
            )
        assert done.returncode == 1
        assert done.stderr == b"qlc: -: is the input packet, which would be lost\n"
        assert contents(folder) == before

    @pytest.mark.parametrize("verb", ["encode", "decode"])
    def test_what_is_piped_in(self, folder, verb) -> None:
        """As `qlc encode - f < f`."""
        source = {"encode": "up.npy", "decode": "packet"}[verb]
        before = contents(folder)
        with (folder / source).open("rb") as stream:
            done = program(verb, "-", source, "--table", "up.json", stdin=stream)
        assert done.returncode == 1
        assert done.stderr == f"qlc: {source}: is the input -, which would be lost\n".encode()
        assert contents(folder) == before

    def test_what_may_not_be_written_to(
        self, folder, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (folder / "out").write_bytes(b"kept")
        (folder / "out").chmod(0o444)
        real = os.access  # root may write to every file
        monkeypatch.setattr(os, "access", lambda path, mode: Path(path).name != "out" and real(path, mode))
        before = contents(folder)
        assert main(["decode", "packet", "out", "--table", "up.json"]) == 1
        assert capsys.readouterr().err == "qlc: out: Permission denied\n"
        assert contents(folder) == before

    def test_a_file_of_another_run(self, folder, monkeypatch: pytest.MonkeyPatch) -> None:
        """A temporary file never takes the place of one that is there, whoever made it."""
        monkeypatch.setattr(atomic.secrets, "token_hex", lambda size: "taken")
        (folder / ".qlc-taken").write_bytes(b"kept")
        with pytest.raises(FileExistsError):
            write_atomic(folder / "out", b"data")
        assert (folder / ".qlc-taken").read_bytes() == b"kept"


class TestPipes:
    @pytest.mark.parametrize(
        "line", ["info packet", "analyze up.npy --json -", "encode up.npy - --table up.json"]
    )
    def test_a_full_disk_behind_it(self, folder, line) -> None:
        with open("/dev/full", "wb") as full:
            command = [sys.executable, "-m", "qlc", *line.split()]
            done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
        assert (done.returncode, done.stderr) == (1, b"qlc: -: No space left on device\n")

    def test_there_and_back(self, folder) -> None:
        encoded = program("encode", "-", "-", "--table", "up.json", input=SYMBOLS.tobytes())
        assert (encoded.returncode, encoded.stderr) == (0, b"")
        assert encoded.stdout == (folder / "packet").read_bytes()
        decoded = program("decode", "-", "-", "--table", "up.json", input=encoded.stdout)
        assert (decoded.returncode, decoded.stdout, decoded.stderr) == (0, SYMBOLS.tobytes(), b"")
        assert not (folder / "-").exists()

    def test_a_file_of_that_name(self, folder) -> None:
        assert main(["encode", "up.npy", "./-", "--table", "up.json"]) == 0
        assert (folder / "-").read_bytes() == (folder / "packet").read_bytes()
        assert main(["verify", "./-", "--table", "up.json"]) == 0

    @pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
    @pytest.mark.parametrize(
        "line",
        [
            "analyze up.npy -",
            "info - packet",
            "verify packet - --table up.json",
            "encode up.npy - --table up.json",
        ],
    )
    def test_closed_streams(self, folder, line, closed) -> None:
        shell = f"exec {sys.executable} -m qlc {line} {closed}"
        done = subprocess.run(["sh", "-c", shell], capture_output=True, input=b"", timeout=60, check=False)
        assert done.returncode in (0, 1)
        assert b"Traceback" not in done.stderr
        assert b"qlc: " not in done.stdout

    def test_figures(self, folder) -> None:
        done = program("analyze", "-", "--json", "-", input=SYMBOLS.tobytes())
        assert [t["symbols"] for t in json.loads(done.stdout)["tensors"]] == [9000]

    @pytest.mark.parametrize("name", ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
    @pytest.mark.parametrize("mode", ["ab", "wb"])
    def test_what_was_there_before_stays(self, folder, name, mode) -> None:
        """As `>> f` and `{ ...; } > f` of a shell."""
        with (folder / "f").open(mode) as out:
            out.write(b"before")
            out.flush()
            subprocess.run(
                [sys.executable, "-m", "qlc", "decode", "packet", name, "--table", "up.json"],
                stdout=out,
                check=True,
            )
            out.write(b"after")
        assert (folder / "f").read_bytes() == b"before" + SYMBOLS.tobytes() + b"after"

    def test_a_closed_pipe_is_quiet(self, folder) -> None:
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run(
            [sys.executable, "-m", "qlc", "analyze", "up.npy"],
            stdout=writer,
            stderr=subprocess.PIPE,
            check=False,
        )
        os.close(writer)
        assert (done.returncode, done.stderr) == (1, b"")


class TestWholeOrNothing:
    @pytest.mark.parametrize("good", range(10))
    def test_a_full_disk_leaves_no_table_of_a_set(
        self, folder, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], good
    ) -> None:
        np.save("down.npy", SYMBOLS)
        before = contents(folder)
        done = []
        real = atomic._write

        def full(path, data, mode):
            if len(done) == good:
                real(path, data[: len(data) // 2], mode)
                raise OSError(errno.ENOSPC, "No space left on device", str(path))
            done.append(path)
            return real(path, data, mode)

        monkeypatch.setattr(atomic, "_write", full)
        assert main(["calibrate", "up.npy", "down.npy", "--out", "."]) == 1
        assert "No space left on device" in capsys.readouterr().err
        monkeypatch.undo()
        assert contents(folder) == before

    def test_sigterm_leaves_nothing(self, folder) -> None:
        """Stopped while it writes to a full pipe, after the temporary file of the first output."""
        before = contents(folder)
        code = (
            "import sys, time; from qlc import cli, atomic; real = atomic._write\n"
            "def slow(*arguments):\n"
            "    real(*arguments); print('written', flush=True); time.sleep(60)\n"
            "atomic._write = slow; sys.exit(cli.main(sys.argv[1:]))"
        )
        for number, status in ((signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)):
            process = subprocess.Popen(
                [sys.executable, "-c", code, "decode", "packet", "out", "--table", "up.json"],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            assert process.stdout.readline() == b"written\n"
            process.send_signal(number)
            _, said = process.communicate(timeout=20)
            assert process.returncode == status
            assert said == (b"qlc: interrupted\n" if status == 130 else b"")
            assert contents(folder) == before

    @pytest.mark.parametrize("line", ["encode up.npy out", "decode packet out"])
    def test_a_disk_that_becomes_full(self, folder, line) -> None:
        """A limit of the system's own ends the file in its middle."""
        before = contents(folder)
        code = (
            "import resource, sys; from qlc import cli\n"
            "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
            "sys.exit(cli.main(sys.argv[1:]))"
        )
        command = [sys.executable, "-c", code, *line.split(), "--table", "up.json"]
        done = subprocess.run(command, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (1, b"qlc: out: File too large\n")
        assert contents(folder) == before

    def test_what_is_ignored_stays_so(self, folder) -> None:
        """As under nohup."""
        code = (
            "import os, signal, sys; from qlc import cli, atomic; real = atomic._write\n"
            "def hung_up(*arguments):\n"
            "    os.kill(os.getpid(), signal.SIGHUP); real(*arguments)\n"
            "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
            "atomic._write = hung_up; sys.exit(cli.main(sys.argv[1:]))"
        )
        command = [sys.executable, "-c", code, "decode", "packet", "out", "--table", "up.json"]
        assert subprocess.run(command, check=False).returncode == 0
        assert (folder / "out").read_bytes() == SYMBOLS.tobytes()

    def test_signals_wait_for_the_renames(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        real = Path.replace
        caught = []
        before = signal.signal(signal.SIGTERM, lambda *_: caught.append(len(list(tmp_path.glob("f*")))))

        def replace(path, target):
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(0.01)
            return real(path, target)

        monkeypatch.setattr(Path, "replace", replace)
        try:
            write_all_atomic({tmp_path / f"f{i}": b"x" for i in range(5)})
        finally:
            signal.signal(signal.SIGTERM, before)
        assert caught == [5]

    @pytest.mark.parametrize("mode", [0o600, 0o644, 0o755, 0o664])
    def test_the_mode_of_a_replaced_file_stays(self, tmp_path: Path, mode) -> None:
        path = tmp_path / "f"
        path.write_bytes(b"old")
        path.chmod(mode)
        write_atomic(path, b"new")
        assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"new", mode)

    def test_a_name_as_long_as_the_system_takes(self, tmp_path: Path) -> None:
        write_atomic(tmp_path / ("x" * 255), b"data")
        assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"data"]


def save(path, *entries):
    path.write_bytes(serialize({n: {"dtype": d, "shape": [len(x)], "data": x} for n, d, x in entries}))


class TestPassedOver:
    DATA = SYMBOLS[:2000].tobytes()

    def test_what_cannot_be_read(self, folder, capsys: pytest.CaptureFixture[str]) -> None:
        (folder / "bad.npy").write_bytes(b"no")
        assert main(["calibrate", "no.npy", "bad.npy", "up.npy", "--out", "new"]) == 1
        assert capsys.readouterr().err.splitlines() == [
            "qlc: no.npy: No such file or directory",
            "qlc: bad.npy: header: not a .npy file",
        ]
        assert read_table(folder / "new" / "up.json").table_id == 0
        assert main(["analyze", "no.npy", "up.npy", "--json", "figures"]) == 1
        assert len(json.loads((folder / "figures").read_text())["tensors"]) == 1

    def test_what_has_no_symbols(self, folder, capsys: pytest.CaptureFixture[str]) -> None:
        save(folder / "m.safetensors", ("a", "uint8", b""), ("b", "uint8", self.DATA))
        assert main(["calibrate", "m.safetensors", "--out", "new"]) == 0
        assert main(["analyze", "m.safetensors", "--json", "figures"]) == 0
        assert capsys.readouterr().err == "qlc: m.safetensors: a: passed over: no symbols\n" * 2
        assert [t["name"] for t in json.loads((folder / "figures").read_text())["tensors"]] == ["b"]

    def test_names_of_tables_are_distinct(self, folder, capsys: pytest.CaptureFixture[str]) -> None:
        names = ["a/b", "a_b", "A_B", "a_b-2", "x" * 300, "x" * 301, "", "é"]
        save(folder / "m.safetensors", *((name, "uint8", self.DATA) for name in names))
        assert main(["calibrate", "m.safetensors", "--out", "new", "--scheme", "table1"]) == 0
        stems = {path.name.split(".")[0].casefold() for path in (folder / "new").iterdir()}
        assert len(stems) == len(names)
        tables = [read_table(path) for path in (folder / "new").glob("*.json")]
        assert sorted(table.table_id for table in tables) == list(range(len(names)))
        said = capsys.readouterr().err
        assert "qlc: m.safetensors: a_b: its table is a_b-3: a_b is that of m.safetensors: A_B\n" in said

    def test_the_same_file_twice(self, folder) -> None:
        assert main(["calibrate", "up.npy", "up.npy", "--out", "new", "--scheme", "table1"]) == 0
        assert sorted(p.name for p in (folder / "new").glob("*.json")) == ["up-2.json", "up.json"]


class TestNames:
    HOSTILE = "up\n\x1b[31m\u202e\ud800é"

    def test_no_name_is_printed_raw(self, folder, capsys: pytest.CaptureFixture[str]) -> None:
        name = self.HOSTILE.replace("\ud800", "")
        data = SYMBOLS[:2000].tobytes()
        save(
            folder / "m.safetensors", (name, "uint8", b""), (name + "2", "uint8", data), ("h", "float32", b"")
        )
        for arguments in (
            ["calibrate", "m.safetensors", "--out", "new"],
            ["calibrate", "m.safetensors", "--out", "new", "--tensor", self.HOSTILE],
            ["analyze", "m.safetensors", "--dtype", "float8_e5m2"],
            ["encode", "m.safetensors", "out", "--table", "up.json"],
            ["encode", "no\n\x1b", "out", "--table", "up.json"],
            ["decode", "packet", "out", "--table", "up\n.json"],
            ["info", "no\n\x1b"],
            ["verify", "no\n\x1b", "--table", "up.json"],
        ):
            main(arguments)
            out, err = capsys.readouterr()
            for text in (out, err):
                assert "\x1b" not in text
                assert "\u202e" not in text
            assert all(line.startswith("qlc: ") for line in err.splitlines())

    def test_usage_errors_are_one_line_too(self, capsys: pytest.CaptureFixture[str]) -> None:
        with pytest.raises(SystemExit):
            main(["calibrate", "x", "--out", "new", "--scheme", "a\nb\x1b"])
        assert capsys.readouterr().err.count("\n") == 1

    def test_a_terminal_that_lacks_the_characters(self, folder) -> None:
        data = SYMBOLS[:2000].tobytes()
        save(folder / "m.safetensors", ("naïve-日", "uint8", data), ("e", "uint8", b""))
        environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
        done = program("analyze", "m.safetensors", env=environment)
        assert done.returncode == 0
        assert rb"na\xefve-\u65e5" in done.stdout
        assert b"Traceback" not in done.stderr


class TestPatterns:
    @pytest.fixture
    def model(self, folder):
        data = SYMBOLS[:2000].tobytes()
        names = ("l0.up", "l0.down", "l1.up", "l[1].up")
        save(folder / "m.safetensors", *((name, "float8_e4m3fn", data) for name in names))
        return folder

    def test_calibrate(self, model, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["calibrate", "m.safetensors", "--out", "new", "--tensor", "*.up"]) == 0
        assert sorted(p.name for p in (model / "new").glob("*.json")) == [
            "l0.up.json",
            "l1.up.json",
            "l_1_.up.json",
        ]
        assert main(["calibrate", "m.safetensors", "--out", "new", "--tensor", "*.gate"]) == 1
        assert capsys.readouterr().err == "qlc: m.safetensors: *.gate: no such 8-bit tensor\n"

    def test_analyze(self, model, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["analyze", "m.safetensors", "--tensor", "l0.*"]) == 0
        lines = capsys.readouterr().out.splitlines()[3:]
        assert [line.split()[0] for line in lines] == ["l0.down", "l0.up", "total"]

    @pytest.mark.parametrize("pattern", ["*.down", "l[1].up", "l1.up"])
    def test_encode_takes_one(self, model, pattern) -> None:
        assert main(["encode", "m.safetensors", "out", "--table", "up.json", "--tensor", pattern]) == 0

    @pytest.mark.parametrize(
        ("pattern", "said"),
        [
            ("*.up", "*.up: 3 tensors: choose one with --tensor; it holds l0.up, l1.up, l[1].up"),
            ("l?", "l?: no such 8-bit tensor; it holds l0.down, l0.up, l1.up, ..."),
        ],
    )
    def test_encode_takes_no_more(self, model, capsys: pytest.CaptureFixture[str], pattern, said) -> None:
        assert main(["encode", "m.safetensors", "out", "--table", "up.json", "--tensor", pattern]) == 1
        assert capsys.readouterr().err == f"qlc: m.safetensors: {said}\n"

    def test_directories(self, model, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["analyze", ".", "--json", "-"]) == 0
        tensors = json.loads(capsys.readouterr().out or program("analyze", ".", "--json", "-").stdout)[
            "tensors"
        ]
        assert [(t["file"], t["name"]) for t in tensors] == [
            *(("m.safetensors", name) for name in ("l0.down", "l0.up", "l1.up", "l[1].up")),
            ("up.npy", "up"),
        ]


class TestDtypes:
    def test_analyze_takes_one(self, folder, capsys: pytest.CaptureFixture[str]) -> None:
        main(["analyze", "up.npy", "--dtype", "float8_e5m2", "--json", "figures"])
        [tensor] = json.loads((folder / "figures").read_text())["tensors"]
        assert (tensor["dtype"], tensor["raw_bits"]) == ("float8_e5m2", 2)

    def test_a_table_for_another_float_says_so(self, folder, capsys: pytest.CaptureFixture[str]) -> None:
        save(folder / "m.safetensors", ("t", "float8_e5m2", SYMBOLS.tobytes()))
        main(["calibrate", "up.npy", "--out", ".", "--dtype", "float8_e4m3fn", "--scheme", "table1"])
        capsys.readouterr()
        assert main(["encode", "m.safetensors", "out", "--table", "up.json"]) == 0
        said = "qlc: m.safetensors: t: is of float8_e5m2, table up for float8_e4m3fn\n"
        assert capsys.readouterr().err == said

    def test_scales_and_others_make_tables(self, folder) -> None:
        for dtype, last in (("float8_e8m0fnu", 0xFF), ("float8_e3m4", 0xFF)):
            assert main(["calibrate", "up.npy", "--out", ".", "--dtype", dtype]) == 0
            assert read_table(folder / "up.json").rank_to_symbol[-1] == last


class TestInfoAndVerify:
    def test_info(self, folder, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["info", "packet", "up.json"]) == 0
        packet, table = capsys.readouterr().out.splitlines()
        size = len((folder / "packet").read_bytes())
        assert packet == (
            "packet: packet of 3 blocks, 3 coded with table 0; CRC in 3; "
            f"9000 symbols in {size} bytes, {100 * (1 - size / 9000):.2f} % saved"
        )
        assert table.startswith(
            "up.json: table up, id 0: uint8, code 6x40,7x16,8x32,11, 0 raw bits; made of 9000 "
        )
        fits = table.split("; fits ")[1].split(", ")
        assert fits == [n for n, b in BUILDS.items() if b.problem(read_table(folder / "up.json")) is None]

    @pytest.mark.parametrize(
        ("change", "problem"),
        [
            (lambda p: p[:-1], "block 2 at byte {last}: truncated"),
            (lambda p: p + b"x", "byte {end}: after-last"),
            (lambda p: p[:2], "block 0 at byte 0: truncated"),
        ],
    )
    def test_info_of_a_packet_that_ends_elsewhere(
        self, folder, capsys: pytest.CaptureFixture[str], change, problem
    ) -> None:
        packet = (folder / "packet").read_bytes()
        (folder / "bad").write_bytes(change(packet))
        assert main(["info", "bad", "packet"]) == 1
        out, err = capsys.readouterr()
        assert re.fullmatch(f"qlc: bad: {problem.format(last='[0-9]+', end=len(packet))}\n", err)
        assert out.startswith("packet: ")

    def test_info_of_nothing(self, folder, capsys: pytest.CaptureFixture[str]) -> None:
        (folder / "empty").write_bytes(b"")
        assert main(["info", "empty"]) == 0
        assert capsys.readouterr().out == (
            "empty: packet of 0 blocks, 0 coded; CRC in 0; 0 symbols in 0 bytes, 0.00 % saved\n"
        )

    def test_verify(self, folder, capsys: pytest.CaptureFixture[str]) -> None:
        (folder / "bad").write_bytes((folder / "packet").read_bytes()[:-1])
        assert main(["verify", "packet", "--table", "up.json"]) == 0
        assert capsys.readouterr().out == "packet: good: 3 blocks, 9000 symbols\n"
        before = contents(folder)
        assert main(["verify", "bad", "packet", "--table", "up.json"]) == 1
        out, err = capsys.readouterr()
        assert out == "packet: good: 3 blocks, 9000 symbols\n"
        assert re.fullmatch(r"qlc: bad: block 2 at byte \d+: truncated after \d+ symbols\n", err)
        assert contents(folder) == before


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["--version"])
    assert stop.value.code == 0
    assert capsys.readouterr().out == f"qlc {qlc.__version__}\n"


@pytest.mark.parametrize("verb", ["calibrate", "encode", "decode", "analyze", "info", "verify"])
def test_help_has_a_description_and_an_example(verb, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([verb, "--help"])
    assert stop.value.code == 0
    text = capsys.readouterr().out
    assert "examples:\n  " in text
    assert f"qlc {verb} " in text.split("examples:")[1]


@pytest.mark.parametrize("path", ["loop", "x" * 300, "loop/x", "up.npy/x"])
def test_paths_that_lead_nowhere(folder, capsys: pytest.CaptureFixture[str], path) -> None:
    (folder / "loop").symlink_to("loop")
    before = contents(folder)
    for arguments in (
        ["encode", "up.npy", path, "--table", "up.json"],
        ["encode", path, "out", "--table", "up.json"],
        ["encode", "up.npy", "out", "--table", f"{path}.json"],
        ["decode", path, "out", "--table", "up.json"],
        ["decode", "packet", path, "--table", "up.json"],
        ["calibrate", "up.npy", "--out", path],
        ["calibrate", path, "--out", "new"],
        ["analyze", path],
        ["analyze", "up.npy", "--json", path],
        ["info", path],
        ["verify", path, "--table", "up.json"],
    ):
        assert main(arguments) == 1
        assert capsys.readouterr().err.count("\n") == 1
        assert contents(folder) == before


def test_a_name_that_is_too_long_is_passed_over(folder) -> None:
    assert main(["calibrate", "x" * 300, "up.npy", "--out", "new"]) == 1
    assert (folder / "new" / "up.json").exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read and write everything")
def test_what_may_not_be_read_or_written(folder, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "up.npy").chmod(0)
    folder.chmod(0o555)
    for arguments in (["analyze", "up.npy"], ["decode", "packet", "out", "--table", "up.json"]):
        assert main(arguments) == 1
        assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("table", ["", ".", "/", "no/"])
def test_a_table_that_is_no_file(folder, capsys: pytest.CaptureFixture[str], table) -> None:
    for arguments in (["encode", "up.npy", "out"], ["decode", "packet", "out"]):
        assert main([*arguments, "--table", table]) == 1
        assert capsys.readouterr().err.count("\n") == 1
