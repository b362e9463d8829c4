"""What a packet or a table's file holds, in a line."""

from pathlib import Path
from typing import BinaryIO

from qlc.block import CRC_BYTES, HEADER_BYTES, Header
from qlc.bounds import BUILDS
from qlc.errors import Error, InputError
from qlc.packet import read_block
from qlc.table import Table
from qlc.table_index import Index


def table_line(table: Table) -> str:
    """Describe a table, with the builds that hold it."""
    fits = ", ".join(name for name, bounds in BUILDS.items() if bounds.problem(table) is None)
    return (
        f"table {table.name}, id {table.table_id}: {table.dtype}, code {table.code}, "
        f"{table.raw_bits} raw bits; made of {table.symbols_counted} symbols, "
        f"entropy {table.entropy_bits:.3f}, expected {table.expected_bits:.3f} bits a symbol; fits {fits}"
    )


def index_line(index: Index) -> str:
    """Describe an index of tables."""
    return f"index of {len(index.tables)} tables for {len(index.tensors)} tensors"


def packet_line(path: Path, stream: BinaryIO) -> str:
    """Describe a packet by its headers alone; what they say of payloads and CRCs is not checked.

    `stream` is the packet as a buffered binary file, `path` what an error names. Raises `InputError` when
    it does not end where they say, and what reading raises.
    """
    blocks = coded = with_crc = symbols = size = 0
    ids: set[int] = set()
    last = False
    while not last:
        block = read_block(stream)
        if not block and not blocks:
            break
        place = f"block {blocks} at byte {size}"
        if len(block) < HEADER_BYTES:
            raise InputError(path, place, Error.TRUNCATED.label)
        header = Header.unpack(block[:HEADER_BYTES])
        if len(block) < HEADER_BYTES + CRC_BYTES * header.has_crc + header.payload_bytes:
            raise InputError(path, place, Error.TRUNCATED.label)
        blocks, size, symbols = blocks + 1, size + len(block), symbols + header.symbols
        with_crc += header.has_crc
        if header.coded:
            coded += 1
            ids.add(header.table_id)
        last = header.last
    if last and stream.read(1):
        raise InputError(path, f"byte {size}", Error.AFTER_LAST.label)
    parts = [f"packet of {blocks} blocks, {coded} coded"]
    if coded:
        parts[0] += f" with table {', '.join(map(str, sorted(ids)))}"
    parts.append(f"CRC in {with_crc}")
    saved = 100 * (1 - size / symbols) if symbols else 0.0
    parts.append(f"{symbols} symbols in {size} bytes, {saved:.2f} % saved")
    return "; ".join(parts)
