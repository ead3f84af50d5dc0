# SPDX-License-Identifier: BSD-3-Clause
"""tm_switch_lookup, and in it tm_mac_table, tm_forward_ram, tm_static_entries: against a table written in Python."""

from __future__ import annotations

from typing import Any

import cocotb
from cocotb.triggers import RisingEdge
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, randomness, start

DEPTH = 16
INDEX_BITS = 4
PORTS, WIDTH = 5, 256
FLOOD = 0x55
LATENCY = 4


def row_of(mac: bytes) -> int:
    """Return the row of an address: its bits, last byte lowest, folded."""
    value, row = int.from_bytes(mac, "big"), 0
    while value:
        row ^= value & DEPTH - 1
        value >>= INDEX_BITS
    return row


class Table:
    """Two entries a row, the older way of a full row replaced by turns."""

    def __init__(self) -> None:
        self.rows: list[list[tuple[bytes, int] | None]] = [[None, None] for _ in range(DEPTH)]
        self.turn = 0

    def find(self, mac: bytes) -> int | None:
        """Return the ports of an address, or None."""
        return next((entry[1] for entry in self.rows[row_of(mac)] if entry and entry[0] == mac), None)

    def learn(self, mac: bytes, ports: int) -> bool:
        """Take in where an address is; say whether anything was written."""
        row = self.rows[row_of(mac)]
        there = [way for way in (0, 1) if (entry := row[way]) and entry[0] == mac]
        if there:
            if row[there[0]] == (mac, ports):
                return False
            way = there[0]
        else:
            way = 0 if row[0] is None else 1 if row[1] is None else self.turn
        row[way] = (mac, ports)
        self.turn ^= 1
        return True


async def begin(dut: Any) -> None:
    """Reset, and wait until the table has been cleared."""
    pins = ("s_valid_i", "s_first_i", "s_data_i", "s_keep_i", "s_last_i", "s_error_i", "s_user_i")
    config = ("clear_i", "write_i", "index_i", "entry_valid_i", "entry_mac_i", "entry_ports_i")
    await start(dut, dict.fromkeys((*pins, *config), 0))
    for _ in range(DEPTH + 4):
        await RisingEdge(dut.clk_i)


async def frame(dut: Any, destination: bytes, source: bytes, ports: int) -> tuple[int, bool]:
    """Send one single-beat frame; return its destination bits and whether something was learned."""
    dut.s_valid_i.value = dut.s_first_i.value = dut.s_last_i.value = 1
    dut.s_data_i.value = int.from_bytes(destination + source, "little")
    dut.s_user_i.value = 64 | ports << 16
    await RisingEdge(dut.clk_i)
    dut.s_valid_i.value = 0
    learned = False
    for _ in range(LATENCY):
        await RisingEdge(dut.clk_i)
        learned |= dut.learn_o.value == 1
    assert dut.m_valid_o.value == 1
    user = int(dut.m_user_o.value)
    assert user & 0xFFFFFF == 64 | ports << 16
    return user >> 24, learned


@cocotb.test()
async def forgets_all_at_once(dut: Any) -> None:
    """
    Stimulus: an address is learned, the table cleared, and a frame to the address sent in each of the cycles in which
        the clearing ends; 64 addresses, in all rows.
    Checks: the frame is flooded.
    """
    rng = randomness("forgets_all_at_once")
    await begin(dut)
    group = bytes([1, *rng.randbytes(5)])
    for _ in range(64):
        mac = bytes([rng.randrange(256) & 0xFE, *rng.randbytes(5)])
        for late in range(DEPTH - 5, DEPTH + 3):
            await frame(dut, group, mac, 0x04)
            assert (await frame(dut, mac, group, 0x01))[0] == 0x04
            dut.clear_i.value = 1
            await RisingEdge(dut.clk_i)
            dut.clear_i.value = 0
            for _ in range(late):
                await RisingEdge(dut.clk_i)
            assert (await frame(dut, mac, group, 0x01))[0] == FLOOD & ~0x01, f"{mac.hex()}, {late} cycles later"
            for _ in range(6):
                await RisingEdge(dut.clk_i)


