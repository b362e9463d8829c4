"""The paper's own arithmetic of areas, prefix and offset: what codes by lengths and limits must equal.

A. Agrawal et al., arXiv:2602.17849v2. Area a of 2^P holds `size[a]` ranks from `base[a]` on. Rank r of area a
is sent as a in P bits, then r - base[a] in extra[a] bits.
"""

from dataclasses import dataclass
from itertools import accumulate


@dataclass(frozen=True)
class Areas:
    """P and the offset bits of every area."""

    prefix_bits: int
    extra: tuple[int, ...]

    @property
    def base(self) -> list[int]:
        """The first rank of each area, at most 256."""
        return [min(rank, 256) for rank in accumulate((1 << e for e in self.extra[:-1]), initial=0)]

    def codeword(self, rank: int) -> str:
        """The bits of a rank's codeword."""
        area = max(a for a, base in enumerate(self.base) if base <= rank)
        offset = rank - self.base[area]
        extra = self.extra[area]
        return format(area, f"0{self.prefix_bits}b") + (format(offset, f"0{extra}b") if extra else "")

    def encode(self, ranks: list[int]) -> bytes:
        """The payload of a sequence of ranks."""
        words = [self.codeword(rank) for rank in range(256)]
        bits = "".join(words[rank] for rank in ranks)
        bits += "0" * (-len(bits) % 8)
        return int("1" + bits, 2).to_bytes(len(bits) // 8 + 1, "big")[1:]

    def decode(self, payload: bytes, count: int) -> list[int]:
        """The ranks of a good payload."""
        bits = bin(int.from_bytes(b"\1" + payload, "big"))[3:]
        ranks, at = [], 0
        for _ in range(count):
            area = int(bits[at : at + self.prefix_bits], 2)
            at += self.prefix_bits
            extra = self.extra[area]
            offset = int(bits[at : at + extra], 2) if extra else 0
            at += extra
            ranks.append(self.base[area] + offset)
        return ranks
