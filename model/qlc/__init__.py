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
| cli          | the command line                                                  |
"""

__version__ = "0.1.0"
