"""Figures that others published."""

from __future__ import annotations

SOURCE = (
    "A. Agrawal et al., *Quad Length Codes for Lossless Compression of e4m3*, "
    "[arXiv:2602.17849v2](https://arxiv.org/abs/2602.17849v2)"
)
MODEL = "Gemma 2B"

SAVED: dict[str, dict[str, float]] = {
    "FFN1 activations": {"huffman": 15.9, "table1": 13.9, "exp-golomb": 9.2},
    "FFN2 activations": {"huffman": 23.2, "table1": 16.7, "table2": 19.0},
    "weight gradients": {"huffman": 18.1, "table1": 15.3, "table2": 16.8},
}
"""Compressibility in percent, by tensor and code. The static scheme is ``table1``, the dynamic ``table2``."""

HERE: dict[str, tuple[str, ...]] = {
    "FFN1 activations": ("ffn_up.act", "ffn_gate.act"),
    "FFN2 activations": ("ffn_down.in",),
    "weight gradients": ("ffn_up.grad", "ffn_down.grad"),
}
"""The kinds in ``data/`` that stand beside each."""
