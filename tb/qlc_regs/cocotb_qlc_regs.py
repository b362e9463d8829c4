"""Tests of the registers against their SystemRDL description."""

from __future__ import annotations

import dataclasses
import json
import os
from collections import Counter
from collections.abc import Awaitable, Callable
from types import TracebackType

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge
from qlc.bounds import HUFFMAN, RAW_MANTISSA, Bounds
from qlc.code import Code
from qlc.ranking import SPECIAL_SYMBOLS
from qlc.table import Table
from qlc_tb.axil import ALL_BYTES, CHANNELS, DECERR, OKAY, SLVERR, AxilMaster, AxilMonitor
from qlc_tb.bench import bench_test
from qlc_tb.blocks import ERROR_NAMES
from qlc_tb.dut import Dut
from qlc_tb.pattern import PATTERNS
from qlc_tb.registers import Register, RegisterMap
from qlc_tb.reset import Reset
from qlc_tb.seed import seeded
from qlc_tb.tables import bounds_of, codes, decoder_words, encoder_words, random_table

PARAMETERS = "QLC_REGS_PARAMETERS"
WORD = 0xFFFFFFFF
COUNTERS = {
    "packets": "ev_packet",
    "blocks_raw": "ev_block_raw",
    "blocks_coded": "ev_block_coded",
    "symbols": "ev_symbols",
    "bytes": "ev_bytes",
    "specials": "ev_special",
}
ALL_ERRORS = (1 << len(ERROR_NAMES)) - 1
ERROR_COUNTERS = [f"err_{name}" for name in ERROR_NAMES]
UNUSED_LENGTH = 0x01000000
FIRST_LENGTH = 256
LENGTH_WORDS = 12
# Where the hardware's own generate block keeps a counter.
COUNTER_PLACES = [*COUNTERS, None, None, *ERROR_COUNTERS]
INPUTS = [
    "table_busy",
    "table_loaded",
    "ev_packet",
    "ev_block_raw",
    "ev_block_coded",
    "ev_symbols",
    "ev_bytes",
    "ev_special",
    "ev_error",
    "hist_frozen",
    "hist_packets",
    "hist_samples",
    "hist_data",
]
# Registers that read as written: configuration port of each field.
PORTS = {
    ("control", "mode"): "cfg_mode",
    ("control", "crc"): "cfg_crc",
    ("control", "require_crc"): "cfg_require_crc",
    ("control", "dtype"): "cfg_dtype",
    ("min_packet", "symbols"): "cfg_min_packet",
    ("min_saving", "bytes"): "cfg_min_saving",
    ("hist_control", "enable"): "hist_enable",
    ("hist_freeze", "packets"): "hist_freeze",
}


def byte_mask(strobes: int) -> int:
    """The bits that byte strobes let through."""
    return sum(0xFF << 8 * byte for byte in range(4) if strobes >> byte & 1)