@cocotb.test()
async def one_by_one(dut: Any) -> None:
    """
    Stimulus: 3000 frames, far enough apart, between 60 addresses for 32 entries, group addresses among them on both
        sides, from all five ports; the table cleared now and then; static entries set and removed.
    Checks: destinations are those of a table kept in Python, entry for entry, less the source; so is every write of it.
    """
    rng, coverage = randomness("one_by_one"), Coverage("lookup")
    await begin(dut)
    table = Table()
    static: dict[int, tuple[bytes, int]] = {}
    macs = [bytes([rng.randrange(256) & 0xFE, *rng.randbytes(5)]) for _ in range(60)]
    group = bytes([1, *rng.randbytes(5)])
    for _ in range(3000):
        if rng.random() < 0.002:
            dut.clear_i.value = 1
            await RisingEdge(dut.clk_i)
            dut.clear_i.value = 0
            for _ in range(DEPTH + 4):
                await RisingEdge(dut.clk_i)
            turn, table = table.turn, Table()
            table.turn = turn
            coverage.hit("cleared")
        if rng.random() < 0.02:
            index, mac, ports = rng.randrange(16), rng.choice((*macs, group)), rng.randrange(256)
            dut.write_i.value, dut.index_i.value = 1, index
            dut.entry_mac_i.value, dut.entry_ports_i.value = int.from_bytes(mac, "little"), ports
            dut.entry_valid_i.value = int(keep := rng.random() < 0.6)
            await RisingEdge(dut.clk_i)
            dut.write_i.value = 0
            static.pop(index, None)
            if keep:
                static[index] = (mac, ports)
        destination = rng.choice((*macs, *macs, *macs, group, b"\xff" * 6))
        source = rng.choice((*macs, *macs, *macs, group))
        ports = rng.choice((0x01, 0x04, 0x10, 0x40, 0x02))
        fixed = [reach for mac, reach in static.values() if mac == destination]
        seen = None if destination[0] & 1 else table.find(destination)
        want = FLOOD if seen is None else seen
        if fixed:
            want = 0
            for reach in fixed:
                want |= reach
        coverage.hit("static", bool(fixed))
        coverage.hit("hit", not fixed and seen is not None)
        coverage.hit("flood", not fixed and seen is None)
        coverage.hit("filtered", want & ~ports == 0)
        writes = not source[0] & 1 and table.learn(source, ports)
        coverage.hit("learned", writes)
        coverage.hit("known already", not writes)
        got, learned = await frame(dut, destination, source, ports)
        assert got == want & ~ports, f"to {destination.hex()}: {got:#x}, not {want & ~ports:#x}"
        assert learned == writes, f"from {source.hex()}: learned {learned}, not {writes}"
    coverage.check(
        {"cleared": 2, "static": 50, "hit": 200, "flood": 500, "filtered": 10, "learned": 500, "known already": 50}
    )


@cocotb.test()
async def one_in_every_cycle(dut: Any) -> None:
    """
    Stimulus: 4000 single-beat frames, one in each cycle, between 24 addresses that move between ports.
    Checks: a destination is where the address was last seen, or was within the last four cycles before; or, where an
        entry was lost or only just seen, a flood; 3 of 4 are hits.
    """
    rng, coverage = randomness("one_in_every_cycle"), Coverage("lookup at full rate")
    await begin(dut)
    macs = [bytes([2, 0, 0, 0, 0, number]) for number in range(24)]
    history: dict[bytes, list[tuple[int, int]]] = {mac: [] for mac in macs}  # cycle, ports
    home = {mac: rng.choice((0x01, 0x04, 0x10, 0x40)) for mac in macs}
    expected: list[tuple[set[int], int] | None] = []
    dut.s_valid_i.value = dut.s_first_i.value = dut.s_last_i.value = 1
    for cycle in range(4000):
        destination, source = rng.choice(macs), rng.choice(macs)
        if rng.random() < 0.02:
            home[source] = rng.choice((0x01, 0x04, 0x10, 0x40))
        ports = home[source]
        seen = history[destination]
        settled = [reach for at, reach in seen if at < cycle - LATENCY]
        possible = {reach for at, reach in seen if at >= cycle - LATENCY} | set(settled[-1:])
        expected.append((possible, ports))
        history[source].append((cycle, ports))
        dut.s_data_i.value = int.from_bytes(destination + source, "little")
        dut.s_user_i.value = 64 | ports << 16
        await RisingEdge(dut.clk_i)
        if cycle < LATENCY:
            continue
        checked = expected[cycle - LATENCY]
        assert checked is not None
        assert dut.m_valid_o.value == 1
        got, (possible, came) = int(dut.m_user_o.value) >> 24, checked
        assert got in {reach & ~came for reach in (*possible, FLOOD)}, f"cycle {cycle}: {got:#x}, not {possible}"
        coverage.hit("hit", dut.hit_o.value == 1)
        coverage.hit("flood", dut.flood_o.value == 1)
    coverage.check({"hit": 3000, "flood": 10})


def test_tm_switch_lookup() -> None:
    build_and_test(
        "tm_switch_lookup",
        __name__,
        listing="rtl/netfpga/netfpga.f",
        parameters={"PORTS": PORTS, "DATA_W": WIDTH, "DEPTH": DEPTH},
    )
