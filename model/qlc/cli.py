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
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase
from itertools import combinations
from pathlib import Path
from typing import BinaryIO, NoReturn

import numpy as np
from numpy.typing import NDArray

from qlc import __version__
from qlc.analyze import analyze_counts, as_csv, as_html, as_json, as_text
from qlc.atomic import (
    STDIN,
    STDOUT,
    Data,
    overwritten,
    signals_unwind,
    standard_input,
    write_all_atomic,
    write_atomic,
)
from qlc.block import MAX_BLOCK, DecodedBlock
from qlc.code import LONGEST, PRESETS, Code, CodeError
from qlc.errors import InputError, printable
from qlc.info import index_line, packet_line, table_line
from qlc.packet import DEFAULT_POLICY, MIN_BLOCK, Policy, decode_blocks, encode_blocks
from qlc.progress import Progress, megabytes
from qlc.ranking import KNOWN_DTYPES, MAX_RAW_BITS
from qlc.sharing import share
from qlc.table import SCHEMES, TABLE_IDS, Table, calibrate
from qlc.table_files import read_table, render_table, table_paths
from qlc.table_index import INDEX_NAME, Share, index_text, read_index
from qlc.table_index import as_text as shares_as_text
from qlc.tensors import StoredTensor, find_tensors

_progress = Progress()
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
    _progress.begin()
    run: Callable[[argparse.Namespace], None] = options.run
    try:
        with signals_unwind():
            run(options)
            _progress.clear()
            if sys.stdout is not None:  # as where it is closed
                sys.stdout.flush()
    except InputError as error:
        _say(str(error))
        return 1
    except BrokenPipeError:
        # Who read our output has enough of it; nor must the interpreter's own flush fail.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 1
    except OSError as error:
        _say(f"{error.filename or STDOUT}: {error.strerror or error}")
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


@dataclasses.dataclass(frozen=True, eq=False)
class _Counted:
    """A tensor's place and its symbols' counts, int64[256], of which there is at least one."""

    path: Path
    stored: StoredTensor
    counts: NDArray[np.int64]

    def bits(self, table: Table) -> int:
        return int((self.counts * table.lengths).sum())

    @property
    def symbols(self) -> int:
        return int(self.counts.sum())


def _calibrate(options: argparse.Namespace) -> None:
    if options.shortest > options.longest:
        options.parser.error(f"--shortest {options.shortest}: must not be above --longest {options.longest}")
    if options.tables is not None and options.id + options.tables > TABLE_IDS:
        options.parser.error(f"--id {options.id} --tables {options.tables}: ids end at {TABLE_IDS - 1}")
    tensors: list[_Counted] = []
    for tensor in _counted(options):
        table_id = options.id + len(tensors)
        if options.tables is None and table_id >= TABLE_IDS:
            problem = f"table id {table_id}: ids end at {TABLE_IDS - 1}; share tables with --tables N"
            raise InputError(tensor.path, tensor.stored.name, f"{problem}, or choose with --tensor")
        tensors.append(tensor)
    if not tensors:
        if options.failed:
            return
        raise InputError(", ".join(map(str, options.inputs)), "", "no symbols to calibrate on")
    tables = _own_tables(tensors, options)
    shares: list[Share] = []
    if options.tables is not None:
        tables, shares = _shared_tables(tensors, tables, options)
    files: dict[Path, Data] = {}
    for table in tables:
        files.update(render_table(table, options.out))
    if shares:
        files[options.out / INDEX_NAME] = index_text(shares).encode()
    _refuse_overwriting(files, _files(options.inputs))
    options.out.mkdir(parents=True, exist_ok=True)
    write_all_atomic(files)
    if shares:
        _print(shares_as_text(shares))


def _make_table(
    counts: NDArray[np.int64], dtype: str, name: str, table_id: int, options: argparse.Namespace
) -> Table:
    return calibrate(
        counts, dtype, options.scheme, name, table_id, options.raw_bits, options.shortest, options.longest
    )