class RegsBench:
    """AXI4-Lite master and monitor, and in place of the data path: inputs, and a record of pulses."""

    def __init__(self, dut: Dut) -> None:
        """Builds the components and starts the clock."""
        self.dut = dut
        self.rng = seeded(dut)
        self.parameters: dict[str, int] = json.loads(os.environ.get(PARAMETERS, "{}"))
        self.map = RegisterMap(**self.parameters)
        self.decoder = bool(self.map["capability"]["decoder"].reset)
        self.tables = self.map["capability"]["tables"].reset
        self.bounds = bounds_of(dut)
        self.classes = 256 >> self.bounds.raw_bits
        self.codes: list[Code] = []
        self.reset = Reset(dut.rst, dut.clk)
        self.master = AxilMaster(dut, "s_axil", self.rng)
        self.monitor = AxilMonitor(dut, "s_axil", self.reset)
        self.written: list[tuple[int, int]] = []
        self.commits: list[int] = []
        self.clears = 0
        self.counts = [self.rng.getrandbits(32) for _ in range(256)]
        self.cycle = 0
        for name in INPUTS:
            getattr(dut, name).value = 0
        Clock(dut.clk, 10, "ns").start()

    def used(self, word: int) -> bool:
        """Whether there is a use for a word of the table window."""
        return word < self.classes or 0 <= word - FIRST_LENGTH < self.bounds.lengths

    def table(self) -> list[tuple[int, int]]:
        """The words of a table that fits."""
        self.codes = self.codes or codes(self.bounds, self.rng)
        table = random_table(self.rng.choice(self.codes), self.rng, self.bounds.raw_bits)
        return self.words(table, self.bounds.raw_bits)

    def words(self, table: Table, raw_bits: int) -> list[tuple[int, int]]:
        """A table as the window takes it."""
        return (decoder_words if self.decoder else encoder_words)(table, raw_bits)

    async def stage(self, words: list[tuple[int, int]]) -> None:
        """Writes words to the table window."""
        for address, data in words:
            await self.set(f"table[{address}]", data)

    async def __aenter__(self) -> RegsBench:
        """Resets."""
        await self.reset.begin()
        await self.reset.end()
        cocotb.start_soon(self._data_path())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Everything that was asked has been answered, unless the test has failed already."""
        if kind is None:
            await ClockCycles(self.dut.clk, 10)
            assert self.monitor.idle, "a request without response"

    async def _data_path(self) -> None:
        # Half a cycle away from all edges of registers. A pulse is a cycle.
        dut = self.dut
        while True:
            await FallingEdge(dut.clk)
            self.cycle += 1
            address = int(dut.hist_addr.value) if dut.hist_addr.value.is_resolvable else 0
            if int(dut.table_we.value):
                self.written.append((int(dut.table_addr.value), int(dut.table_data.value)))
            if int(dut.table_commit.value):
                self.commits.append(int(dut.table_id.value))
            self.clears += int(dut.hist_clear.value)
            # The histogram's memory: data of this cycle's address in the next.
            await dut.clk.rising_edge
            dut.hist_data.value = self.counts[address]

    async def value(self, register: Register) -> int:
        """Reads a register, all of its words, low word first."""
        result = 0
        for number, address in enumerate(register.words):
            word, response = await self.master.read(address)
            assert response == OKAY, f"{register.name}: response {response} to a read"
            result |= word << 32 * number
        return result

    async def expect(self, name: str, value: int) -> None:
        """Reads a register and compares."""
        got = await self.value(self.map[name])
        assert got == value, f"{name} is {got:#x}, expected {value:#x}"

    async def set(self, name: str, value: int, strobes: int = ALL_BYTES) -> None:
        """Writes a 32-bit register, which is to succeed."""
        response = await self.master.write(self.map[name].address, value, strobes)
        assert response == OKAY, f"{name}: response {response} to a write"

    async def refused(self, name: str, value: int, strobes: int = ALL_BYTES) -> None:
        """Writes a 32-bit register, which is to be answered with an error."""
        response = await self.master.write(self.map[name].address, value, strobes)
        assert response == SLVERR, f"{name}: response {response} to a write that should be refused"

    async def drive(self, **values: int) -> None:
        """Sets inputs between two edges."""
        await FallingEdge(self.dut.clk)
        for name, value in values.items():
            getattr(self.dut, name).value = value

    async def pulse(self, **values: int) -> None:
        """Sets inputs for one cycle, then 0."""
        await self.drive(**values)
        await self.drive(**dict.fromkeys(values, 0))

    def stored(self) -> list[Register]:
        """The registers that read as written, in some field."""
        return [register for register in self.map.values() if register.mask(stored=True)]

    def stall_at_random(self) -> None:
        """Sets a random pattern for each channel."""
        self.master.stall(**{name: self.rng.choice([*PATTERNS]) for name in CHANNELS})


regs_test = bench_test(RegsBench, timeout_ms=50)


@regs_test
async def reset_values(tb: RegsBench) -> None:
    """Every register has the description's value after reset; write-only ones cannot be read."""
    tb.counts = [0] * 256
    for register in tb.map.values():
        if register.readable:
            await tb.expect(register.name, register.reset)
        else:
            for address in register.words:
                assert await tb.master.read(address) == (0, SLVERR), register.name


@regs_test
async def reset_values_again(tb: RegsBench) -> None:
    """A reset brings them back."""
    for register in tb.stored():
        await tb.set(register.name, WORD)
    await tb.pulse(ev_error=ALL_ERRORS, ev_packet=1, ev_symbols=63)
    await tb.reset.begin()
    await tb.reset.end()
    tb.counts = [0] * 256
    for register in tb.map.values():
        if register.readable:
            await tb.expect(register.name, register.reset)


