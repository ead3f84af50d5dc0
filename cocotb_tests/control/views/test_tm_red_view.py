# SPDX-License-Identifier: BSD-3-Clause
"""tm_red_view: the registers show what the shared units found out last."""

from __future__ import annotations

from typing import Any

import cocotb
import pytest
from truemark_dev.marks import slow
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, cycle, randomness, start
from cocotb_tests.env.tm_pkg import RED_VIEW


@cocotb.test()
async def shows_the_last(dut: Any) -> None:
    """Reads between visits.

    Stimulus: 3000 cycles in which each unit tells something of a place, or nothing, and in which a word of a port is
    read, or none.
    Checks: a read shows in the next cycle what its word was told last; otherwise, and for a port that is not there, 0.
    """
    rng = randomness("tm_red_view")
    coverage = Coverage("tm_red_view")
    ports = dut.PORTS.value.to_unsigned()
    units = (ports + 7) // 8
    await start(dut, reset=None, view_i=0, page_i=0, read_i=0, index_i=0)
    told: dict[tuple[int, int], int] = {}
    expected = 0
    for now in range(3000):
        page, index = rng.randrange(min(16, ports + 2)), rng.randrange(4)
        read = rng.random() < 0.5 and (page >= ports or (page, index) in told)
        dut.page_i.value, dut.index_i.value, dut.read_i.value = page, index, read
        views, news = 0, {}
        for unit in range(units):
            if rng.random() < 0.7:
                place, is_maxp, value = (
                    rng.randrange(2 * min(8, ports - 8 * unit)),
                    rng.randrange(2),
                    rng.getrandbits(25),
                )
                views |= RED_VIEW.pack(valid=1, is_maxp=is_maxp, place=place, value=value) << RED_VIEW.width * unit
                news[8 * unit + place // 2, 2 * is_maxp + place % 2] = value
        dut.view_i.value = views
        await cycle(dut)
        if now:
            assert int(dut.data_o.value) == expected
        expected = told[page, index] if read and page < ports else 0
        coverage.hit("shown", expected != 0)
        coverage.hit("not there", read and page >= ports)
        told |= news
    coverage.check({"shown": 300, "not there": 0 if ports == 16 else 100})


@pytest.mark.parametrize("ports", [5, *slow(16)])
def test_tm_red_view(ports: int) -> None:
    build_and_test("tm_red_view", __name__, parameters={"PORTS": ports})
