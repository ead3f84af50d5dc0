# SPDX-License-Identifier: BSD-3-Clause
"""What test_cycle_accuracy puts into tm_core: builds, policies, frames of all kinds, and the habits of sinks."""

from __future__ import annotations

import random
from dataclasses import dataclass

from cocotb_tests.env.config_words import OFF_BYTES, OFF_PACKETS
from cocotb_tests.env.policy import Policy
from cocotb_tests.env.tm_pkg import CFG, Class, Law
from cocotb_tests.parse.checker import Schedule
from cocotb_tests.parse.stream import Build, Frame, frame_of
from cocotb_tests.parse.vectors import random_frame

CYCLES = 10_000


@dataclass(frozen=True)
class Core:
    """The parameters of the build under test."""

    ports: int
    beat_bytes: int
    rows: int
    descriptors: int
    max_frame: int = 9216
    store_and_forward: bool = False
    flags_verdict: bool = False
    ultra: bool = False
    marked_copy: bool = True

    @property
    def rewrites(self) -> bool:
        """Whether rows are rewritten as they leave, behind the core."""
        return self.ultra or not self.marked_copy

    def parameters(self) -> dict[str, int | str]:
        """Return them as the RTL names them."""
        return {
            "PORTS": self.ports,
            "DATA_W": 8 * self.beat_bytes,
            "ROWS": self.rows,
            "DESCRIPTORS": self.descriptors,
            "MAX_FRAME": self.max_frame,
            "STORE_AND_FORWARD": int(self.store_and_forward),
            "FLAGS_VERDICT": int(self.flags_verdict),
            "ULTRA": int(self.ultra),
            "MARKED_COPY": int(self.marked_copy),
        }

    def model(self) -> tuple[int, int, int, int, int, bool, bool]:
        """Return what the golden model is built with."""
        return (
            self.ports, 8 * self.beat_bytes, self.rows, self.descriptors, self.max_frame, self.store_and_forward,
            self.flags_verdict,
        )  # fmt: skip

    def build(self) -> Build:
        """Return what the parser's rules need of them."""
        return Build(self.beat_bytes, self.max_frame, self.ports, self.store_and_forward, self.flags_verdict)


def pack(policy: Policy, flags_verdict: bool) -> int:
    """Return the policy as `cfg_t`."""
    return CFG.pack(
        enable=policy.enable,
        limit_bytes=OFF_BYTES if policy.limit_bytes is None else policy.limit_bytes,
        limit_packets=OFF_PACKETS if policy.limit_packets is None else policy.limit_packets,
        slot_of=sum(slot << ecn for ecn, slot in enumerate(policy.slot_of)),
        law=policy.law[1] << 2 | policy.law[0],
        k=policy.k[1] << 24 | policy.k[0],
        protect=sum(1 << (2 * class_id + ece) for class_id, ece in policy.protect),
        noecn=policy.noecn,
        harddrop=policy.harddrop,
        wait_flags=policy.waits(flags_verdict),
    )


def random_policy(rng: random.Random, core: Core) -> Policy:
    """Any policy a commit would accept, with limits and thresholds that traffic meets."""
    storage = core.rows * core.beat_bytes
    laws = tuple(rng.choice((Law.NONE, Law.STEP, Law.STEP)) for _ in range(2))
    protect: frozenset[tuple[Class, int]] = frozenset()
    if core.flags_verdict and rng.random() < 0.7:
        protect = frozenset((class_id, ece) for class_id in Class for ece in (0, 1) if rng.random() < 0.5)
    return Policy(
        enable=rng.random() > 0.04,
        limit_bytes=rng.choice((None, None, rng.randint(1, storage), rng.randint(storage // 4, storage))),
        limit_packets=rng.choice((None, None, None, rng.randint(1, core.descriptors))),
        slot_of=rng.choice(((0, 0, 0, 0), (1, 0, 0, 0), (1, 0, 1, 0))),
        law=(laws[0], laws[1]),
        k=(rng.randint(0, storage // 2), rng.choice((0, rng.randint(0, storage)))),
        protect=protect,
        noecn=not protect and rng.random() < 0.15,
        harddrop=rng.random() < 0.15,
    )


def spoil(frame: Frame, rng: random.Random, core: Core) -> Frame:
    """Make a frame wrong, now and then."""
    match rng.randrange(40):
        case 0:
            frame.promised = max(14, frame.promised + rng.choice((-1, 1, -core.beat_bytes, core.beat_bytes, 99)))
        case 1:
            frame.promised = rng.randrange(14, 300)
        case 2:
            rng.choice(frame.beats).keep &= ~(1 << rng.randrange(core.beat_bytes))
        case 3:
            frame.error = True
        case 4:
            frame.dest = rng.choice((0, (1 << core.ports) - 1))
        case 5:
            frame.promised = rng.choice((13, core.max_frame + 1))
    return frame


def traffic(core: Core, rng: random.Random) -> Schedule:
    """Frames of all kinds at a load that changes."""
    schedule = Schedule(core.build())
    while len(schedule.pins) < CYCLES:
        busy = rng.choice((0.0, 0.0, 0.3))
        short = rng.random() < 0.3
        for _ in range(rng.randrange(1, 12)):
            data = random_frame(rng)
            if short and len(data) > 90:
                data = data[: rng.choice((60, 64, 65, 90))]
            elif len(data) > 600 and rng.random() < 0.7:
                data = data[: rng.randrange(200, 600)]
            elif rng.random() < 0.04:
                data = data.ljust(rng.randrange(len(data), core.max_frame + 1), b"\x55")
            dest = rng.randrange(1, 1 << core.ports)
            frame = frame_of(data[: core.max_frame], core.beat_bytes, dest=dest, filler=rng)
            schedule.add(spoil(frame, rng, core), rng, busy)
        if rng.random() < 0.6:
            schedule.idle(rng.choice((1, 2, 3, 5, 20, 60)), rng)
    return schedule


class Habits:
    """How a sink and its scheduler behave for a while: each ready, or tx_en, in a cycle with some probability."""

    def __init__(self, rng: random.Random) -> None:
        self.ready = rng.choice((1.0, 1.0, 0.9, 0.5, 0.2, 0.05, 0.0))
        self.tx_en = rng.choice((1.0, 1.0, 1.0, 0.5, 0.05, 0.01, 0.0))


# Every width, both verdicts, both memories, both ways to mark, both modes, one port and several, odd and even numbers
# of rows.
CORES = [
    Core(ports=3, beat_bytes=8, rows=301, descriptors=40, max_frame=1600),
    Core(ports=2, beat_bytes=16, rows=200, descriptors=60, flags_verdict=True, ultra=True, max_frame=1600),
    Core(ports=3, beat_bytes=32, rows=64, descriptors=508, flags_verdict=True, marked_copy=False),
    Core(ports=2, beat_bytes=32, rows=150, descriptors=30, store_and_forward=True, max_frame=1600, ultra=True),
    Core(ports=1, beat_bytes=64, rows=100, descriptors=100, ultra=True),
    Core(ports=2, beat_bytes=128, rows=37, descriptors=64),
    Core(ports=1, beat_bytes=8, rows=256, descriptors=12, store_and_forward=True, flags_verdict=True, max_frame=1600),
]


def title(core: Core) -> str:
    """Return a name for the build."""
    words = [f"{core.ports}x{8 * core.beat_bytes}", f"{core.rows}rows"]
    words += [word for word, on in (("flags", core.flags_verdict), ("ultra", core.ultra)) if on]
    words += [word for word, on in (("rewrite", not core.marked_copy), ("whole", core.store_and_forward)) if on]
    return "-".join(words)