@regs_test
async def access_types(tb: RegsBench) -> None:
    """All ones, all zeros and random words to every register: only fields that can be written change."""
    refused = unfit = 0
    for register in tb.map.values():
        before = await tb.value(register) if register.readable else 0
        for data in (WORD, 0, tb.rng.getrandbits(32)):
            for address in register.words:
                if register.name == "table_commit":
                    # No table has been written.
                    out_of_range = data & 31 >= tb.tables
                    refused |= out_of_range
                    unfit |= not out_of_range
                    expected = SLVERR
                else:
                    expected = OKAY if register.writable else SLVERR
                assert await tb.master.write(address, data) == expected, f"{register.name} {data:#x}"
            if register.readable:
                mask = register.mask(stored=True)
                await tb.expect(register.name, before & ~mask | data & mask)
    # Commits leave a trace, nothing else does.
    await tb.expect("status", tb.map["status"].pack(table_refused=int(refused), table_unfit=int(unfit)))
    assert not tb.commits


@regs_test
async def only_its_own(tb: RegsBench) -> None:
    """A write changes no other register."""
    for target in tb.stored():
        for register in tb.stored():
            await tb.set(register.name, 0)
        await tb.set(target.name, WORD)
        for register in tb.stored():
            await tb.expect(register.name, target.mask(stored=True) if register is target else 0)


@regs_test
async def unmapped_addresses(tb: RegsBench) -> None:
    """An address without a register answers DECERR, reads 0, and changes nothing."""
    before = {register.name: await tb.value(register) for register in tb.stored()}
    unmapped = tb.map.unmapped()
    assert unmapped
    # A 64-bit register is half read
    high = tb.rng.getrandbits(32) | 1
    await FallingEdge(tb.dut.clk)
    tb.dut.counters_inst.counter[0].counter_inst.count_reg.value = high << 32
    counter = tb.map["packets"].address
    await tb.master.read(counter)
    for address in unmapped:
        assert await tb.master.read(address) == (0, DECERR), hex(address)
        assert await tb.master.write(address, tb.rng.getrandbits(32)) == DECERR, hex(address)
        assert await tb.master.read(counter + 4) == (high, OKAY), hex(address)
    for name, value in before.items():
        await tb.expect(name, value)
    await tb.expect("status", 0)
    assert not tb.written
    assert not tb.commits
    assert not tb.clears


@regs_test
async def byte_addresses(tb: RegsBench) -> None:
    """The lowest two address bits do not matter."""
    register = tb.map["hist_freeze" if not tb.decoder else "min_packet"]
    for low in range(4):
        value = tb.rng.getrandbits(32) & register.mask(stored=True)
        assert await tb.master.write(register.address + low, value) == OKAY
        for other in range(4):
            assert await tb.master.read(register.address + other) == (value, OKAY)


@regs_test
async def strobes(tb: RegsBench) -> None:
    """Only the bytes with a strobe are written, none of them without."""
    for register in tb.stored():
        mask = register.mask(stored=True)
        value = register.reset & mask
        for strobes in [*range(16), *(tb.rng.randrange(16) for _ in range(10))]:
            data = tb.rng.getrandbits(32)
            lanes = byte_mask(strobes)
            await tb.set(register.name, data, strobes)
            value = (value & ~lanes | data & lanes) & mask
            await tb.expect(register.name, value)
    await tb.drive(ev_error=ALL_ERRORS)
    await tb.drive(ev_error=0)
    await tb.set("status", WORD, 0b1110)
    await tb.expect("status", 0xFF)
    await tb.set("status", WORD, 0b0001)
    await tb.expect("status", 0)
    if not tb.decoder:
        before = tb.clears
        await tb.set("hist_control", WORD, 0b1110)
        await ClockCycles(tb.dut.clk, 3)
        assert tb.clears == before


@regs_test
async def configuration_ports(tb: RegsBench) -> None:
    """Each field drives its port; values without a meaning act as the description says."""
    for (name, field_name), port in PORTS.items():
        if name not in tb.map:
            continue
        field = tb.map[name][field_name]
        values = {0, 1, 1 << field.width - 1, (1 << field.width) - 1, tb.rng.getrandbits(field.width)}
        for value in sorted(values):
            await tb.set(name, value << field.low)
            expected = value
            if port == "cfg_mode" and value == 3:
                expected = 0
            if port == "cfg_min_saving" and value == 0:
                expected = 1
            assert int(getattr(tb.dut, port).value) == expected, f"{port} after writing {value}"
    if tb.decoder:
        assert int(tb.dut.hist_enable.value) == 0


