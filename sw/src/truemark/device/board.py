# SPDX-License-Identifier: BSD-3-Clause
"""What the commands do with a device that is reached through a transport: configure it, look at it.

The shadow registers and the page are shared by all who look: a command takes the lock for as long as it works, and a
second one is told who has it.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import KW_ONLY, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

from truemark.device import programs, registers
from truemark.device.device import Device, Identity, Snapshot
from truemark.device.look import OtherLookError, Reading, look, replayed
from truemark.device.tc_show import kind_of
from truemark.errors import InterruptedRunError, LinkError, RefusedError, TruemarkError
from truemark.laws.policies import PortSettings
from truemark.laws.shape import Shape
from truemark.link.remote import OlderServerError, Registers, Remote
from truemark.link.transport import Transport, open_transport
from truemark.units import show_rate

if TYPE_CHECKING:
    from truemark.laws.port import Port, PortTable

PATIENCE_S = 2.0
# NetFPGA's window of the drop-in: its identification, and what a port's pacer may be set to.
NETFPGA_ID, NETFPGA_QUEUES = 0x000, 0xDA03
PACE, PACE_ONE, PACE_LIMIT = 0x0C0, 1 << 16, 1 << 24
STEP_ONE, STEP_LIMIT = 1 << 24, 1 << 32  # of TIME_STEP


@dataclass(frozen=True)
class Change:
    """What a port is to have: a policy's profile, a rate or none, or both; all else stays.

    `parent`: the policy is for below a tbf, so there has to be a rate. `there`: tc's kind of what has to be in force
    already, the rate's being tbf; `free`: what it takes the place of must be as after a reset.
    """

    profile: str | None = None
    shape: Shape | Literal["stays"] | None = "stays"
    parent: str | None = None
    there: str | None = None
    free: bool = False

    def over(self, kept: PortSettings, port: int, queues: int) -> PortSettings:
        """Return what a port has with it."""
        from truemark.laws.profile import port_table  # pydantic takes 0.2 s to load

        self._check_place(kept, port, queues)
        settings = kept if self.profile is None else port_table(self.profile).planned().settings.in_place_of(kept)
        settings = settings if self.shape == "stays" else settings.with_rate(self.shape, queues)
        if self.parent and settings.rate_of_line(queues) is None:
            raise TruemarkError(
                f"Failed to find specified qdisc: parent {self.parent} would be a tbf, and port {port} has no rate"
            )
        return settings

    def _check_place(self, kept: PortSettings, port: int, queues: int) -> None:
        """Refuse what is to be changed and is not there, or is there already, as Linux does (net/sched/sch_api.c)."""
        # A tbf is at the root, and the policy below it.
        policy = kind_of(kept)
        rated = kept.rate_of_line(queues) is not None
        found = "tbf" if rated and not self.parent else policy
        if self.there == "tbf" and not rated:
            raise TruemarkError(f"Invalid handle: port {port} has no tbf")
        if self.there not in (None, found):
            raise TruemarkError(f"Invalid qdisc name: must match existing qdisc, and port {port} has {found} there")
        plain = kept.policy == "droptail" and kept.limit_bytes is None and kept.limit_packets is None
        if self.free and (found == "tbf" or (self.shape == "stays" and not plain)):
            raise TruemarkError(f"Exclusivity flag on, cannot modify: port {port} has {found}; replace takes its place")


@dataclass
class Board:
    """A device by its address."""

    address: str
    notes: list[str] = field(default_factory=list, compare=False)  # what there is to say of how it was read
    # No board; known of a server's device once it is open, and not even then (None) where the server is too old.
    simulated: bool | None = field(default=False, compare=False)
    ends_with_command: ClassVar[bool] = False  # what a command does is remembered when it is done, or lost

    @property
    def place(self) -> str:
        """Where what was configured is in force, once it has been open."""
        return f"a SIMULATED device, at {self.address}" if self.simulated else self.address

    @property
    def owner(self) -> int:
        """What this program writes into the lock."""
        return programs.number(os.getpid())

    def connect(self) -> Transport:
        """Open its registers, which must be those of a Truemark; nothing is written. A server says if it simulates."""
        transport = open_transport(self.address)
        if isinstance(transport, Remote):
            self.simulated = transport.simulated()
            self.note(self.about_simulation())
        return transport

    def note(self, text: str) -> None:
        """Have something said of how it was read, once however often it is opened; an empty text is nothing."""
        if text and text not in self.notes:
            self.notes.append(text)

    def about_simulation(self) -> str:
        """Return what is to be said where the device is no board, or may be none; nothing where it is one."""
        if self.simulated is None:
            return f"not known whether SIMULATED: the server at {self.address} is older than this tool"
        return f"SIMULATED device, at {self.address}" if self.simulated else ""

    @contextmanager
    def open(self, *, lock: bool = True, looking: bool = False) -> Iterator[Device]:
        """Open the device, which must say that it is a Truemark before anything is written, and lock it.

        Who is only `looking` does so as well where the lock is of a program of this machine that runs no longer.
        """
        transport = self.connect()
        device = Device(transport.read, transport.write, self.address)
        try:
            lock = lock and self._lock(device, self.owner, looking)
            try:
                yield device
            except LinkError:
                raise
            except Exception:
                device.still_there()  # if it is not, that is why
                raise
            device.still_there()
        finally:
            with suppress(TruemarkError):
                if lock:
                    release(device, self.owner)
            transport.close()

    def _lock(self, device: Device, owner: int, looking: bool) -> bool:
        """Take the lock, which others have for less than a second; say who has it if it does not come free."""
        until = time.monotonic() + PATIENCE_S
        while True:
            device.write(registers.LOCK, registers.LOCK.pack(owner=owner))
            holder = registers.LOCK.unpack(device.read(registers.LOCK))["owner"]
            if holder == owner:
                return True
            device.still_there()
            if time.monotonic() >= until:
                break
            time.sleep(PATIENCE_S / 40)
        found = programs.running(holder)
        said = f"program {holder} has the lock"
        if found:
            raise RefusedError(f"{self.address}: {said}: {found}")
        remote = self.address.startswith("tcp:")
        said += f" and runs no longer on this machine{', perhaps on another' if remote else ''}"
        if looking and not remote:
            self.note(f"{said}: what it left half done may show here")
            return False
        raise RefusedError(f"{self.address}: {said}; to take it away: truemark unlock {self.address}")

    def unlock(self) -> int:
        """Take the lock from whoever has it; return who that was, 0 for nobody."""
        with self.open(lock=False) as device:
            holder = registers.LOCK.unpack(device.read(registers.LOCK))["owner"]
            release(device, holder)
            return holder

    def apply(self, source: Path, engine: str | None = None, build: str | None = None) -> list[Port]:
        """Check a profile against the device, then commit it port by port; a simulated one takes engine and size."""
        from truemark.laws import profile  # pydantic takes 0.2 s to load

        if engine or build:
            raise TruemarkError(f"{self.address}: --engine and --build are for a simulated device")
        wanted = profile.read_profile(source)
        order: list[int] = []
        ahead: list[str] = []  # what may have changed before the first port's turn
        done, committing = 0, False
        try:
            with self.open() as device:
                identity = device.identity()
                order = list(range(identity.ports))
                planned = profile.plan(wanted, identity.ports, identity.limits, str(source))
                queue_map = profile.plan_queues(wanted, identity.queues, identity.limits, str(source))
                device.check_shapes([each.settings for each in planned], str(source))
                before = device.before_commits(identity.ports)
                order = device.in_order([each.settings for each in planned], before, str(source))
                if device.pfc():
                    ahead += ["pauses", "laws"]
                device.make_way([each.settings for each in planned], before)
                if queue_map is not None:
                    ahead.append("the queue map")
                    device.commit_queue_map(queue_map)
                for done, port in enumerate(order):  # noqa: B007
                    committing = False
                    device.write_shadow(planned[port].settings)
                    committing = True
                    device.take_effect(port)
        except (LinkError, RefusedError, KeyboardInterrupt) as error:
            refused = isinstance(error, RefusedError)  # which port has not taken it is known then
            if not order or (refused and not done and not ahead):
                raise
            raise ended(error, outcome(done, order, self.address, committing and not refused, ahead)) from None
        return planned

    def identity(self) -> Identity:
        """Return what the device is; nobody's lock is waited for."""
        with self.open(lock=False) as device:
            return device.identity()

    def look(self, age: float = 0.0) -> Reading:
        """Look at the whole device; a server may hand on a look that is up to `age` seconds old."""
        with closing(Follower(self)) as follower:
            return follower.look(age)

    def change(self, port: int, table: PortTable) -> PortSettings:
        """Give a port another policy; its limits and its turn stay. Return what is in force now."""
        from truemark.laws import policies

        wanted = table.planned().settings
        with self.open() as device:
            device.check_ports([port])
            now = device.settings(port)
            wanted = replace(wanted, limit_bytes=now.limit_bytes, limit_packets=now.limit_packets, enable=now.enable)
            policies.check(wanted, device.identity().limits, f"port {port}")
            device.commit_laws(port, wanted)
            return device.settings(port)

    def apply_ports(self, changes: Mapping[int, Change]) -> dict[int, PortSettings]:
        """Check the changes of some ports, then commit them one by one; return what was in force there."""
        from truemark.laws import policies

        order = list(changes)
        with self._one_by_one(order) as begun, self.open() as device:
            limits = device.identity().limits
            before = {port: device.settings(port) for port in order}
            wanted = {port: changes[port].over(before[port], port, limits.queues) for port in order}
            for port, settings in wanted.items():
                policies.check(settings, limits, f"port {port}")
                if changes[port].shape != "stays":
                    device.check_shapes([settings], "tbf", port)
            for port in order:
                begun.append(port)
                device.commit(port, wanted[port])
            self.taken(changes)
        return before

    @contextmanager
    def _one_by_one(self, order: list[int]) -> Iterator[list[int]]:
        """Take the ports whose commit has begun; what ends it behind the first says which have taken theirs."""
        begun: list[int] = []
        try:
            yield begun
        except (LinkError, RefusedError, KeyboardInterrupt) as error:
            refused, done = isinstance(error, RefusedError), len(begun) - 1
            if self.ends_with_command or not begun or (refused and not done):
                raise
            raise ended(error, outcome(done, order, self.address, asking=not refused)) from None

    def taken(self, changes: Mapping[int, Change]) -> None:
        """Remember what ports have taken; a board does that itself, port by port."""

    def apply_turns(self, turns: dict[int, int | None]) -> None:
        """Say of ports what they send in a turn with others of their line, none of a strict one; all else stays."""
        with self._one_by_one(list(turns)) as begun, self.open() as device:
            for port, quantum in turns.items():
                begun.append(port)
                device.commit_turn(port, quantum)

    def look_at(self, ports: list[int] | None = None) -> Reading:
        """Look at some ports, or all, and the pool; the device is opened once."""
        if self.address.startswith("tcp:"):  # one look of the server, in place of some thousand words over the network
            found = self.look()
            there = found.identity.check_ports(ports or [])
            chosen = list(range(there)) if ports is None else ports
            settings, frozen = [found.settings[port] for port in chosen], [found.ports[port] for port in chosen]
            return replace(found, settings=settings, ports=frozen)
        with self.open(looking=True) as device:
            return look(device, ports)

    def snapshots(self, ports: list[int] | None = None) -> tuple[list[PortSettings], list[Snapshot]]:
        """Freeze the counters and read those of some ports, or of all, with their configuration."""
        found = self.look_at(ports)
        return found.settings, found.ports

    def set_clock(self, hertz: int) -> float:
        """Tell the device its clock; return the nanoseconds per cycle that it counts from now on."""
        step = round(STEP_ONE * 10**9 / hertz)
        if not 0 < step < STEP_LIMIT:
            meant = f"; did you mean {hertz}M?" if hertz < 1000 else ""
            raise TruemarkError(
                f"clock {hertz} Hz: the device can count steps of 2^-24 to 256 ns, clocks of 3.91 MHz and more{meant}"
            )
        with self.open() as device:
            device.write(registers.TIME_STEP, step)
            return device.read(registers.TIME_STEP) / STEP_ONE

    @contextmanager
    def _pacers(self, ports: list[int] | None) -> Iterator[tuple[Device, list[int], float]]:
        """Open a device with pacers; yield it, the ports that are meant, and its nanoseconds per cycle."""
        with self.open() as device:
            if device.read_at(NETFPGA_ID) != NETFPGA_QUEUES:
                raise RefusedError(f"{self.address}: no pacers: this is not NetFPGA's drop-in `output_queues`")
            there = device.check_ports(ports or [])
            yield device, list(range(there)) if ports is None else ports, device.read(registers.TIME_STEP) / STEP_ONE

    def pace(self, ports: list[int] | None) -> tuple[dict[int, float], float]:
        """Return the bytes per cycle that ports release frames at, 0 for as they can, and the nanoseconds per cycle."""
        with self._pacers(ports) as (device, chosen, step):
            return paces(device, chosen), step

    def set_pace(self, rate: int | None, ports: list[int] | None) -> tuple[dict[int, float], float]:
        """Let ports release frames at a rate in bit/s, or as they can; return what `pace` does."""
        with self._pacers(ports) as (device, chosen, step):
            word = 0 if rate is None else round(rate / 8 * step / 1e9 * PACE_ONE)
            if rate is not None and not 0 < word < PACE_LIMIT:
                bounds = " to ".join(show_rate(8e9 / step * each / PACE_ONE) for each in (1, PACE_LIMIT))
                raise TruemarkError(
                    f"{rate} bit/s at {step:g} ns per cycle: a pacer does 2^-16 to 256 bytes per cycle, {bounds}"
                )
            for port in chosen:
                device.write_at(PACE + 4 * port, word)
            return paces(device, chosen), step


