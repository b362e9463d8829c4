"""The register map, read from its SystemRDL description."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from systemrdl.compiler import RDLCompiler
from systemrdl.node import AddrmapNode, FieldNode, RegNode

RDL = Path(__file__).resolve().parents[2] / "rtl" / "qlc_regs.rdl"
TOP = "qlc_regs"
WORD_BYTES = 4


@dataclass(frozen=True)
class Field:
    """A field: where it is, what software may do, and what it is after reset."""

    name: str
    low: int
    width: int
    readable: bool
    writable: bool
    write_one_clears: bool
    pulse: bool
    hardware_writes: bool
    reset: int

    @property
    def mask(self) -> int:
        """Its bits in the register."""
        return ((1 << self.width) - 1) << self.low

    @property
    def stored(self) -> bool:
        """Whether it reads as it was written."""
        return self.readable and self.writable and not self.write_one_clears and not self.pulse


@dataclass(frozen=True)
class Register:
    """A register, or one of an array (named with its index)."""

    name: str
    address: int
    width: int
    fields: tuple[Field, ...]

    @property
    def readable(self) -> bool:
        """Whether any field can be read."""
        return any(field.readable for field in self.fields)

    @property
    def writable(self) -> bool:
        """Whether any field can be written."""
        return any(field.writable for field in self.fields)

    @property
    def words(self) -> range:
        """The addresses of its words, the low one first."""
        return range(self.address, self.address + self.width // 8, WORD_BYTES)

    @property
    def reset(self) -> int:
        """What reads after reset."""
        return sum(field.reset << field.low for field in self.fields if field.readable)

    def mask(self, *, stored: bool) -> int:
        """The bits that read as written, or those of all fields."""
        return sum(field.mask for field in self.fields if field.stored or not stored)

    def __getitem__(self, name: str) -> Field:
        """The field of this name."""
        return next(field for field in self.fields if field.name == name)

    def pack(self, **values: int) -> int:
        """The word with these fields, the others 0."""
        return sum(value << self[name].low for name, value in values.items())

    def unpack(self, word: int) -> dict[str, int]:
        """A word's fields."""
        return {field.name: (word & field.mask) >> field.low for field in self.fields}


class RegisterMap(Mapping[str, Register]):
    """The registers by name, of an array as ``name[0]``, for a top with these parameters."""

    def __init__(self, rdl: Path = RDL, **parameters: int) -> None:
        """Compiles the description. Parameters not given have the description's defaults."""
        compiler = RDLCompiler()
        compiler.compile_file(str(rdl))
        top = compiler.elaborate(top_def_name=TOP, parameters=dict(parameters)).top
        self._enumerations = _enumerations(top)
        self.bytes = 0x1000
        self._registers: dict[str, Register] = {}
        for node in top.registers(unroll=True):
            name = node.get_path_segment(array_suffix="[{index:d}]")
            self._registers[name] = _register(name, node)

    def __getitem__(self, name: str) -> Register:
        """The register of this name."""
        return self._registers[name]

    def __iter__(self) -> Iterator[str]:
        """All names, by address."""
        return iter(self._registers)

    def __len__(self) -> int:
        """How many there are."""
        return len(self._registers)

    def enumeration(self, name: str) -> dict[str, int]:
        """The members of the enumeration of this name."""
        return self._enumerations[name]

    def unmapped(self) -> list[int]:
        """The word addresses where no register is."""
        used = {address for register in self.values() for address in register.words}
        return [address for address in range(0, self.bytes, WORD_BYTES) if address not in used]


def _enumerations(top: AddrmapNode) -> dict[str, dict[str, int]]:
    found = {}
    for register in top.registers():
        for field in register.fields():
            if (encode := field.get_property("encode")) is not None:
                found[encode.type_name] = {member.name: int(member.value) for member in encode}
    return found


def _register(name: str, node: RegNode) -> Register:
    return Register(
        name, node.absolute_address, node.get_property("regwidth"), tuple(map(_field, node.fields()))
    )


def _field(node: FieldNode) -> Field:
    onwrite = node.get_property("onwrite")
    return Field(
        name=node.inst_name,
        low=node.lsb,
        width=node.width,
        readable=node.is_sw_readable,
        writable=node.is_sw_writable,
        write_one_clears=onwrite is not None and onwrite.name == "woclr",
        pulse=bool(node.get_property("singlepulse")),
        hardware_writes=node.is_hw_writable,
        reset=int(str(node.get_property("reset") or 0)),
    )