@regs_test
async def names(tb: RegsBench) -> None:
    """Error codes, dtypes and bounds have the golden model's names and numbers."""
    fields = {field.low: field.name for field in tb.map["status"].fields}
    assert [fields[code] for code in range(len(ERROR_NAMES))] == list(ERROR_NAMES)
    capability = {field.name: field.reset for field in tb.map["capability"].fields}
    assert capability.items() >= dataclasses.asdict(tb.bounds).items()
    assert tb.map.enumeration("dtype_e") == {name: n for n, name in enumerate(SPECIAL_SYMBOLS)}


@regs_test
async def hardware_fields(tb: RegsBench) -> None:
    """What the data path drives is what reads."""
    rng = tb.rng
    for _ in range(8):
        loaded = rng.getrandbits(tb.tables)
        busy, frozen = rng.randrange(2), rng.randrange(2)
        packets, samples = rng.getrandbits(32), rng.getrandbits(64)
        await tb.drive(
            table_loaded=loaded,
            table_busy=busy,
            hist_frozen=frozen,
            hist_packets=packets,
            hist_samples=samples,
        )
        await tb.expect("table_loaded", loaded)
        await tb.expect("table_status", busy)
        if not tb.decoder:
            await tb.expect("hist_status", frozen)
            await tb.expect("hist_packets", packets)
            await tb.expect("hist_samples", samples)
    if not tb.decoder:
        for symbol in [*range(256), *(rng.randrange(256) for _ in range(50))]:
            await tb.expect(f"hist_count[{symbol}]", tb.counts[symbol])


@regs_test
async def status_bits(tb: RegsBench) -> None:
    """A bit per error stays until 1 is written to it; an error in the same cycle wins."""
    for _ in range(3):
        status = 0
        for code in tb.rng.sample(range(len(ERROR_NAMES)), len(ERROR_NAMES)):
            await tb.pulse(ev_error=1 << code)
            status |= 1 << code
            await tb.expect("status", status)
        while status:
            clear = tb.rng.getrandbits(32)
            await tb.set("status", clear)
            status &= ~clear
            await tb.expect("status", status)
    await tb.drive(ev_error=0b100)
    await ClockCycles(tb.dut.clk, 3)
    await tb.set("status", WORD)
    await tb.expect("status", 0b100)
    await tb.drive(ev_error=0)


@regs_test
async def status_races(tb: RegsBench) -> None:
    """An event in any cycle around a clear of its bit: it is lost only if it was there before."""
    met = False
    for delay in range(12):
        await tb.set("status", WORD)
        await tb.pulse(ev_error=1)
        await ClockCycles(tb.dut.clk, 4)
        write = cocotb.start_soon(tb.set("status", 1))
        expected = 1
        cleared = False
        for cycle in range(20):
            await FallingEdge(tb.dut.clk)
            # An input shows in the status at the second edge; a write, when its response begins.
            event = cycle == delay + 2
            if not cleared and int(tb.dut.s_axil_bvalid.value):
                cleared = True
                expected = 0
                met |= event
            expected |= event
            tb.dut.ev_error.value = int(cycle == delay)
        await write
        await tb.expect("status", expected)
    assert met, "no event came in the cycle of a clear"


@regs_test
async def counters(tb: RegsBench) -> None:
    """Every counter adds up its own events, and only those."""
    totals = dict.fromkeys([*COUNTERS, *ERROR_COUNTERS], 0)
    widths = {name: len(getattr(tb.dut, port)) for name, port in COUNTERS.items()}

    async def events(cycles: int, only: str | None = None) -> None:
        for _ in range(cycles):
            values = {}
            for name, port in COUNTERS.items():
                value = tb.rng.getrandbits(widths[name]) if only in (None, name) else 0
                values[port] = value
                totals[name] += value
            error = tb.rng.getrandbits(len(ERROR_NAMES)) if only is None else 0
            for code, name in enumerate(ERROR_COUNTERS):
                if only == name:
                    error = 1 << code
                totals[name] += error >> code & 1
            await tb.drive(ev_error=error, **values)
        await tb.drive(ev_error=0, **dict.fromkeys(COUNTERS.values(), 0))

    for name in totals:
        await events(3, name)
        for each, total in totals.items():
            await tb.expect(each, total)
    await events(200)
    for each, total in totals.items():
        await tb.expect(each, total)


