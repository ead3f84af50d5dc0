# SPDX-License-Identifier: BSD-3-Clause
"""A device as its registers show it: what it is, its configuration, commits, snapshots and counters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from truemark.device import registers
from truemark.device.faults import fault_text
from truemark.device.outcomes import ARRIVED, DEPARTED, FrameClass, Outcome, counted
from truemark.device.registers import Register, last_code
from truemark.errors import LinkError, NoDeviceError, RefusedError, TruemarkError
from truemark.laws import policies
from truemark.laws.law import Limits
from truemark.laws.pause import Pause
from truemark.laws.policies import DEPARTURE_LAWS, PortSettings
from truemark.laws.queue_map import QueueMap
from truemark.laws.shape import Shape
from truemark.laws.share import Share, cell_bytes
from truemark.laws.slopes import ONE

TRMK = 0x54524D4B
BUSY = sum(each.mask for each in registers.STATUS.fields if each.name.endswith("_busy"))
COMMANDS = {each.name: each.mask for each in registers.COMMAND.fields}
HISTOGRAM_BINS = 24
NOBODY = 0xFFFFFFFF  # what a bus reads where nothing answers
KNOWN_MAJOR = 0  # of the register map: another one means others than registers.py has
NOECN_SINCE = (0, 3)  # CONTROL.noecn
HINTS = {
    NOBODY: " (nothing answers at this address)",
    0xDEADBEEF: " (so reads what NetFPGA's own modules do not have: another module's window, or a tree not swapped)",
}


def bin_edges(index: int) -> tuple[int, int | None]:
    """Return the bounds of a histogram's bin in nanoseconds; the last bin has no upper one."""
    return (2 ** (7 + index) if index else 0), (2 ** (8 + index) if index < HISTOGRAM_BINS - 1 else None)


def bin_of(histogram: list[int], share: float) -> int | None:
    """Return the bin in which a share of the frames is reached; none without a frame."""
    below, wanted = 0, share * sum(histogram)
    for index, count in enumerate(histogram):
        below += count
        if count and below >= wanted:
            return index
    return None


@cache
def query_word(code: int, class_ece: int, class_ece_mask: int) -> int:
    """Return the word of QUERY for one code; a look asks for some hundred, the same each time."""
    return registers.QUERY.pack(
        code=code & 15,
        code_mask=15,
        class_ece=class_ece,
        class_ece_mask=class_ece_mask,
        code_high=code >> 4,
        code_mask_high=1,
    )


