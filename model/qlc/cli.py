"""The command line: `qlc calibrate`, `encode`, `decode`, `analyze`, `info`, `verify`.

Exit status 0 done, 1 the data or the check failed, 2 usage. Every error is one line on stderr.
"""

import argparse
import dataclasses
import json
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase
from pathlib import Path
from types import FrameType
from typing import NoReturn

from qlc import __version__
from qlc.analyze import Analysis, analyze, as_html, as_json, as_text
from qlc.atomic import STDOUT, overwritten, write_all_atomic, write_atomic
from qlc.block import MAX_BLOCK
from qlc.code import LONGEST, PRESETS, Code, CodeError
from qlc.errors import InputError, printable
from qlc.histogram import count_symbols
from qlc.info import packet_line, table_line
from qlc.packet import DEFAULT_POLICY, MIN_BLOCK, DecodedPacket, Policy, decode_packet, encode_packet
from qlc.ranking import KNOWN_DTYPES, MAX_RAW_BITS
from qlc.table import SCHEMES, TABLE_IDS, Table, calibrate
from qlc.table_files import read_table, render_table, table_paths
from qlc.tensors import STDIN, StoredTensor, Tensor, find_tensors

_INTERRUPTED = 128 + signal.SIGINT
_NAME_LENGTH = 200
"""Characters of a table's name, so that its files' names are of less than 255 bytes."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line, by default the process's own, and give the exit status.

    Raises `SystemExit` for usage errors and `--help`, as argparse does.
    """
    if (environment := _copied()) is not None:
        _say(
            f"{environment} is a copy of {sys.prefix}, whose golden model would run: make setup makes it anew"
        )
        return 1
    options, unknown = _parser().parse_known_args(arguments)
    if unknown:
        options.parser.error(f"unrecognized arguments: {' '.join(unknown)}")
    options.failed = False  # set where something was passed over that should have been done
    run: Callable[[argparse.Namespace], None] = options.run
    try:
        with _sigterm_unwinds():
            run(options)
            sys.stdout.flush()
    except InputError as error:
        _say(str(error))
        return 1
    except BrokenPipeError:
        # Who read our output has enough of it; nor must the interpreter's own flush fail.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 1
    except OSError as error:
        _say(": ".join(str(part) for part in (error.filename, error.strerror) if part))
        return 1
    except KeyboardInterrupt:
        _say("interrupted")
        return _INTERRUPTED
    return 1 if options.failed else 0


def _copied() -> Path | None:
    """The environment that this command is in, where that is a copy: it runs the Python of the original."""
    environment = Path(sys.argv[0]).absolute().parents[1:2]
    if not environment or not (environment[0] / "pyvenv.cfg").is_file():
        return None
    return None if environment[0].resolve() == Path(sys.prefix).resolve() else environment[0]


@contextmanager
def _sigterm_unwinds() -> Iterator[None]:
    """Let SIGTERM end the program by an exception, so that no temporary file stays."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _calibrate(options: argparse.Namespace) -> None:
    tables: list[Table] = []
    sources: dict[str, str] = {}
    if options.shortest > options.longest:
        options.parser.error(f"--shortest {options.shortest}: must not be above --longest {options.longest}")
    for path, tensor in _tensors(options):
        table_id = options.id + len(tables)
        if table_id >= TABLE_IDS:
            problem = f"table id {table_id}: ids end at {TABLE_IDS - 1}; choose with --tensor"
            raise InputError(path, tensor.name, problem)
        name = _table_name(tensor.name, f"{path}: {tensor.name}", sources)
        try:
            tables.append(
                calibrate(
                    count_symbols(tensor.symbols),
                    tensor.dtype,
                    options.scheme,
                    name,
                    table_id,
                    options.raw_bits,
                    options.shortest,
                    options.longest,
                )
            )
        except ValueError as error:
            raise InputError(path, tensor.name, str(error)) from None
    if not tables:
        if options.failed:
            return
        raise InputError(", ".join(map(str, options.inputs)), "", "no symbols to calibrate on")
    files = {path: text for table in tables for path, text in render_table(table, options.out).items()}
    _refuse_overwriting(files, _files(options.inputs))
    options.out.mkdir(parents=True, exist_ok=True)
    write_all_atomic(files)


def _table_name(tensor: str, source: str, sources: dict[str, str]) -> str:
    """Name a tensor's table after it, otherwise than the tables of `sources`, in any case of letters."""
    wanted = re.sub(r"[^A-Za-z0-9._-]", "_", tensor)[:_NAME_LENGTH] or "_"
    name = wanted
    number = 1
    while name.casefold() in sources:
        number += 1
        name = f"{wanted}-{number}"
    if name != wanted:
        _say(f"{source}: its table is {name}: {wanted} is that of {sources[wanted.casefold()]}")
    sources[name.casefold()] = source
    return name