def _own_tables(tensors: Sequence[_Counted], options: argparse.Namespace) -> list[Table]:
    """A table for each tensor, named after it. Ids count up; where tables will be shared they are all one."""
    sources: dict[str, str] = {}
    tables = []
    for number, tensor in enumerate(tensors):
        _progress.show(f"making tables: {number} of {len(tensors)}")
        stored = tensor.stored
        name, table_id = "own", 0
        if options.tables is None:
            name = _table_name(stored.name, f"{tensor.path}: {stored.name}", sources)
            table_id = options.id + number
        try:
            tables.append(_make_table(tensor.counts, stored.dtype, name, table_id, options))
        except ValueError as error:
            raise InputError(tensor.path, stored.name, str(error)) from None
    return tables


def _shared_tables(
    tensors: Sequence[_Counted], own: Sequence[Table], options: argparse.Namespace
) -> tuple[list[Table], list[Share]]:
    """At most as many tables as asked for, and what each tensor gets and loses beside one of its own."""
    counts = np.stack([tensor.counts for tensor in tensors])
    dtypes = [tensor.stored.dtype for tensor in tensors]
    own_bits = [tensor.bits(table) for tensor, table in zip(tensors, own, strict=True)]
    try:
        chosen = share(
            counts,
            dtypes,
            options.tables,
            lambda counts, dtype: _make_table(counts, dtype, "shared", 0, options).lengths,
            _progress.show,
        ).tolist()
        tables = []
        for group in range(max(chosen) + 1):
            members = [number for number, taken in enumerate(chosen) if taken == group]
            table_id = options.id + group
            name = f"shared-{table_id:02}"
            together = counts[members].sum(axis=0)
            tables.append(_make_table(together, dtypes[members[0]], name, table_id, options))
    except ValueError as error:
        raise InputError("--tables", "", str(error)) from None
    shares = []
    for tensor, group, bits in zip(tensors, chosen, own_bits, strict=True):
        table = tables[group]
        shares.append(
            Share(
                file=str(tensor.path),
                name=tensor.stored.name,
                dtype=tensor.stored.dtype,
                symbols=tensor.symbols,
                table=f"{table.name}.json",
                table_id=table.table_id,
                own_bits=bits / tensor.symbols,
                bits=tensor.bits(table) / tensor.symbols,
            )
        )
    return tables, shares


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
    _refuse_overwriting([options.output], [options.input, *_files_of_tables([options.table])])
    index = read_index(options.table)
    if index is None:
        table = read_table(options.table)
        stored = _choose(options.input, options.tensor, table.dtype)
    else:
        # The header of a .npy does not tell all dtypes, but its tensor's name is known.
        known = [row for row in index.tensors if row[1] == options.input.stem]
        stored = _choose(options.input, options.tensor, known[0][2] if known else None)
        path, _ = index.find(options.input, stored.name)
        table = read_table(path)
    if "uint8" not in (stored.dtype, table.dtype) and stored.dtype != table.dtype:
        _say(f"{options.input}: {stored.name}: is of {stored.dtype}, table {table.name} for {table.dtype}")
    policy = Policy(options.block, options.min_packet, options.min_saving, not options.no_crc)
    blocks = encode_blocks(stored.read().symbols, table, policy)
    write_atomic(options.output, _watched(blocks, stored.size, policy.block))


def _watched(blocks: Iterable[bytes], size: int, block: int) -> Iterator[bytes]:
    for number, data in enumerate(blocks):
        _progress.show(f"encoding: {megabytes(number * block)} of {megabytes(size)}")
        yield data


def _decode(options: argparse.Namespace) -> None:
    _refuse_overwriting([options.output], [options.input, *_files_of_tables(options.table)])
    symbols = bytearray()  # all of them: where the last block is bad, the first are not written either
    for block in _decoded(options.input, _read_tables(options.table), options):
        symbols += block.symbols.data
    write_atomic(options.output, symbols)


