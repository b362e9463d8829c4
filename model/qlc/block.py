"""The block: up to 4096 symbols behind one header, raw or coded, with a CRC or without.

Header, 32 bits, big-endian; then the CRC, if bit 30 is set; then the payload.

| bits  | field                                                                                |
| ----- | ------------------------------------------------------------------------------------ |
| 31    | 1 coded, 0 raw                                                                       |
| 30    | 1: 4 bytes after the header are the CRC-32 (IEEE 802.3) of the symbols, big-endian   |
| 29    | 1 in the packet's last block                                                         |
| 28:24 | table id; 0 in a raw block                                                           |
| 23:12 | symbols - 1                                                                          |
| 11:0  | payload bytes - 1                                                                    |
"""

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from qlc import bitstream
from qlc.errors import Error
from qlc.table import TABLE_IDS, Table

HEADER_BYTES = 4
CRC_BYTES = 4
MAX_BLOCK = 4096


@dataclass(frozen=True)
class Header:
    """A block's header. `symbols` and `payload_bytes` are counts, 1 to 4096."""

    coded: bool
    has_crc: bool
    last: bool
    table_id: int
    symbols: int
    payload_bytes: int

    def pack(self) -> bytes:
        """Give the 4 bytes."""
        word = self.coded << 31 | self.has_crc << 30 | self.last << 29 | self.table_id << 24
        return (word | (self.symbols - 1) << 12 | self.payload_bytes - 1).to_bytes(HEADER_BYTES, "big")

    @classmethod
    def unpack(cls, data: bytes) -> "Header":
        """Read the 4 bytes; any 32 bits are a header."""
        word = int.from_bytes(data, "big")
        return cls(
            coded=bool(word >> 31),
            has_crc=bool(word >> 30 & 1),
            last=bool(word >> 29 & 1),
            table_id=word >> 24 & TABLE_IDS - 1,
            symbols=(word >> 12 & MAX_BLOCK - 1) + 1,
            payload_bytes=(word & MAX_BLOCK - 1) + 1,
        )


class DecodedBlock(NamedTuple):
    """The symbols before the first error, and the verdict.

    If that is good: where the block ends, and whether it is marked as the packet's last.
    """

    symbols: NDArray[np.uint8]
    error: Error
    end: int
    last: bool


def encode_block(
    symbols: NDArray[np.uint8], table: Table | None, min_saving: int, crc: bool, last: bool
) -> bytes:
    """Encode 1 to 4096 symbols, uint8[n], as one block, marked if it is the packet's `last`.

    It is coded when there is a table and coding saves at least `min_saving` bytes (1 or more), else raw.
    """
    payload = symbols.tobytes()
    table_id = 0
    coded = False
    if table is not None:
        codewords = bitstream.encode(symbols, table)
        if len(symbols) - len(codewords) >= min_saving:
            payload, table_id, coded = codewords, table.table_id, True
    header = Header(coded, crc, last, table_id, len(symbols), len(payload))
    return header.pack() + (_crc(symbols) if crc else b"") + payload


def decode_block(packet: bytes, start: int, tables: Mapping[int, Table], require_crc: bool) -> DecodedBlock:
    """Decode the block that starts at byte `start` of a packet, with the loaded tables by id.

    Where `require_crc` is set, a block without one is an error, whatever else its header says.
    The verdict is the first thing wrong in stream order. A header is judged before what follows it; an
    illegal codeword that is there in full comes before the packet's end inside the payload.
    """
    no_symbols = np.zeros(0, dtype=np.uint8)
    at = start + HEADER_BYTES
    if at > len(packet):
        return DecodedBlock(no_symbols, Error.TRUNCATED, at, False)
    header = Header.unpack(packet[start:at])
    if require_crc and not header.has_crc:
        return DecodedBlock(no_symbols, Error.NO_CRC, at, header.last)
    if not header.coded and (header.payload_bytes != header.symbols or header.table_id != 0):
        return DecodedBlock(no_symbols, Error.RAW_MISMATCH, at, header.last)
    if header.coded and header.table_id not in tables:
        return DecodedBlock(no_symbols, Error.UNKNOWN_TABLE, at, header.last)

    crc = packet[at : at + CRC_BYTES]
    at += CRC_BYTES if header.has_crc else 0
    payload = packet[at : at + header.payload_bytes]
    at += header.payload_bytes

    if header.coded:
        symbols, error = bitstream.decode(payload, header.symbols, tables[header.table_id])
    else:
        symbols, error = np.frombuffer(payload, dtype=np.uint8), Error.GOOD
    if at > len(packet) and error != Error.ILLEGAL_CODEWORD:
        error = Error.TRUNCATED
    if error == Error.GOOD and header.has_crc and crc != _crc(symbols):
        error = Error.CRC_MISMATCH
    return DecodedBlock(symbols, error, at, header.last)


def _crc(symbols: NDArray[np.uint8]) -> bytes:
    return zlib.crc32(symbols.tobytes()).to_bytes(CRC_BYTES, "big")
