"""The command line: `qlc calibrate`, `encode`, `decode`, `analyze`.

Exit status 0 done, 1 the data or the check failed, 2 usage. Every error is one line on stderr.
"""

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NoReturn

from qlc.analyze import analyze, as_html, as_json, as_text
from qlc.atomic import write_atomic
from qlc.block import MAX_BLOCK
from qlc.code import LONGEST, PRESETS, Code, CodeError
from qlc.errors import InputError
from qlc.histogram import count_symbols
from qlc.packet import DEFAULT_POLICY, MIN_BLOCK, Policy, decode_packet, encode_packet
from qlc.ranking import MAX_RAW_BITS, SPECIAL_SYMBOLS
from qlc.table import SCHEMES, TABLE_IDS, Table, calibrate
from qlc.table_files import read_table, write_table
from qlc.tensors import Tensor, read_tensors


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line, by default the process's own, and give the exit status.

    Raises `SystemExit` for usage errors and `--help`, as argparse does.
    """
    options, unknown = _parser().parse_known_args(arguments)
    if unknown:
        options.parser.error(f"unrecognized arguments: {' '.join(unknown)}")
    run: Callable[[argparse.Namespace], None] = options.run
    try:
        run(options)
    except InputError as error:
        _say(str(error))
        return 1
    except OSError as error:
        _say(": ".join(str(part) for part in (error.filename, error.strerror) if part))
        return 1
    return 0


def _calibrate(options: argparse.Namespace) -> None:
    tables: dict[str, Table] = {}
    sources: dict[str, str] = {}
    if options.shortest > options.longest:
        options.parser.error(f"--shortest {options.shortest}: must not be above --longest {options.longest}")
    for path, tensor in _tensors(options.inputs):
        if options.tensor not in (None, tensor.name):
            continue
        source = f"{path}: {tensor.name}"
        if not len(tensor.symbols):
            _say(f"{source}: passed over: no symbols to calibrate on")
            continue
        name = re.sub(r"[^A-Za-z0-9._-]", "_", tensor.name) or "_"
        if name in tables:
            raise InputError(path, tensor.name, f"table name {name} is taken by {sources[name]}")
        table_id = options.id + len(tables)
        if table_id >= TABLE_IDS:
            problem = f"table id {table_id}: ids end at {TABLE_IDS - 1}; choose with --tensor"
            raise InputError(path, tensor.name, problem)
        try:
            tables[name] = calibrate(
                count_symbols(tensor.symbols),
                options.dtype or tensor.dtype,
                options.scheme,
                name,
                table_id,
                options.raw_bits,
                options.shortest,
                options.longest,
            )
        except ValueError as error:
            raise InputError(path, tensor.name, str(error)) from None
        sources[name] = source
    if not tables:
        raise InputError(
            ", ".join(map(str, options.inputs)), options.tensor or "", "no symbols to calibrate on"
        )
    options.out.mkdir(parents=True, exist_ok=True)
    for table in tables.values():
        write_table(table, options.out)


def _encode(options: argparse.Namespace) -> None:
    _refuse_input(options.output, [options.input, options.table])
    table = read_table(options.table)
    tensor = _choose(options.input, options.tensor)
    policy = Policy(options.block, options.min_packet, options.min_saving, not options.no_crc)
    write_atomic(options.output, encode_packet(tensor.symbols, table, policy))


def _decode(options: argparse.Namespace) -> None:
    tables: dict[int, Table] = {}
    files: dict[int, Path] = {}
    for path in options.table:
        table = read_table(path)
        if table.table_id in tables:
            raise InputError(path, "table_id", f"{table.table_id} is also that of {files[table.table_id]}")
        tables[table.table_id] = table
        files[table.table_id] = path
    try:
        packet = options.input.read_bytes()
    except OSError as error:
        raise InputError(options.input, "", error.strerror or "cannot be read") from None
    decoded = decode_packet(packet, tables, require_crc=not options.allow_no_crc)
    if decoded.error:
        place = f"block {decoded.block} at byte {decoded.start}"
        raise InputError(options.input, place, f"{decoded.error.label} after {len(decoded.symbols)} symbols")
    write_atomic(options.output, decoded.symbols.tobytes())


def _analyze(options: argparse.Namespace) -> None:
    for output in (options.json, options.html):
        if output:
            _refuse_input(output, options.inputs)
    analyses = []
    for path, tensor in _tensors(options.inputs):
        try:
            analyses.append(analyze(tensor, str(path)))
        except ValueError as error:
            raise InputError(path, tensor.name, str(error)) from None
    if options.json:
        write_atomic(options.json, (json.dumps(as_json(analyses), indent=2) + "\n").encode())
    if options.html:
        write_atomic(options.html, as_html(analyses).encode())
    print(as_text(analyses))


def _refuse_input(output: Path, inputs: Sequence[Path]) -> None:
    for path in inputs:
        if output.is_file() and path.exists() and output.samefile(path):
            raise InputError(output, "", f"is the input {path}, which would be lost")


def _tensors(paths: Sequence[Path]) -> Iterator[tuple[Path, Tensor]]:
    for path in paths:
        for tensor in read_tensors(path, _say):
            yield path, tensor


def _choose(path: Path, name: str | None) -> Tensor:
    tensors = read_tensors(path)
    names = [tensor.name for tensor in tensors]
    held = f"it holds {', '.join(names[:3])}{', ...' if len(names) > 3 else ''}"
    if name is None and len(tensors) > 1:
        raise InputError(path, "", f"{len(tensors)} tensors: choose one with --tensor; {held}")
    for tensor in tensors:
        if name in (None, tensor.name):
            return tensor
    raise InputError(path, str(name), f"no such 8-bit tensor; {held}")


def _say(line: str) -> None:
    print(f"qlc: {line}", file=sys.stderr)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """One line, where argparse prints its usage first."""
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="qlc",
        description="Quad Length Codes: lossless compression of 8-bit floats.",
        epilog="IN is a .npy (uint8 or an 8-bit float), a .safetensors (F8_E4M3, F8_E5M2, U8 tensors) "
        "or any other file, which is taken as plain bytes.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    command = commands.add_parser("calibrate", help="make a table for each tensor")
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
        choices=SPECIAL_SYMBOLS,
        help="whose special values rank last; default: the file's, uint8 for plain bytes",
    )
    command.add_argument(
        "--id",
        metavar="N",
        default=0,
        type=_integer(0, TABLE_IDS - 1),
        help="id of the first table; the others count up from it (default 0)",
    )
    command.add_argument("--tensor", metavar="NAME", help="only the tensors of that name")

    command = commands.add_parser("encode", help="encode a tensor to a packet")
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

    command = commands.add_parser("decode", help="decode a packet to its bytes")
    command.set_defaults(run=_decode, parser=command)
    command.add_argument("input", metavar="IN", type=Path)
    command.add_argument("output", metavar="OUT", type=_output)
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

    command = commands.add_parser("analyze", help="compare codes on each tensor")
    command.set_defaults(run=_analyze, parser=command)
    command.add_argument("inputs", metavar="IN", nargs="+", type=Path)
    command.add_argument("--json", metavar="F", type=_output, help="write every figure to a file too")
    command.add_argument("--html", metavar="F", type=_output, help="write the table as a web page too")
    return parser


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