def _verify(options: argparse.Namespace) -> None:
    tables = _read_tables(options.table)
    for path in options.inputs:
        blocks = symbols = 0
        try:
            for block in _decoded(path, tables, options):
                blocks, symbols = blocks + 1, symbols + len(block.symbols)
        except InputError as error:
            _say(str(error))
            options.failed = True
        else:
            _print(printable(f"{path}: good: {blocks} blocks, {symbols} symbols"))


def _info(options: argparse.Namespace) -> None:
    for path in options.inputs:
        try:
            if path.suffix == ".json":
                index = read_index(path)
                line = table_line(read_table(path)) if index is None else index_line(index)
            else:
                with _opened(path) as stream:
                    line = packet_line(path, stream)
        except InputError as error:
            _say(str(error))
            options.failed = True
        else:
            _print(printable(f"{path}: {line}"))


def _decoded(path: Path, tables: dict[int, Table], options: argparse.Namespace) -> Iterator[DecodedBlock]:
    """The good blocks of a packet. Raises `InputError` at the first that is not."""
    symbols = start = 0
    with _opened(path) as stream:
        blocks = decode_blocks(stream, tables, require_crc=not options.allow_no_crc)
        for number, block in enumerate(blocks):
            symbols += len(block.symbols)
            if block.error:
                place = f"block {number} at byte {start}"
                raise InputError(path, place, f"{block.error.label} after {symbols} symbols")
            start = block.end
            _progress.show(f"decoding {path}: {megabytes(symbols)}")
            yield block


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    """Open a file, or standard input, for reading only. Raises `InputError` where reading fails."""
    try:
        if path == STDIN:
            yield standard_input()
        else:
            with path.open("rb") as stream:
                yield stream
    except OSError as error:
        raise InputError(path, "", error.strerror or "cannot be read") from None


def _read_tables(paths: Sequence[Path]) -> dict[int, Table]:
    """The tables by id, of their own files and of indexes."""
    tables: dict[int, Table] = {}
    files: dict[int, Path] = {}
    for given in paths:
        index = read_index(given)
        for path in [given] if index is None else index.tables:
            table = read_table(path)
            if table.table_id in tables:
                raise InputError(
                    path, "table_id", f"{table.table_id} is also that of {files[table.table_id]}"
                )
            tables[table.table_id] = table
            files[table.table_id] = path
    return tables


def _files_of_tables(paths: Sequence[Path]) -> Iterator[Path]:
    """All files that `_read_tables` reads."""
    for given in paths:
        index = read_index(given)
        for path in [given] if index is None else index.tables:
            yield from table_paths(path)
        if index is not None:
            yield given


def _analyze(options: argparse.Namespace) -> None:
    outputs = {
        option: output
        for option, output in (("--json", options.json), ("--csv", options.csv), ("--html", options.html))
        if output
    }
    _refuse_overwriting(outputs.values(), _files(options.inputs))
    for (one, first), (other, second) in combinations(outputs.items(), 2):
        if first == second or overwritten(first, [second]):
            options.parser.error(f"{one} and {other}: {first} cannot be both")
    analyses = [
        analyze_counts(tensor.counts, tensor.stored.dtype, tensor.stored.name, str(tensor.path))
        for tensor in _counted(options)
    ]
    if not analyses:
        if options.failed:
            return
        raise InputError(", ".join(map(str, options.inputs)), "", "no symbols to analyze")
    texts = {
        "--json": lambda: json.dumps(as_json(analyses), indent=2) + "\n",
        "--csv": lambda: as_csv(analyses),
        "--html": lambda: as_html(analyses),
    }
    files = {output: texts[option]().encode() for option, output in outputs.items()}
    if STDOUT not in files:
        _print(as_text(analyses))
    write_all_atomic(files)


def _print(text: str) -> None:
    """Print on standard output, whatever characters it lacks."""
    _progress.clear()
    if sys.stdout is None:
        return
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
            yield from sorted(p for p in path.rglob("*") if p.suffix.lower() in (".npy", ".safetensors"))
        else:
            yield path