def _encode(options: argparse.Namespace) -> None:
    _refuse_overwriting([options.output], [options.input, *table_paths(options.table)])
    table = read_table(options.table)
    stored = _choose(options.input, options.tensor, table.dtype)
    if "uint8" not in (stored.dtype, table.dtype) and stored.dtype != table.dtype:
        _say(f"{options.input}: {stored.name}: is of {stored.dtype}, table {table.name} for {table.dtype}")
    policy = Policy(options.block, options.min_packet, options.min_saving, not options.no_crc)
    write_atomic(options.output, encode_packet(stored.read().symbols, table, policy))


def _decode(options: argparse.Namespace) -> None:
    table_files = [file for path in options.table for file in table_paths(path)]
    _refuse_overwriting([options.output], [options.input, *table_files])
    decoded = _decoded(options.input, _read_tables(options.table), options)
    write_atomic(options.output, decoded.symbols.tobytes())


def _verify(options: argparse.Namespace) -> None:
    tables = _read_tables(options.table)
    for path in options.inputs:
        try:
            decoded = _decoded(path, tables, options)
        except InputError as error:
            _say(str(error))
            options.failed = True
        else:
            _print(printable(f"{path}: good: {decoded.block} blocks, {len(decoded.symbols)} symbols"))


def _info(options: argparse.Namespace) -> None:
    for path in options.inputs:
        try:
            if path.suffix == ".json":
                line = table_line(read_table(path))
            else:
                line = packet_line(path, _read_bytes(path))
        except InputError as error:
            _say(str(error))
            options.failed = True
        else:
            _print(printable(f"{path}: {line}"))


def _decoded(path: Path, tables: dict[int, Table], options: argparse.Namespace) -> DecodedPacket:
    decoded = decode_packet(_read_bytes(path), tables, require_crc=not options.allow_no_crc)
    if decoded.error:
        place = f"block {decoded.block} at byte {decoded.start}"
        raise InputError(path, place, f"{decoded.error.label} after {len(decoded.symbols)} symbols")
    return decoded


def _read_tables(paths: Sequence[Path]) -> dict[int, Table]:
    tables: dict[int, Table] = {}
    files: dict[int, Path] = {}
    for path in paths:
        table = read_table(path)
        if table.table_id in tables:
            raise InputError(path, "table_id", f"{table.table_id} is also that of {files[table.table_id]}")
        tables[table.table_id] = table
        files[table.table_id] = path
    return tables


def _read_bytes(path: Path) -> bytes:
    try:
        return sys.stdin.buffer.read() if path == STDIN else path.read_bytes()
    except OSError as error:
        raise InputError(path, "", error.strerror or "cannot be read") from None


def _analyze(options: argparse.Namespace) -> None:
    outputs = [output for output in (options.json, options.html) if output]
    _refuse_overwriting(outputs, _files(options.inputs))
    if len(outputs) == 2 and (outputs[0] == outputs[1] or overwritten(outputs[0], outputs[1:])):
        options.parser.error(f"--json and --html: {outputs[0]} cannot be both")
    analyses: list[Analysis] = [analyze(tensor, str(path)) for path, tensor in _tensors(options)]
    if not analyses:
        if options.failed:
            return
        raise InputError(", ".join(map(str, options.inputs)), "", "no symbols to analyze")
    files = {}
    if options.json:
        files[options.json] = (json.dumps(as_json(analyses), indent=2) + "\n").encode()
    if options.html:
        files[options.html] = as_html(analyses).encode()
    if STDOUT not in files:
        _print(as_text(analyses))
    write_all_atomic(files)


def _print(text: str) -> None:
    """Print on standard output, whatever characters it lacks."""
    encoding = sys.stdout.encoding or "utf-8"
    print(text.encode(encoding, "backslashreplace").decode(encoding))


