"""Golden model of Quad Length Codes (QLC).

In the order the data flows, each module using only those above it:

| module       | holds                                                             |
| ------------ | ----------------------------------------------------------------- |
| errors       | a decoder's verdicts; the exception for input that cannot be used |
| histogram    | counts of the symbols, entropy, expected length                   |
| ranking      | symbols by frequency, special values last                         |
| code         | codeword lengths and their limits; the published codes            |
| optimum      | the best code for a histogram                                     |
| table        | a code and a ranking for one tensor; calibration                  |
| bounds       | which tables a hardware build can hold                            |
| table_files  | the files of a table (written by `atomic`)                        |
| reference    | encoding and decoding bit by bit                                  |
| bitstream    | the same at numpy speed                                           |
| block        | header, CRC, raw or coded payload                                 |
| packet       | blocks one after another, and when to send them raw               |
| sampling     | the histogram that hardware takes of passing packets              |
| baselines    | Huffman, Exp-Golomb, Elias gamma                                  |
| tensors      | input files                                                       |
| analyze      | all codes side by side                                            |
| info         | what a packet or table file holds                                 |
| sharing      | which tensors share a table                                       |
| table_index  | the file that tells the table of each tensor                      |
| progress     | how far long work is, on a terminal                               |
| cli          | the command line                                                  |

What most programs need is here by name: see `__all__`.
"""

from qlc.bounds import BUILDS, Bounds
from qlc.code import Code
from qlc.errors import Error, InputError
from qlc.histogram import count_symbols
from qlc.packet import DecodedPacket, Policy, decode_packet, encode_packet
from qlc.table import Table, calibrate
from qlc.table_files import read_table, write_table
from qlc.tensors import StoredTensor, Tensor, find_tensors, read_tensors

__all__ = [
    "BUILDS",
    "Bounds",
    "Code",
    "DecodedPacket",
    "Error",
    "InputError",
    "Policy",
    "StoredTensor",
    "Table",
    "Tensor",
    "calibrate",
    "count_symbols",
    "decode_packet",
    "encode_packet",
    "find_tensors",
    "read_table",
    "read_tensors",
    "write_table",
]

__version__ = "0.1.0"