def _counted(options: argparse.Namespace) -> Iterator[_Counted]:
    """The tensors asked for that have symbols, of the dtype asked for; what cannot be read is passed over."""
    met = number = size = 0
    for path in _files(options.inputs):
        try:
            for stored in find_tensors(path, _say, options.dtype):
                if options.tensor is not None and not _is_named(stored, options.tensor):
                    continue
                met += 1
                if not stored.size:
                    _say(f"{path}: {stored.name}: passed over: no symbols")
                    continue
                _progress.show(f"{number} tensors, {megabytes(size)}; {path}: {stored.name}")
                counts = stored.count()
                number, size = number + 1, size + stored.size
                yield _Counted(path, dataclasses.replace(stored, dtype=options.dtype or stored.dtype), counts)
        except InputError as error:
            _say(str(error))
            options.failed = True
    if options.tensor is not None and not met and not options.failed:
        raise InputError(", ".join(map(str, options.inputs)), options.tensor, "no such 8-bit tensor")


def _is_named(stored: StoredTensor, pattern: str) -> bool:
    return stored.name == pattern or fnmatchcase(stored.name, pattern)


def _choose(path: Path, pattern: str | None, dtype: str | None) -> StoredTensor:
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
    _progress.clear()
    if sys.stderr is not None:  # else print would take standard output
        print(f"qlc: {printable(line)}", file=sys.stderr)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """One line, where argparse prints its usage first."""
        self.exit(2, f"{self.prog}: {printable(message)} (see {self.prog} --help)\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="qlc",
        description="Quad Length Codes: lossless compression of 8-bit floats.",
        epilog="IN is a .npy file (uint8 or an 8-bit float), a .safetensors file (8-bit floats and U8), "
        "or any other file, which is read as plain bytes. - is standard input or output.",
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
            "qlc calibrate checkpoints/ --out tables --tables 8",
        ],
    )
    command.set_defaults(run=_calibrate, parser=command)
    command.add_argument("inputs", metavar="IN", nargs="+", type=_input)
    command.add_argument("--out", metavar="DIR", required=True, type=_output, help="folder for the files")
    command.add_argument(
        "--scheme",
        metavar="S",
        default="auto",
        type=_scheme,
        help="the code: auto (the best quad code; the default), huffman (the best code of any number of "
        "lengths), area8, area16 (the best code with 8 or 16 of the paper's areas), "
        f"{', '.join(PRESETS)}, P:e,e,... or LxN,...,L",
    )
    command.add_argument(
        "--raw-bits",
        metavar="R",
        default=0,
        type=_integer(0, MAX_RAW_BITS),
        help="low bits of every symbol that are not coded (default 0; 3 is the mantissa of e4m3)",
    )
    for name, default in (("shortest", 1), ("longest", LONGEST)):
        command.add_argument(
            f"--{name}",
            metavar="L",
            default=default,
            type=_integer(1, LONGEST),
            help=f"bits of the {name} codeword that auto and huffman may use (default {default})",
        )
    command.add_argument(
        "--dtype",
        choices=KNOWN_DTYPES,
        help="type of the tensors; its special values rank last (default: the file's; uint8 for plain bytes)",
    )
    command.add_argument(
        "--id",
        metavar="N",
        default=0,
        type=_integer(0, TABLE_IDS - 1),
        help="id of the first table; the others count up from it (default 0)",
    )
    command.add_argument(
        "--tables",
        metavar="N",
        type=_integer(1, TABLE_IDS),
        help="make at most N tables that the tensors share, and write tables.json, which names the table of "
        "each tensor; print what each tensor loses by sharing",
    )
    command.add_argument("--tensor", metavar="NAME", help=_TENSOR_HELP)

    command = _command(
        commands,
        "encode",
        "encode a tensor to a packet",
        [
            "qlc encode layer0.npy layer0.qlc --table tables/layer0.json",
            "qlc encode model.safetensors up.qlc --tensor l0.up --table tables/tables.json",
            "cat layer0.bin | qlc encode - - --table tables/layer0.json > layer0.qlc",
        ],
    )
    command.set_defaults(run=_encode, parser=command)
    command.add_argument("input", metavar="IN", type=_input)
    command.add_argument("output", metavar="OUT", type=_output)
    command.add_argument(
        "--table",
        metavar="T.json",
        required=True,
        type=_input,
        help="the tensor's table, or a tables.json that names it",
    )
    command.add_argument(
        "--tensor",
        metavar="NAME",
        help="the tensor, by its name or by a pattern that matches only one, if IN holds several",
    )
    for name, low, high, meaning in (
        ("block", MIN_BLOCK, MAX_BLOCK, "symbols a block"),
        ("min-packet", 0, None, "send a packet raw if it has fewer symbols"),
        ("min-saving", 1, None, "send a block raw if coding saves fewer bytes"),
    ):
        default = getattr(DEFAULT_POLICY, name.replace("-", "_"))
        command.add_argument(
            f"--{name}",
            metavar="N",
            default=default,
            type=_integer(low, high),
            help=f"{meaning} (default {default})",
        )
    command.add_argument("--no-crc", action="store_true", help="leave out the CRCs; damage may go unseen")

    command = _command(
        commands,
        "decode",
        "decode a packet to its bytes",
        ["qlc decode layer0.qlc layer0.bin --table tables/layer0.json"],
    )
    command.set_defaults(run=_decode, parser=command)
    command.add_argument("input", metavar="IN", type=_input)
    command.add_argument("output", metavar="OUT", type=_output)
    _decoding(command)

    command = _command(
        commands,
        "analyze",
        "compare codes on each tensor",
        [
            "qlc analyze model.safetensors --json figures.json",
            'qlc analyze checkpoints/ --tensor "*.down_proj.*" --json -',
            "qlc analyze layer0.npy layer1.npy --csv figures.csv --html figures.html",
        ],
    )
    command.set_defaults(run=_analyze, parser=command)
    command.add_argument("inputs", metavar="IN", nargs="+", type=_input)
    command.add_argument(
        "--json", metavar="F", type=_output, help="also write all figures to a file; - prints only these"
    )
    command.add_argument(
        "--csv", metavar="F", type=_output, help="also write bits and percent to a file; - prints only these"
    )
    command.add_argument("--html", metavar="F", type=_output, help="also write the table as a web page")
    command.add_argument("--tensor", metavar="NAME", help=_TENSOR_HELP)
    command.add_argument("--dtype", choices=KNOWN_DTYPES, help="type of the tensors (default: the file's)")

    command = _command(
        commands, "info", "print what packets and tables hold", ["qlc info layer0.qlc tables/*.json"]
    )
    command.set_defaults(run=_info, parser=command)
    command.add_argument("inputs", metavar="FILE", nargs="+", type=_input, help="a packet or a table's .json")

    command = _command(
        commands,
        "verify",
        "decode packets without writing anything",
        ["qlc verify layer0.qlc --table tables/layer0.json"],
    )
    command.set_defaults(run=_verify, parser=command)
    command.add_argument("inputs", metavar="IN", nargs="+", type=_input)
    _decoding(command)
    return parser


_TENSOR_HELP = "take only the tensors of this name, or those that a pattern such as '*.up' matches"


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
        type=_input,
        action="append",
        help="a table, or a tables.json for all its tables; repeat the option for more; each block finds its "
        "table by the id",
    )
    command.add_argument(
        "--allow-no-crc", action="store_true", help="accept blocks without a CRC; damage may go unseen"
    )


def _output(text: str) -> Path:
    if not text:
        raise argparse.ArgumentTypeError("must not be empty")
    return _input(text)


def _input(text: str) -> Path:
    """A path, in which `./-` is the file of that name, not the pipe."""
    return Path(text) if text == "-" or Path(text) != STDIN else Path.cwd() / "-"


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
