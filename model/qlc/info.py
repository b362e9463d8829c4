"""What a packet or a table's file holds, in a line."""

from pathlib import Path

from qlc.block import CRC_BYTES, HEADER_BYTES, Header
from qlc.bounds import BUILDS
from qlc.errors import Error, InputError
from qlc.table import Table


def table_line(table: Table) -> str:
    """Describe a table, with the builds that hold it."""
    fits = ", ".join(name for name, bounds in BUILDS.items() if bounds.problem(table) is None)
    return (
        f"table {table.name}, id {table.table_id}: {table.dtype}, code {table.code}, "
        f"{table.raw_bits} raw bits; made of {table.symbols_counted} symbols, "
        f"entropy {table.entropy_bits:.3f}, expected {table.expected_bits:.3f} bits a symbol; fits {fits}"
    )


def packet_line(path: Path, packet: bytes) -> str:
    """Describe a packet by its headers alone; what they say of payloads and CRCs is not checked.

    Raises `InputError` when it does not end where they say.
    """
    headers: list[Header] = []
    at = 0
    while at < len(packet) and not (headers and headers[-1].last):
        start = at
        header = Header.unpack(packet[at : at + HEADER_BYTES])
        at += HEADER_BYTES + CRC_BYTES * header.has_crc + header.payload_bytes
        if start + HEADER_BYTES > len(packet) or at > len(packet):
            raise InputError(path, f"block {len(headers)} at byte {start}", Error.TRUNCATED.label)
        headers.append(header)
    if headers and not headers[-1].last:
        raise InputError(path, f"block {len(headers)} at byte {at}", Error.TRUNCATED.label)
    if at < len(packet):
        raise InputError(path, f"byte {at}", Error.AFTER_LAST.label)
    symbols = sum(header.symbols for header in headers)
    coded = [header for header in headers if header.coded]
    parts = [f"packet of {len(headers)} blocks, {len(coded)} coded"]
    if coded:
        parts[0] += f" with table {', '.join(map(str, sorted({header.table_id for header in coded})))}"
    parts.append(f"CRC in {sum(header.has_crc for header in headers)}")
    saved = 100 * (1 - len(packet) / symbols) if symbols else 0.0
    parts.append(f"{symbols} symbols in {len(packet)} bytes, {saved:.2f} % saved")
    return "; ".join(parts)