@regs_test
async def atomic_reads(tb: RegsBench) -> None:
    """A counter read while it counts over the carry into its high word is a value it had meanwhile."""
    for place, name in enumerate(COUNTER_PLACES):
        if name is None:
            continue
        port = COUNTERS.get(name, "ev_error")
        value = 1 if len(getattr(tb.dut, port)) in (1, len(ERROR_NAMES)) else 63
        event = value << (place - 8) if port == "ev_error" else value
        crossed = 0
        for attempt in range(14):
            # The carry comes before the low word is read, in between, or later.
            high = tb.rng.getrandbits(31)
            start = (high << 32 | WORD) - value * attempt
            await FallingEdge(tb.dut.clk)
            tb.dut.counters_inst.counter[place].counter_inst.count_reg.value = start
            begin = tb.cycle
            getattr(tb.dut, port).value = event
            if attempt % 2:
                tb.stall_at_random()
            register = tb.map[name]
            low_word, _ = await tb.master.read(register.address)
            between = tb.cycle
            if attempt % 3 == 0:
                # Neither other registers nor the high word of another disturb.
                await tb.expect("id", tb.map["id"].reset)
                await tb.master.read(tb.map["packets"].address + 4)
            high_word, _ = await tb.master.read(register.address + 4)
            tb.master.run_freely()
            await tb.drive(**{port: 0})
            got = high_word << 32 | low_word
            assert start <= got <= start + value * (between - begin + 2), f"{name}: {got:#x} from {start:#x}"
            crossed += got >> 32 != high
            await ClockCycles(tb.dut.clk, 4)
        assert 0 < crossed < 14
    # The high word again gives the same, until the low word is read.
    assert (await tb.master.read(tb.map["err_crc_mismatch"].address + 4))[0] == got >> 32


@regs_test
async def wraps_around(tb: RegsBench) -> None:
    """After the largest value comes 0."""
    await FallingEdge(tb.dut.clk)
    tb.dut.counters_inst.counter[0].counter_inst.count_reg.value = (1 << 64) - 1
    await tb.pulse(ev_packet=1)
    await ClockCycles(tb.dut.clk, 3)
    await tb.expect("packets", 0)


@regs_test
async def table_window(tb: RegsBench) -> None:
    """Every word reaches the table port, in order; words without a use are ignored."""
    sent = []
    for word in [*range(512), *(tb.rng.randrange(512) for _ in range(40))]:
        data = tb.rng.getrandbits(32)
        await tb.set(f"table[{word}]", data)
        if tb.used(word):
            sent.append((word, data))
    await ClockCycles(tb.dut.clk, 3)
    assert tb.written == sent
    await tb.set("table[3]", WORD, 0b0000)
    await tb.expect("status", 0)
    for strobes in range(1, 15):
        await tb.refused("table[3]", WORD, strobes)
        await tb.expect("status", tb.map["status"]["table_refused"].mask)
        await tb.set("status", WORD)
    await ClockCycles(tb.dut.clk, 3)
    assert tb.written == sent


@regs_test
async def table_commits(tb: RegsBench) -> None:
    """A commit is a pulse with its id; it is refused out of range or while another is under way."""
    refused = tb.map["status"]["table_refused"].mask
    expected = []
    table = tb.table()
    for table_id in [*tb.rng.sample(range(tb.tables), min(tb.tables, 3)), tb.tables - 1]:
        await tb.stage(table)
        for bad in tb.rng.sample(range(tb.tables, 32), min(2, 32 - tb.tables)):
            await tb.refused("table_commit", bad)
            await tb.expect("status", refused)
            await tb.set("status", refused)
        # What was written is still there.
        await tb.set("table_commit", table_id)
        expected.append(table_id)
        await ClockCycles(tb.dut.clk, 3)
        await tb.expect("status", 0)
        assert tb.commits == expected
    await tb.stage(table)
    await tb.drive(table_busy=1)
    await tb.refused("table_commit", 0)
    await tb.refused("table[0]", 1)
    await tb.expect("status", refused)
    await tb.expect("table_status", 1)
    await tb.drive(table_busy=0)
    await tb.set("status", refused)
    await tb.refused("table_commit", 0, 0b1110)
    await tb.set("table_commit", tb.tables - 1, 0b0001)
    await ClockCycles(tb.dut.clk, 3)
    assert tb.commits == [*expected, tb.tables - 1]
    await tb.expect("status", refused)