def _refuse_overwriting(outputs: Iterable[Path], inputs: Iterable[Path]) -> None:
    kept = list(inputs)
    for output in outputs:
        path = overwritten(output, kept)
        if path is not None:
            raise InputError(output, "", f"is the input {path}, which would be lost")


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    """The files given, and those of tensors in the directories given."""
    for path in paths:
        if os.path.isdir(path):  # as Path.is_dir, but no name is too long for it
            yield from sorted(p for p in path.rglob("*") if p.suffix in (".npy", ".safetensors"))
        else:
            yield path


def _tensors(options: argparse.Namespace) -> Iterator[tuple[Path, Tensor]]:
    """The tensors asked for that have symbols, of the dtype asked for; what cannot be read is passed over."""
    met = False
    for path in _files(options.inputs):
        try:
            for stored in find_tensors(path, _say, options.dtype):
                if options.tensor is not None and not _is_named(stored, options.tensor):
                    continue
                met = True
                if stored.size:
                    yield path, dataclasses.replace(stored.read(), dtype=options.dtype or stored.dtype)
                else:
                    _say(f"{path}: {stored.name}: passed over: no symbols")
        except InputError as error:
            _say(str(error))
            options.failed = True
    if options.tensor is not None and not met and not options.failed:
        raise InputError(", ".join(map(str, options.inputs)), options.tensor, "no such 8-bit tensor")


def _is_named(stored: StoredTensor, pattern: str) -> bool:
    return stored.name == pattern or fnmatchcase(stored.name, pattern)


def _choose(path: Path, pattern: str | None, dtype: str) -> StoredTensor:
    """The one tensor of that name or pattern; the one that there is without any."""
    found = find_tensors(path, dtype=dtype)
    chosen = [s for s in found if s.name == pattern] or [
        s for s in found if pattern is None or _is_named(s, pattern)
    ]
    if len(chosen) == 1:
        return chosen[0]
    held = ", ".join(s.name for s in (chosen or found)[:3]) + (", ..." if len(chosen or found) > 3 else "")
    if chosen:
        raise InputError(
            path, pattern or "", f"{len(chosen)} tensors: choose one with --tensor; it holds {held}"
        )
    raise InputError(path, str(pattern), f"no such 8-bit tensor; it holds {held}")


