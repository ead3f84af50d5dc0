# SPDX-License-Identifier: BSD-3-Clause
"""The golden model of the shared memory against SAI's sentence in plain Python, and against theory."""

from __future__ import annotations

import os
import random
from collections import Counter, deque
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import pytest
from truemark_dev.golden import golden

pytestmark = pytest.mark.builds("golden")

STEPS = 300  # of each random pool
POOLS = 400


@dataclass
class Queue:
    """A queue as the oracle sees it: frames in cells, those that are stored and those that the walker has left."""

    reserve: int
    share: int | Fraction  # static cells, or alpha
    frames: deque[int] = field(default_factory=deque)
    walking: int = 0

    @property
    def taken(self) -> int:
        """Cells that are the queue's."""
        return sum(self.frames) + self.walking


@dataclass
class Oracle:
    """SAI: the limit is the reserve and the static threshold, or the reserve and 2^n times what is available."""

    cells: int
    cell: int
    headroom: int
    queues: list[Queue]

    def available(self) -> int:
        """Not held, not walking, not kept as headroom, not what is left of a reserve; 0 when headroom is in use."""
        held = sum(sum(queue.frames) for queue in self.queues)
        walking = sum(queue.walking for queue in self.queues)
        unused = sum(max(0, queue.reserve - queue.taken) for queue in self.queues)
        return max(0, self.cells - held - walking - unused - self.headroom)

    def limit(self, queue: Queue) -> Fraction:
        """The most that the queue may have now."""
        beyond = queue.share if isinstance(queue.share, int) else queue.share * self.available()
        return Fraction(queue.reserve + beyond)

    def refuses(self, queue: Queue, cells: int) -> str:
        """Say why a frame may not be stored; nothing if it may."""
        if queue.taken + cells <= queue.reserve:
            return ""
        if queue.taken + cells > self.limit(queue):
            return "threshold"
        return "cells" if cells > self.room(queue) else ""

    def room(self, queue: Queue) -> int:
        """Cells that nobody has, nor the reserve of another: a frame that its threshold lets in may use headroom."""
        taken = sum(each.taken for each in self.queues)
        return self.cells - taken - sum(max(0, each.reserve - each.taken) for each in self.queues if each is not queue)


