"""Golden model of Quad Length Codes (QLC).

In the order the data flows, each module using only those above it:

| module       | holds                                                             |
| ------------ | ----------------------------------------------------------------- |
| errors       | a decoder's verdicts; the exception for input that cannot be used |
| histogram    | counts of the symbols, entropy, expected length                   |
| ranking      | symbols by frequency, special values last                         |
| scheme       | prefix, areas, codewords; the published schemes                   |
| optimum      | the best scheme for a histogram                                   |
| threshold    | a scheme by the frequency-threshold heuristic                     |
| table        | a scheme and a ranking for one tensor; calibration                |
| table_files  | the files of a table (written by `atomic`)                        |
| reference    | encoding and decoding bit by bit, as in the paper                 |
| bitstream    | the same at numpy speed                                           |
| block        | header, CRC, raw or coded payload                                 |
| packet       | blocks one after another, and when to send them raw               |
| sampling     | the histogram that hardware takes of passing packets              |
| baselines    | Huffman, Exp-Golomb, Elias gamma                                  |
| tensors      | input files                                                       |
| analyze      | all codes side by side                                            |
| cli          | the command line                                                  |
"""