def fit(written: list[tuple[int, int]], bounds: Bounds) -> bool:
    """Whether words, in the order of writing, are a table that a build can hold."""
    if any(256 >> bounds.raw_bits <= address < FIRST_LENGTH for address, _ in written):
        return False
    lengths = [word for word in written if 0 <= word[0] - FIRST_LENGTH < LENGTH_WORDS]
    begin = max((n for n, (address, _) in enumerate(lengths) if address == FIRST_LENGTH), default=None)
    if begin is None:
        return False
    lengths = lengths[begin:]
    if [address - FIRST_LENGTH for address, _ in lengths] != [*range(len(lengths))]:
        return False
    length = limit = 0
    for place, (_, word) in enumerate(lengths):
        if limit == 4096 or place >= bounds.lengths:
            if word != UNUSED_LENGTH:
                return False
            continue
        before = length, limit
        length, limit, step = word >> 28, word >> 12 & 0xFFFF, word & 0xFFF
        if (
            not bounds.shortest <= length <= bounds.longest
            or length <= before[0]
            or not before[1] < limit <= 4096
            or limit % (4096 >> bounds.known_bits)
            or limit % (4096 >> length)
            or step % (1 << bounds.raw_bits)
        ):
            return False
    return limit == 4096


@regs_test
async def tables_that_do_not_fit(tb: RegsBench) -> None:
    """A table that the build cannot hold is refused, and named as that; software says the same before."""
    unfit = tb.map["status"]["table_unfit"].mask
    commits = 0
    verdicts = Counter[bool]()

    async def attempt(words: list[tuple[int, int]]) -> bool:
        nonlocal commits

        async def post() -> None:
            for address, data in words:
                await tb.master.post(tb.map[f"table[{address}]"].address, data)
            await tb.master.post(tb.map["table_commit"].address, tb.tables - 1)

        # Without a pause: what is wrong with the last word is known at the commit.
        cocotb.start_soon(post())
        *responses, response = [await tb.master.response() for _ in range(len(words) + 1)]
        assert not any(responses)
        await ClockCycles(tb.dut.clk, 3)
        good = response == OKAY
        commits += good
        assert len(tb.commits) == commits
        await tb.expect("status", 0 if good else unfit)
        await tb.set("status", unfit)
        verdicts[good] += 1
        return good

    def few(words: list[tuple[int, int]]) -> list[tuple[int, int]]:
        # The classes matter by their addresses only: the first and the last.
        return [words[0], *words[-LENGTH_WORDS - 1 :]]

    # Nothing written; nothing again, behind a good table.
    assert not await attempt([])
    assert await attempt(tb.table())
    assert not await attempt([])
    # Tables of any build, as software knows them.
    for bounds in (Bounds(), tb.bounds, HUFFMAN, RAW_MANTISSA, Bounds(shortest=4, longest=10)):
        for code in codes(bounds, tb.rng):
            table = random_table(code, tb.rng, bounds.raw_bits)
            problem = tb.bounds.problem(table)
            words = few(tb.words(table, min(table.raw_bits, tb.bounds.raw_bits)))
            assert await attempt(words) == (problem is None), problem
    # A word that is wrong, one too many, two the wrong way round, one twice, one left out.
    for _ in range(150):
        words = few(tb.table())
        place = tb.rng.randrange(2, 2 + min(LENGTH_WORDS, tb.bounds.lengths + 2))
        address, data = words[place]
        match tb.rng.randrange(8):
            case 0:
                words[place] = address, data ^ 1 << tb.rng.randrange(32)
            case 1:
                words.insert(tb.rng.randrange(len(words)), (tb.rng.randrange(512), data))
            case 2:
                words[place], words[place - 1] = words[place - 1], words[place]
            case 3:
                words.insert(place, words[place])
            case 4:
                words.pop(place)
            case 5:
                words[place] = address, tb.rng.randrange(16) << 28 | tb.rng.randrange(65) << 18
            case 6:
                words = [*words[2:], *words[:2]]
            case _:
                words = [*words[: place + 1], *words]
        assert await attempt(words) == fit(words, tb.bounds), [f"{a}: {d:#010x}" for a, d in words]
    assert min(verdicts.values()) > 15, verdicts
    # What does not fit counts until a commit, also where a good table is written over it.
    if tb.classes < FIRST_LENGTH:
        assert not await attempt([(tb.classes, 0), *tb.table()])
    assert await attempt(tb.table())