class Follower:
    """Looks at a device again and again, at a server's over one connection for as long as that holds."""

    def __init__(self, board: Board) -> None:
        self._board, self._turn = board, threading.Lock()
        self._link: Remote | None = None

    def look(self, age: float = 0.0) -> Reading:
        """Look at the whole device; a server may hand on a look that is up to `age` seconds old."""
        with self._turn:
            kept = self._link is not None
            try:
                return self._look(age)
            except LinkError:
                self.close()
                if not kept:
                    raise
            return self._look(age)  # the server had let the connection go, or was started again

    def _look(self, age: float) -> Reading:
        if self._link is None and self._board.address.startswith("tcp:"):
            transport = self._board.connect()
            self._link = transport if isinstance(transport, Remote) else None
        if self._link is not None:
            with suppress(OlderServerError, OtherLookError):  # then it serves registers, as every version does
                return self._found(replayed(self._link.look(age)))
        with self._board.open() as device:
            return self._found(look(device))

    def _found(self, reading: Reading) -> Reading:
        return replace(reading, simulated=self._board.simulated)

    def close(self) -> None:
        """Hang up."""
        if self._link is not None:
            self._link.close()
            self._link = None


@dataclass
class Attached(Board):
    """A device whose registers are open already, and stay so."""

    _: KW_ONLY
    registers: Registers

    def connect(self) -> Transport:
        """Return what is there."""
        return self

    def read(self, offset: int) -> int:
        """Read a word."""
        return self.registers.read(offset)

    def write(self, offset: int, value: int) -> None:
        """Write a word."""
        self.registers.write(offset, value)

    def close(self) -> None:
        """Leave it open."""