def cells_of(length: int, cell: int) -> int:
    """Whole cells."""
    return -(-length // cell)


def twins(rng: random.Random) -> tuple[Any, Oracle]:
    """Return a random pool as the model and as the oracle; many are small, so that they are full."""
    cells, cell = rng.choice([rng.randint(1, 60), rng.randint(60, 3000)]), rng.choice([64, 128])
    headroom = rng.choice([0, rng.randint(0, cells)])
    model = golden().Pool(cells, cell, headroom)
    oracle = Oracle(cells, cell, headroom, [])
    left = cells - headroom
    for _ in range(rng.randint(1, 6)):
        reserve = rng.choice([0, rng.randint(0, left), rng.randint(0, min(left, 30))])
        left -= reserve
        if rng.random() < 0.3:
            share: int | Fraction = rng.randint(0, cells)
            number = model.add(reserve, share)
        else:
            exponent = rng.randint(-7, 3)
            share = Fraction(2) ** exponent
            number = model.add(reserve, None, exponent)
        assert number == len(oracle.queues)
        oracle.queues.append(Queue(reserve, share))
    return model, oracle


def compare(model: Any, oracle: Oracle, most: list[int]) -> None:
    """Every number that the model shows is the oracle's."""
    held = [sum(queue.frames) for queue in oracle.queues]
    assert model.free == oracle.available() >= 0
    assert model.walking == sum(queue.walking for queue in oracle.queues)
    assert [model.held(number) for number in range(len(held))] == held
    assert model.held() == sum(held)
    assert model.watermark() == most[-1]
    for number, queue in enumerate(oracle.queues):
        assert queue.reserve + model.threshold(number) == oracle.limit(queue) // 1
        assert model.room(number) == oracle.room(queue)
        assert model.watermark(number) == most[number]


def test_the_pool_says_what_the_oracle_says() -> None:
    """*Stimulus*: random pools, frames of 1 to 9216 bytes, departures, head drops and a walker in random order.

    *Checks*: every answer with its reason, and all numbers after every step; a frame that fits into what its queue has
    left of its reserve is never refused, and nothing is free that is not there.
    """
    rng = random.Random(f"pool/{os.environ.get('TRUEMARK_SEED', '1')}")
    met: Counter[str] = Counter()
    for _ in range(POOLS):
        model, oracle = twins(rng)
        chains: deque[list[int]] = deque()
        most = [0] * (len(oracle.queues) + 1)
        for _ in range(STEPS):
            number = rng.randrange(len(oracle.queues))
            queue = oracle.queues[number]
            step = rng.choices(["offer", "leave", "drop", "walk"], [6, 3, 1, 1])[0]
            if step == "offer":
                length = rng.choice([rng.randint(1, 300), rng.randint(1, 9216)])
                cells = cells_of(length, oracle.cell)
                answer = oracle.refuses(queue, cells)
                assert model.ask(number, length) == answer
                met[answer or "stored"] += 1
                if queue.taken + cells <= queue.reserve:
                    met["from the reserve"] += 1
                    assert not answer
                if answer:
                    with pytest.raises(RuntimeError, match="a frame is stored that was refused"):
                        model.store(number, length)
                else:
                    model.store(number, length)
                    queue.frames.append(cells)
                    most[number] = max(most[number], sum(queue.frames))
                    most[-1] = max(most[-1], sum(sum(each.frames) for each in oracle.queues))
            elif step == "walk":
                steps = rng.randint(0, 40)
                model.walk(steps)
                while steps and chains:
                    now = min(steps, chains[0][1])
                    oracle.queues[chains[0][0]].walking -= now
                    chains[0][1] -= now
                    steps -= now
                    met["walked"] += now
                    if not chains[0][1]:
                        chains.popleft()
            elif queue.frames:
                cells = queue.frames.popleft()
                if step == "leave":
                    model.release(number, cells * oracle.cell)
                else:
                    model.drop(number, cells * oracle.cell - 1)
                    queue.walking += cells
                    chains.append([number, cells])
            compare(model, oracle, most)
    print(dict(met))
    for what in ("stored", "threshold", "cells", "from the reserve", "walked"):
        assert met[what] > 300, f"{what}: {met[what]}"


def fill(pool: Any, queues: list[int], length: int) -> None:
    """Offer a frame to one queue after the other until none takes one."""
    while [queue for queue in queues if not pool.ask(queue, length) and pool.store(queue, length) is None]:
        pass


@pytest.mark.parametrize("count", [1, 2, 4])
@pytest.mark.parametrize("exponent", [-3, 0, 3])
@pytest.mark.parametrize("length", [64, 1514])
def test_greedy_queues_share_as_choudhury_and_hahne_say(count: int, exponent: int, length: int) -> None:
    """Queues that fill at one rate take alpha B / (1 + S alpha) each, within the cells of a frame: at 64 bytes one.

    That began one after the other, and send in turn, they come to the same within 1 + alpha frames, for the threshold
    moves by alpha cells with each cell that is free.
    """
    alpha, total = Fraction(2) ** exponent, 10_240
    cells = cells_of(length, 64)
    share = alpha * total / (1 + count * alpha)

    pool = golden().Pool(total)
    queues = [pool.add(exponent=exponent) for _ in range(count)]
    fill(pool, queues, length)
    assert all(abs(pool.held(queue) - share) <= cells for queue in queues), f"{share}: {list(map(pool.held, queues))}"

    pool = golden().Pool(total)
    queues = [pool.add(exponent=exponent) for _ in range(count)]
    for begun in range(1, count + 1):
        active = deque(queues[:begun])
        fill(pool, list(active), length)
        for _ in range(begun * total // cells):  # one sends a frame, and then all are offered what they take
            if pool.held(active[0]):
                pool.release(active[0], length)
            fill(pool, list(active), length)
            active.rotate(-1)
    near = (1 + alpha) * cells
    assert all(abs(pool.held(queue) - share) <= near for queue in queues), f"{share}: {list(map(pool.held, queues))}"


def test_a_reserve_is_there_when_others_have_taken_all() -> None:
    """Three queues share what no reserve nor headroom keeps; then one without a threshold takes all, headroom too.

    The fourth still gets each cell of its reserve.
    """
    pool = golden().Pool(1000, 64, 100)
    greedy = [pool.add(reserve=10, exponent=3) for _ in range(3)]
    quiet = pool.add(reserve=50, exponent=3)
    fill(pool, greedy, 64)
    assert pool.free + pool.held() == 850
    pool.set_share(greedy[0], 10, 1000, 0)
    fill(pool, greedy, 64)
    assert (pool.free, pool.held()) == (0, 950)
    assert pool.ask(greedy[0], 64) == "cells"
    for _ in range(50):
        assert pool.ask(quiet, 64) == ""
        pool.store(quiet, 64)
    assert pool.ask(quiet, 64) == "threshold"
    assert pool.held() == 1000


def test_cells_of_a_dropped_frame_take_nothing_from_the_reserve_of_another() -> None:
    """A queue drops what its reserve held: until the walker has been there it may not have the same cells again."""
    pool = golden().Pool(100)
    first, second = pool.add(reserve=60, fixed=0), pool.add(reserve=40, fixed=0)
    pool.store(first, 60 * 64)
    pool.drop(first, 60 * 64)
    assert pool.ask(first, 1) == "threshold"
    pool.store(second, 40 * 64)
    pool.walk(59)
    assert (pool.walking, pool.ask(first, 59 * 64), pool.ask(first, 60 * 64)) == (1, "", "threshold")
    pool.walk(1000)
    assert (pool.walking, pool.ask(first, 60 * 64)) == (0, "")


def test_watermarks_begin_again_at_what_is_held() -> None:
    pool = golden().Pool(100)
    queue = pool.add(exponent=3)
    pool.store(queue, 640)
    pool.release(queue, 320)
    assert (pool.watermark(), pool.watermark(queue)) == (10, 10)
    pool.clear_watermarks()
    assert (pool.watermark(), pool.watermark(queue)) == (5, 5)


@pytest.mark.parametrize(
    ("arguments", "share", "message"),
    [
        ({"cells": 0}, {}, r"pool: cells = 0, allowed: 1 to 2\^32"),
        ({"cell_bytes": 96}, {}, "pool: cell_bytes = 96, allowed: 64, 128"),
        ({"headroom": 101}, {}, "pool: headroom = 101, allowed: 0 to 100, the cells of the pool"),
        ({}, {"reserve": 101}, "pool: reserve = 101, allowed: 0 to 100, the cells that other reserves"),
        ({"headroom": 60}, {"reserve": 41}, "pool: reserve = 41, allowed: 0 to 40, the cells that other reserves"),
        ({}, {"fixed": 101}, "pool: fixed = 101, allowed: 0 to 100, the cells of the pool"),
        ({}, {"exponent": 4}, "pool: exponent = 4, allowed: -7 to 3"),
        ({}, {"exponent": -8}, "pool: exponent = -8, allowed: -7 to 3"),
    ],
)
def test_bad_input_is_refused_by_name(arguments: dict[str, int], share: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        golden().Pool(**({"cells": 100} | arguments)).add(**share)


def test_what_never_was_stored_cannot_leave() -> None:
    pool = golden().Pool(100)
    queue = pool.add()
    pool.store(queue, 64)
    for leave in (pool.release, pool.drop):
        with pytest.raises(RuntimeError, match="its queue does not hold"):
            leave(queue, 65)
    with pytest.raises(RuntimeError, match="a queue comes after the first frame"):
        pool.add()