@regs_test
async def writes_behind_a_commit(tb: RegsBench) -> None:
    """No write slips in between a commit and the latest cycle at which the data path may say busy."""

    async def late_busy() -> None:
        while True:
            await FallingEdge(tb.dut.clk)
            if int(tb.dut.table_commit.value):
                await FallingEdge(tb.dut.clk)
                await tb.drive(table_busy=1)
                await ClockCycles(tb.dut.clk, 40)
                await tb.drive(table_busy=0)

    cocotb.start_soon(late_busy())
    for first in (0, 1):
        await tb.stage(tb.table())
        tb.written.clear()
        tb.commits.clear()
        responses = [OKAY, SLVERR, SLVERR]
        await tb.master.post(tb.map["table_commit"].address, 0)
        for number in range(2):
            if number == first:
                await tb.master.post(tb.map["table[7]"].address, 7)
            else:
                await tb.master.post(tb.map["table_commit"].address, 0)
        assert [await tb.master.response() for _ in responses] == responses
        assert tb.commits == [0]
        assert tb.written == []
        await tb.expect("table_status", 1)
        await ClockCycles(tb.dut.clk, 50)
        await tb.expect("table_status", 0)


@regs_test
async def histogram_clear(tb: RegsBench) -> None:
    """Writing 1 clears once, whatever the enable; it reads 0."""
    if tb.decoder:
        return
    for value in (0b00, 0b01, 0b10, 0b11, 0b10, 0b00):
        before = tb.clears
        await tb.set("hist_control", value)
        await ClockCycles(tb.dut.clk, 5)
        assert tb.clears - before == value >> 1
        await tb.expect("hist_control", value & 1)
        assert int(tb.dut.hist_enable.value) == value & 1


@regs_test
async def random_traffic(tb: RegsBench) -> None:
    """Random accesses with every channel stalling at random, against a model of the stored fields."""
    stored = {register.address: register.reset & register.mask(stored=True) for register in tb.stored()}
    by_address = {address: register for register in tb.map.values() for address in register.words}
    plain = [register.address for register in tb.stored()]
    window: list[tuple[int, int]] = []
    for number in range(600):
        if number % 40 == 0:
            tb.stall_at_random()
        address = tb.rng.choice(plain) if tb.rng.random() < 0.6 else tb.rng.randrange(0, tb.map.bytes, 4)
        register = by_address.get(address)
        if tb.rng.random() < 0.5:
            word, response = await tb.master.read(address)
            if register is None or not register.readable:
                assert (word, response) == (0, DECERR if register is None else SLVERR), hex(address)
                continue
            assert response == OKAY
            if address in stored:
                assert word == stored[address], hex(address)
            elif register.name.startswith("hist_count["):
                assert word == tb.counts[address - tb.map["hist_count[0]"].address >> 2]
            assert not word & ~register.mask(stored=False) or register.width == 64
        else:
            data, strobes = tb.rng.getrandbits(32), tb.rng.randrange(16)
            response = await tb.master.write(address, data, strobes)
            if register is None:
                expected = DECERR
            elif not register.writable:
                expected = SLVERR
            elif register.name.startswith("table["):
                word_number = address - tb.map["table[0]"].address >> 2
                expected = OKAY if strobes in (0, 0b1111) else SLVERR
                if strobes == 0b1111 and tb.used(word_number):
                    window.append((word_number, data))
            elif register.name == "table_commit":
                # Words at random are no table.
                expected = SLVERR
            else:
                expected = OKAY
            assert response == expected, f"{response} to a write to {address:#x}"
            if register is not None and address in stored:
                lanes = byte_mask(strobes)
                stored[address] = (stored[address] & ~lanes | data & lanes) & register.mask(stored=True)
    tb.master.run_freely()
    await ClockCycles(tb.dut.clk, 5)
    assert tb.written == window