@dataclass(frozen=True)
class Identity:
    """What a build is."""

    version: str
    ports: int
    beat_bytes: int
    rows: int
    descriptors: int
    storage: int
    max_frame: int
    capabilities: dict[str, bool]
    queues: int = 1  # of a line

    @property
    def limits(self) -> Limits:
        """What it can do, for the checks before a write."""
        noecn = tuple(map(int, self.version.split("."))) >= NOECN_SINCE
        able = frozenset(name for name, there in self.capabilities.items() if there)
        return Limits(self.storage, self.descriptors, able, noecn, self.queues)

    @property
    def pooled(self) -> bool:
        """Whether its ports share one memory."""
        return self.capabilities.get("pool", False)

    @property
    def memory(self) -> int:
        """The bytes that all its ports have."""
        return self.storage if self.pooled else self.storage * self.ports

    def check_ports(self, ports: Iterable[int]) -> int:
        """Refuse a port that is not there; return how many are."""
        _must_be("port", self.ports, ports)
        return self.ports

    def check_lines(self, lines: Iterable[int]) -> None:
        """Refuse a line that is not there; it is a port where it has one queue."""
        _must_be("line" if self.queues > 1 else "port", self.ports // self.queues, lines)


def _must_be(kind: str, many: int, numbers: Iterable[int]) -> None:
    """Refuse the number of a port, or of a line, that is not there."""
    for number in numbers:
        if not 0 <= number < many:
            raise TruemarkError(f"{kind} {number}: this device has {kind}s 0 to {many - 1}")


@dataclass(frozen=True)
class Configuration:
    """What a build is, the active configuration of each port, and which queue of its line takes a frame, if several."""

    identity: Identity
    ports: list[PortSettings]
    queue_map: QueueMap | None


@dataclass(frozen=True)
class Count:
    """Packets and bytes of one kind."""

    packets: int = 0
    bytes: int = 0

    def __add__(self, other: Count) -> Count:
        return Count(self.packets + other.packets, self.bytes + other.bytes)

    def __sub__(self, other: Count) -> Count:
        return Count(self.packets - other.packets, self.bytes - other.bytes)


Key = tuple[Outcome, FrameClass, int]  # outcome or counter code, class, ECE flag


@dataclass(frozen=True)
class Snapshot:
    """The counters of one port at one instant."""

    port: int
    time_ns: int
    held: Count
    counters: dict[Key, Count]
    histogram: list[int]
    watermark: Count
    watermark_sojourn_ns: int
    cut_short: int
    average: tuple[int, int] = (0, 0)  # of each law slot, as its thresholds count: bytes, or 64ths of a packet
    maxp: tuple[float, float] = (0.0, 0.0)  # in force, of each law slot
    bad: dict[str, int] = field(default_factory=dict)

    def total(self, *outcomes: Outcome, kind: FrameClass | None = None, ece: int | None = None) -> Count:
        """Return the sum over outcomes, of one class and ECE flag or of all."""
        return sum(
            (
                count
                for (outcome, counted, flag), count in self.counters.items()
                if outcome in outcomes and kind in (None, counted) and ece in (None, flag)
            ),
            Count(),
        )

    def composition(self, kind: FrameClass) -> Count:
        """Return what of a class is in the queue: stored and neither departed nor dropped at the head."""
        gone = self.total(*DEPARTED, Outcome.HEAD_DROPPED, kind=kind)
        return self.total(*[outcome for outcome in ARRIVED if outcome <= Outcome.PROTECTED], kind=kind) - gone


class Device:
    """Register access by name; `read` and `write` take byte addresses (an engine's, or a board's)."""

    def __init__(self, read: Callable[[int], int], write: Callable[[int, int], None], name: str = "") -> None:
        self._read, self._write, self.name = read, write, name
        self._queues = 0  # of a line, once they are known
        self._shaping: bool | None = None  # whether rates are there, once that is known
        self._cell: int | None = None  # bytes of a pool's cell, once that is known; 0: no pool
        self._pfc: bool | None = None  # whether levels of PFC are there, once that is known
        self._last_code: int | None = None  # of the counters, once that is known

    def read(self, register: Register) -> int:
        """Return the word of a register."""
        return self._read(register.address)

    def write(self, register: Register, value: int) -> None:
        """Write the word of a register."""
        self._write(register.address, value)

    def read_at(self, offset: int) -> int:
        """Return the word at an offset that is in no register of ours: NetFPGA's window."""
        return self._read(offset)

    def write_at(self, offset: int, value: int) -> None:
        """Write a word there."""
        self._write(offset, value)

    def wide(self, low: Register, high: Register) -> int:
        """Return a number in two registers; the low word is read first."""
        word = self.read(low)
        return self.read(high) << 32 | word

    def _rising(self, low: Register, high: Register) -> int:
        """Return a number in two registers that may rise between two reads."""
        before = self.read(high)
        while (value := self.wide(low, high)) >> 32 != before:
            before = value >> 32
        return value

    def has(self, capability: str) -> bool:
        """Return whether the build has a capability."""
        return bool(registers.CAPABILITIES[capability].get(self.read(registers.CAPABILITIES)))

    def meets(self, needs: str) -> bool:
        """Return whether the build has what a register needs (`Register.needs`)."""
        if needs == "queues":
            return self.queues() > 1
        return not needs or self.has(needs)

    def identity(self) -> Identity:
        """Return what this device is; refuse what is no Truemark."""
        if (found := self.read(registers.ID)) != TRMK:
            hint = HINTS.get(found, "")
            raise NoDeviceError(f"no Truemark here: register ID reads 0x{found:08x}, not 0x{TRMK:08x}{hint}")
        version = registers.VERSION.unpack(self.read(registers.VERSION))
        if version["major"] != KNOWN_MAJOR:
            shown = "{major}.{minor}.{patch}".format(**version)
            raise NoDeviceError(
                f"register map {shown} here; this tool knows {KNOWN_MAJOR}.x: use that of the bitstream"
            )
        build = registers.BUILD.unpack(self.read(registers.BUILD))
        self._queues = build["more_queues"] + 1
        capabilities = registers.CAPABILITIES.unpack(self.read(registers.CAPABILITIES))
        self._shaping = bool(capabilities["shaping"])
        self._cell = cell_bytes(build["data_bytes"]) if capabilities["pool"] else 0
        self._pfc = bool(capabilities["pfc"])
        self._last_code = last_code(lambda name: bool(capabilities[name]))
        return Identity(
            version="{major}.{minor}.{patch}".format(**version),
            ports=build["ports"],
            beat_bytes=build["data_bytes"],
            rows=self.read(registers.ROWS),
            descriptors=self.read(registers.DESCRIPTORS),
            storage=self.read(registers.STORAGE),
            max_frame=self.read(registers.MAX_FRAME),
            capabilities={name: bool(value) for name, value in capabilities.items()},
            queues=self._queues,
        )

    def check_ports(self, ports: Iterable[int]) -> int:
        """Refuse a port that is not there; return how many are."""
        return self.identity().check_ports(ports)

    def still_there(self) -> None:
        """Raise LinkError if the device no longer answers: what was read since it last did is worth nothing."""
        if (found := self.read(registers.ID)) != TRMK:
            raise LinkError(f"the device no longer answers: register ID reads 0x{found:08x}")

    def command(self, name: str, port: int = 0) -> int:
        """Give a command to a port and wait until it is done; return STATUS as it was then."""
        return self.run(COMMANDS[name], port)

    def run(self, commands: int, port: int) -> int:
        """Give commands, as a word of COMMAND."""
        self.select(port)
        return self._run(commands, port)

    def _run(self, commands: int, port: int) -> int:
        """Give commands to the port that is chosen."""
        self._write(registers.COMMAND.address, commands)
        for _ in range(100_000):
            status = self._read(registers.STATUS.address)
            if status == NOBODY:
                raise LinkError("every bit of STATUS reads 1: nothing answers there any more")
            if not status & BUSY:
                return status
        raise RefusedError(
            f"command 0x{commands:x} to port {port} does not end (STATUS 0x{self.read(registers.STATUS):08x})"
        )

    def write_shadow(self, settings: PortSettings) -> None:
        """Put settings into the shadow registers; nothing takes effect before a commit.

        A commit takes up what is of all ports, too: that is brought back as it is in force.
        """
        if self.queues() > 1:
            self.command("load")
            self.write(*settings.schedule())
        for register, value in settings.words():
            self.write(register, value)
        if self.shaping():
            for register, value in settings.shapes(self.read(registers.TIME_STEP)):
                self.write(register, value)
        if cell := self.cell():
            for register, value in (settings.pool_share or Share()).words(cell):
                self.write(register, value)
        if self.pfc():
            for register, value in (settings.pause or Pause()).words(self.cell()):
                self.write(register, value)
        for law in DEPARTURE_LAWS:
            if law not in map(type, settings.departures) and self.has(law.BUILT):
                for register, value in law.off():
                    self.write(register, value)

    def commit(self, port: int, settings: PortSettings) -> None:
        """Write a port's settings and commit them; raise RefusedError naming the field that the hardware refused."""
        self.write_shadow(settings)
        self.take_effect(port)

    def commit_laws(self, port: int, settings: PortSettings) -> None:
        """Commit a port's settings; its turn, rates, share of the pool and pauses stay as they are in force."""
        self.commit(port, settings.in_place_of(self.settings(port)))

    def commit_turn(self, port: int, quantum: int | None) -> None:
        """Say what a port's queue sends in a turn, in bytes, none of a strict one; all else stays."""
        self.commit(port, replace(self.settings(port), quantum=quantum))

    def commit_shape(self, port: int, shape: Shape | None) -> None:
        """Hold a port, or the line of several queues that it is the first of, to a rate, or to none; all else stays."""
        settings = self.settings(port).with_rate(shape, self.queues())
        policies.check(settings, self.identity().limits, f"port {port}")
        self.check_shapes([settings], "tbf", port)
        self.commit(port, settings)

    def take_effect(self, port: int) -> None:
        """Commit the shadow registers to a port; raise RefusedError naming the field that was refused."""
        self.accepted(port, self.command("commit", port))

    def accepted(self, port: int, word: int) -> None:
        """Raise RefusedError, naming the field, if STATUS after a commit says that it was refused."""
        status = registers.STATUS.unpack(word)
        if status["refused"]:
            raise RefusedError(
                f"port {port}: the hardware refused the commit, {fault_text(status['fault'])}; "
                "the old configuration goes on"
            )

    def queues(self) -> int:
        """Return how many queues a line has, which is read once."""
        if not self._queues:
            self._queues = registers.BUILD["more_queues"].get(self.read(registers.BUILD)) + 1
        return self._queues

    def shaping(self) -> bool:
        """Return whether ports and lines can be held to a rate, which is read once."""
        if self._shaping is None:
            self._shaping = self.has("shaping")
        return self._shaping

    def cell(self) -> int:
        """Return the bytes of a cell of its pool, which is read once; 0 where ports have memories of their own."""
        if self._cell is None:
            data_bytes = registers.BUILD["data_bytes"].get(self.read(registers.BUILD))
            self._cell = cell_bytes(data_bytes) if self.has("pool") else 0
        return self._cell

    def pfc(self) -> bool:
        """Return whether it has levels of priority-based flow control, which is read once."""
        if self._pfc is None:
            self._pfc = self.cell() != 0 and self.has("pfc")
        return self._pfc

    def before_commits(self, port_count: int) -> list[PortSettings]:
        """Return what is in force, for `in_order` and `make_way`; nothing without a pool, where neither needs it."""
        return [self.settings(port) for port in range(port_count)] if self.cell() else []

    def in_order(self, ports: Sequence[PortSettings], before: Sequence[PortSettings], where: str) -> list[int]:
        """Return the order in which ports can be committed: those first for whom the pool keeps less.

        Refuse reserves and headroom that come to more than the pool, before any is written.
        """
        numbers = list(range(len(ports)))
        if not (cell := self.cell()):
            return numbers
        kept = [each.kept(cell) for each in ports]
        most = self.read(registers.ROWS) * registers.BUILD["data_bytes"].get(self.read(registers.BUILD)) // cell
        most -= registers.UNRESERVED_CELLS
        if sum(kept) > most:
            raise TruemarkError(
                f"{where}: pool_reserve and headroom of all ports come to {sum(kept) * cell} B; this build's pool "
                f"keeps {most * cell} B at the most"
            )
        return sorted(numbers, key=lambda port: kept[port] > before[port].kept(cell))

    def make_way(self, ports: Sequence[PortSettings], before: Sequence[PortSettings]) -> None:
        """Let these be committed port by port: no class is lossless while a law drops it, so one of both goes first."""
        if not self.pfc():
            return
        pauses, paused = (any(each.pause and each.pause.classes for each in those) for those in (ports, before))
        drops, dropped = (any(each.drops for each in those) for those in (ports, before))
        found = list(before)
        for port, now in enumerate(before):
            if paused and drops and now.pause and now.pause.classes:
                found[port] = replace(now, pause=replace(now.pause, classes=()))
                self.commit(port, found[port])
        for port, now in enumerate(found):
            if pauses and dropped and now.drops:
                self.commit(port, replace(ports[port], pool_share=now.pool_share, pause=now.pause))

    def check_shapes(self, ports: Iterable[PortSettings], where: str, first: int = 0) -> None:
        """Refuse rates and bursts that this device with its clock would refuse, before any is written."""
        if not self.shaping():
            return
        step, max_frame = self.read(registers.TIME_STEP), self.read(registers.MAX_FRAME)
        beat_bytes = registers.BUILD["data_bytes"].get(self.read(registers.BUILD))
        for port, settings in enumerate(ports, first):
            for key, shape in settings.held_to.items():
                try:
                    shape.check(key, step, beat_bytes, max_frame)
                except TruemarkError as error:
                    raise TruemarkError(f"{where}: port {port}: {error}") from None

    def commit_queue_map(self, queue_map: QueueMap) -> None:
        """Say which queue takes a frame, and let it take effect; every port keeps its configuration."""
        self.command("load")
        for register, value in queue_map.words():
            self.write(register, value)
        self.take_effect(0)

    def queue_map(self) -> QueueMap | None:
        """Return which queue takes a frame, read back through the shadow; nothing where a line has one."""
        if self.queues() == 1:
            return None
        self.command("load")
        return QueueMap.read(self.read)

    def settings(self, port: int) -> PortSettings:
        """Return the active configuration of a port, read back through the shadow; `policy` names its laws."""
        self.command("load", port)
        departures = tuple(law for law in DEPARTURE_LAWS if self.has(law.BUILT))
        step = self.read(registers.TIME_STEP) if self.shaping() else None
        cell = self.cell() or None
        return PortSettings.read(self.read, departures, self.queues(), step, cell, pfc=self.pfc())

    def configuration(self) -> Configuration:
        """Return what it is and how it is configured."""
        identity = self.identity()
        return Configuration(identity, [self.settings(port) for port in range(identity.ports)], self.queue_map())

    def select(self, port: int) -> None:
        """Choose the port that the registers of one port show."""
        self.write(registers.PAGE, registers.PAGE.pack(port=port))

    def averages(self) -> tuple[int, int]:
        """Return RED's averages of the chosen port, as thresholds count it, as of its last arrival."""
        return self.read(registers.AVERAGE0), self.read(registers.AVERAGE1)

    def held_packets(self) -> int:
        """Return how many packets the chosen port holds now."""
        return self.read(registers.OCCUPANCY_PACKETS)

    def query(self, code: int, class_ece: int, class_ece_mask: int = 15) -> Count:
        """Return one sum of the snapshot's counters, of the port in PAGE."""
        self._check_counted(code)
        self._write(registers.QUERY.address, query_word(code, class_ece, class_ece_mask))
        # Which port is no question here; older tools expect the read in a look that they are handed (look.py).
        port = registers.PAGE.unpack(self.read(registers.PAGE))["port"]
        self._run(COMMANDS["query"], port)
        return Count(
            self.wide(registers.SUM_PACKETS_LOW, registers.SUM_PACKETS_HIGH),
            self.wide(registers.SUM_BYTES_LOW, registers.SUM_BYTES_HIGH),
        )

    def _check_counted(self, code: int) -> None:
        """Refuse a code that the build does not count: it would answer with another's count."""
        if self._last_code is None:
            self._last_code = last_code(self.has)
        if code > self._last_code:
            raise TruemarkError(f"code {code}: this device counts codes 0 to {self._last_code}")

    def snapshot(self, port: int) -> Snapshot:
        """Freeze the counters of all ports and read those of one."""
        return self.freeze([port])[0]

    def freeze(self, ports: Iterable[int]) -> list[Snapshot]:
        """Freeze the counters of all ports at one instant and read those of some."""
        self.command("snapshot")
        return [self._frozen(port) for port in ports]

    def _frozen(self, port: int) -> Snapshot:
        """Return a port's counters as they were when all were frozen."""
        self.select(port)
        counters = {}
        for code in counted(self.has):
            if not self.query(code, 0, 0).packets:
                continue
            for kind in FrameClass:
                for ece in (0, 1):
                    if (count := self.query(code, 2 * kind + ece)).packets:
                        counters[code, kind, ece] = count
        histogram = [
            self.query(Outcome.SOJOURN_LOW + (index >> 4), index & 15).packets for index in range(HISTOGRAM_BINS)
        ]
        red = self.has("red")
        bad = {
            name[4:].lower(): self.read(register)
            for name, register in registers.REGISTERS.items()
            if name.startswith("BAD_")
        }
        return Snapshot(
            port=port,
            time_ns=self.wide(registers.SNAPSHOT_TIME_LOW, registers.SNAPSHOT_TIME_HIGH),
            held=Count(self.read(registers.SNAPSHOT_PACKETS), self.read(registers.SNAPSHOT_BYTES)),
            counters=counters,
            histogram=histogram,
            watermark=Count(self.read(registers.WATERMARK_PACKETS), self.read(registers.WATERMARK_BYTES)),
            watermark_sojourn_ns=self._rising(registers.WATERMARK_SOJOURN_LOW, registers.WATERMARK_SOJOURN_HIGH),
            cut_short=self.read(registers.CUT_SHORT),
            average=self.averages() if red else (0, 0),
            maxp=(self.read(registers.MAXP0) / ONE, self.read(registers.MAXP1) / ONE) if red else (0.0, 0.0),
            bad=bad,
        )