def paces(device: Device, ports: list[int]) -> dict[int, float]:
    """Read the bytes per cycle of the ports' pacers, 0 where none is at work."""
    return {port: device.read_at(PACE + 4 * port) / PACE_ONE for port in ports}


def release(device: Device, owner: int) -> None:
    """Give an owner's lock back."""
    device.write(registers.LOCK, registers.LOCK.pack(release=1, owner=owner))


def ended(error: BaseException, state: str) -> TruemarkError:
    """Return an error with what a device is configured to after it; an interrupt is one, too."""
    kind = next((each for each in (LinkError, RefusedError) if isinstance(error, each)), InterruptedRunError)
    return kind(f"{str(error) or 'interrupted'}; {state}")


def outcome(done: int, order: list[int], address: str, asking: bool = False, ahead: Sequence[str] = ()) -> str:
    """Say what a device is configured to when committing ends after so many ports.

    `asking` if it is not known whether the next one has taken it; `ahead` is what may have changed before all of them.
    """
    said = []
    look = f"truemark show --device {address}"
    if done:
        said.append(f"{those(order[:done])} {'have' if done > 1 else 'has'} the new configuration")
    if not asking:
        rest = f"{those(order[done:])} still the old one"
        said.append(rest if done else "every port still has its old configuration")
    else:
        said.append(f"whether port {order[done]} has taken it is not known ({look})")
        if done < len(order) - 1:
            said.append("those behind it still have the old one")
    if ahead:
        said.append(f"except that {listed(ahead)} may be new" + ("" if asking else f" ({look})"))
    return ", ".join(said)


def those(ports: list[int]) -> str:
    """Name some ports."""
    first, last = ports[0], ports[-1]
    if len(ports) == 1:
        return f"port {first}"
    if ports == list(range(first, last + 1)):
        return f"ports {first} to {last}"
    return f"ports {listed(ports)}"


def listed(items: Sequence[object]) -> str:
    """Return one or more as a sentence has them."""
    *others, last = map(str, items)
    return f"{', '.join(others)} and {last}" if others else last