@regs_test
async def both_directions(tb: RegsBench) -> None:
    """Writes and reads at the same time, several of each under way, answered in order."""
    targets = [register for register in tb.stored() if register.name != "hist_control"]

    async def reader() -> None:
        constants = [tb.map[name] for name in ("id", "version", "capability", "block_size")]
        asked: list[tuple[int, int]] = []
        for _ in range(150):
            register = tb.rng.choice(constants)
            if tb.rng.random() < 0.2:
                await tb.master.ask(tb.rng.choice(tb.map.unmapped()))
                asked.append((0, DECERR))
            else:
                await tb.master.ask(register.address)
                asked.append((register.reset, OKAY))
            while len(asked) > 2:
                assert await tb.master.answer() == asked.pop(0)
        while asked:
            assert await tb.master.answer() == asked.pop(0)

    for _ in range(4):
        tb.stall_at_random()
        reading = cocotb.start_soon(reader())
        latest = {}
        expected: list[int] = []
        for _ in range(150):
            register = tb.rng.choice(targets)
            data = tb.rng.getrandbits(32)
            if tb.rng.random() < 0.2:
                await tb.master.post(tb.map["id"].address, data)
                expected.append(SLVERR)
            else:
                await tb.master.post(register.address, data)
                latest[register.name] = data & register.mask(stored=True)
                expected.append(OKAY)
            while len(expected) > 2:
                assert await tb.master.response() == expected.pop(0)
        while expected:
            assert await tb.master.response() == expected.pop(0)
        await reading
        for name, value in latest.items():
            await tb.expect(name, value)


@regs_test
async def one_channel_waits(tb: RegsBench) -> None:
    """Address long before data and data long before address; a response waits for its ready."""
    register = tb.map["min_packet"]
    for late in ("w", "aw", "b"):
        value = tb.rng.getrandbits(13)
        channel = tb.master.channels[late]
        channel.pause = True
        await ClockCycles(tb.dut.clk, 2)
        write = cocotb.start_soon(tb.master.write(register.address, value))
        await ClockCycles(tb.dut.clk, 30)
        assert not write.done()
        if late == "b":
            assert str(tb.dut.s_axil_bvalid.value) == "1"
            # The registers can be read while a response waits.
            await tb.expect("min_packet", value)
        channel.pause = False
        assert await write == OKAY
        await tb.expect("min_packet", value)
    tb.master.channels["r"].pause = True
    await ClockCycles(tb.dut.clk, 2)
    read = cocotb.start_soon(tb.master.read(register.address))
    await ClockCycles(tb.dut.clk, 30)
    assert str(tb.dut.s_axil_rvalid.value) == "1"
    assert not read.done()
    await tb.set("min_packet", value ^ 1)
    tb.master.channels["r"].pause = False
    assert await read == (value, OKAY)


@regs_test
async def resets(tb: RegsBench) -> None:
    """A reset at any time of an access leaves nothing behind."""
    for cycles in range(12):
        await tb.master.post(tb.map["min_packet"].address, 77)
        await tb.master.ask(tb.map["id"].address)
        await ClockCycles(tb.dut.clk, cycles)
        await tb.reset.begin()
        await tb.reset.end()
        await ClockCycles(tb.dut.clk, 2)
        for name in ("b", "r"):
            tb.master.channels[name].clear()
        await tb.expect("min_packet", tb.map["min_packet"].reset)
        await tb.set("min_packet", cycles)
        await tb.expect("min_packet", cycles)


@regs_test
async def rate(tb: RegsBench) -> None:
    """A write every second cycle and a read every third."""
    await tb.expect("id", tb.map["id"].reset)
    for count_name, begin, end, cycles in (
        ("aw", tb.master.post, tb.master.response, 2),
        ("ar", tb.master.ask, tb.master.answer, 3),
    ):
        before = tb.monitor.channels[count_name].transfers
        start = tb.cycle
        arguments = (tb.map["min_packet"].address, 5) if begin == tb.master.post else (0,)

        async def drain(end: Callable[[], Awaitable[object]]) -> None:
            for _ in range(32):
                await end()

        draining = cocotb.start_soon(drain(end))
        for _ in range(32):
            await begin(*arguments)
        await draining
        assert tb.monitor.channels[count_name].transfers - before == 32
        spent = tb.cycle - start
        tb.dut._log.info("%s: 32 in %d cycles", count_name, spent)
        assert spent <= 32 * cycles + 6