def _say(line: str) -> None:
    print(f"qlc: {printable(line)}", file=sys.stderr)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """One line, where argparse prints its usage first."""
        self.exit(2, f"{self.prog}: {printable(message)} (see {self.prog} --help)\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="qlc",
        description="Quad Length Codes: lossless compression of 8-bit floats.",
        epilog="IN is a .npy (uint8 or an 8-bit float), a .safetensors (8-bit floats and U8 tensors) or any "
        "other file, which is taken as plain bytes; - is standard input, or output.",
    )
    parser.add_argument("--version", action="version", version=f"qlc {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    command = _command(
        commands,
        "calibrate",
        "make a table for each tensor",
        [
            'qlc calibrate model.safetensors --out tables --tensor "*.up_proj.weight"',
            "qlc calibrate layer0.npy layer1.npy --out tables --raw-bits 3 --shortest 4",
        ],
    )
    command.set_defaults(run=_calibrate, parser=command)
    command.add_argument("inputs", metavar="IN", nargs="+", type=Path)
    command.add_argument("--out", metavar="DIR", required=True, type=_output, help="where the table files go")
    command.add_argument(
        "--scheme",
        metavar="S",
        default="auto",
        type=_scheme,
        help="the code: auto (the best quad code; the default), huffman (the best of any number of lengths), "
        f"area8, area16 (the best of the paper's areas), {', '.join(PRESETS)}, P:e,e,... or LxN,...,L",
    )
    command.add_argument(
        "--raw-bits",
        metavar="R",
        default=0,
        type=_integer(0, MAX_RAW_BITS),
        help="low bits of every symbol that are sent as they are (default 0; 3 is the mantissa of e4m3)",
    )
    for name, default in (("shortest", 1), ("longest", LONGEST)):
        command.add_argument(
            f"--{name}",
            metavar="L",
            default=default,
            type=_integer(1, LONGEST),
            help=f"bits of the {name} codeword of auto and huffman (default {default})",
        )
    command.add_argument(
        "--dtype",
        choices=KNOWN_DTYPES,
        help="whose special values rank last; default: the file's, uint8 for plain bytes",
    )
    command.add_argument(
        "--id",
        metavar="N",
        default=0,
        type=_integer(0, TABLE_IDS - 1),
        help="id of the first table; the others count up from it (default 0)",
    )
    command.add_argument("--tensor", metavar="NAME", help=_TENSOR_HELP)

    command = _command(
        commands,
        "encode",
        "encode a tensor to a packet",
        [
            "qlc encode layer0.npy layer0.qlc --table tables/layer0.json",
            "cat layer0.bin | qlc encode - - --table tables/layer0.json > layer0.qlc",
        ],
    )
    command.set_defaults(run=_encode, parser=command)
    command.add_argument("input", metavar="IN", type=Path)
    command.add_argument("output", metavar="OUT", type=_output)
    command.add_argument("--table", metavar="T.json", required=True, type=Path)
    command.add_argument("--tensor", metavar="NAME", help="which tensor, where IN holds several")
    for name, low, high, meaning in (
        ("block", MIN_BLOCK, MAX_BLOCK, "symbols a block"),
        ("min-packet", 0, None, "send packets of fewer symbols raw"),
        ("min-saving", 1, None, "send blocks that save fewer bytes raw"),
    ):
        default = getattr(DEFAULT_POLICY, name.replace("-", "_"))
        command.add_argument(
            f"--{name}",
            metavar="N",
            default=default,
            type=_integer(low, high),
            help=f"{meaning} (default {default})",
        )
    command.add_argument("--no-crc", action="store_true", help="no CRC in the blocks: damage may go unseen")

    command = _command(
        commands,
        "decode",
        "decode a packet to its bytes",
        ["qlc decode layer0.qlc layer0.bin --table tables/layer0.json"],
    )
    command.set_defaults(run=_decode, parser=command)
    command.add_argument("input", metavar="IN", type=Path)
    command.add_argument("output", metavar="OUT", type=_output)
    _decoding(command)

    command = _command(
        commands,
        "analyze",
        "compare codes on each tensor",
        [
            "qlc analyze model.safetensors --json figures.json",
            'qlc analyze checkpoints/ --tensor "*.down_proj.*" --json -',
        ],
    )
    command.set_defaults(run=_analyze, parser=command)
    command.add_argument("inputs", metavar="IN", nargs="+", type=Path)
    command.add_argument(
        "--json", metavar="F", type=_output, help="write every figure to a file too; - instead"
    )
    command.add_argument("--html", metavar="F", type=_output, help="write the table as a web page too")
    command.add_argument("--tensor", metavar="NAME", help=_TENSOR_HELP)
    command.add_argument("--dtype", choices=KNOWN_DTYPES, help="that of the tensors; default: the file's")

    command = _command(
        commands, "info", "say what packets and tables hold", ["qlc info layer0.qlc tables/*.json"]
    )
    command.set_defaults(run=_info, parser=command)
    command.add_argument("inputs", metavar="FILE", nargs="+", type=Path, help="a packet or a table's .json")

    command = _command(
        commands,
        "verify",
        "decode packets without writing anything",
        ["qlc verify layer0.qlc --table tables/layer0.json"],
    )
    command.set_defaults(run=_verify, parser=command)
    command.add_argument("inputs", metavar="IN", nargs="+", type=Path)
    _decoding(command)
    return parser


_TENSOR_HELP = "only the tensors of that name, or that a pattern such as '*.up' matches"


def _command(
    commands: "argparse._SubParsersAction[_Parser]", name: str, meaning: str, examples: Sequence[str]
) -> argparse.ArgumentParser:
    return commands.add_parser(
        name,
        help=meaning,
        description=f"{meaning[0].upper()}{meaning[1:]}.",
        epilog="\n".join(["examples:", *(f"  {example}" for example in examples)]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def _decoding(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--table",
        metavar="T.json",
        required=True,
        type=Path,
        action="append",
        help="again for more tables; blocks find theirs by its table_id",
    )
    command.add_argument(
        "--allow-no-crc", action="store_true", help="take blocks without a CRC: damage may go unseen"
    )


def _output(text: str) -> Path:
    if not text:
        raise argparse.ArgumentTypeError("must not be empty")
    return Path(text)


def _scheme(text: str) -> Code | str:
    try:
        return text if text in SCHEMES else Code.parse(text)
    except CodeError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _integer(low: int, high: int | None) -> Callable[[str], int]:
    limits = f"at least {low}" if high is None else f"{low} to {high}"

    def parse(text: str) -> int:
        if (
            not (text.isascii() and text.isdigit())
            or int(text) < low
            or (high is not None and int(text) > high)
        ):
            raise argparse.ArgumentTypeError(f"{text!r}: must be {limits}")
        return int(text)

    return parse
