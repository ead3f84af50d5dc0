# SPDX-License-Identifier: BSD-3-Clause
"""tm_reference_switch as a whole, and in it tm_reference_registers: who gets what, how fast, and what is lost."""

from __future__ import annotations

from collections import Counter
from typing import Any

import cocotb
import pytest
from cocotbext.truemark.source import no_gap
from truemark.device import registers
from truemark_dev.marks import slow

from cocotb_tests.env.bench import Coverage
from cocotb_tests.netfpga.host import SLVERR
from cocotb_tests.netfpga.stream import Packet
from cocotb_tests.netfpga.switch_stations import (
    BROADCAST,
    COMMAND,
    DROPPED,
    FILTERED,
    FLOODS,
    HITS,
    LATENCY,
    LEARNED,
    LOOKUP,
    MAC_HIGH,
    MAC_LOW,
    NOTHING,
    PORTS,
    QUEUES,
    RECEIVED,
    SHAPES,
    STORE,
    TABLE_ROWS,
    Bench,
    Shape,
    introduce,
    run,
)


@cocotb.test()
async def learns_and_forwards(dut: Any) -> None:
    """
    Stimulus: 12 stations introduce themselves; then 300 frames of 60 to 1518 bytes between them from all inputs at
        once, some to a station behind their own port; a station moves; static entries, one of a group address; the
        table is cleared.
    Checks: floods and unicasts go where a switch sends them, whole and in each input's order, tuser written as NetFPGA
        has it; the lookup's counters.
    """
    bench = await Bench(dut, "learns_and_forwards").start()
    rng, ports, host = bench.rng, bench.shape.ports, bench.host
    homes = [station % ports for station in range(12)]
    await introduce(bench, homes)
    assert await host.read(LEARNED) == len(homes)
    expected: list[Counter[tuple[bytes, int]]] = [Counter() for _ in range(ports)]
    for sender in bench.senders:
        sender.gaps = lambda: ports  # together just less than the stream carries
    orders: dict[tuple[int, int], list[bytes]] = {}
    filtered = 0
    for _ in range(300):
        source, destination = rng.randrange(12), rng.randrange(12)
        at, to = homes[source], homes[destination]
        length = rng.choice((60, 64, 65, 300, 1518))
        packet = bench.frame(at, bench.mac(destination), bench.mac(source), length)
        bench.senders[at].put(packet)
        if at == to:
            filtered += 1
        else:
            expected[to][bench.out(packet, {to})] += 1
            orders.setdefault((at, to), []).append(packet.data)
    await bench.settled()
    for sender in bench.senders:
        sender.gaps = no_gap
    got = bench.take()
    assert [Counter(each) for each in got] == expected
    for (at, to), sent in orders.items():
        mine = [data for data, user in got[to] if user >> 16 & 0xFF == bench.source(at)]
        assert mine == sent, f"order from {at} to {to}"
    assert filtered > 20
    assert await host.read(FILTERED) == filtered
    assert await host.read(HITS) == 300
    assert await host.read(FLOODS) == 12
    # A station moves: its next frame teaches its new port.
    await bench.senders[1].send(bench.frame(1, BROADCAST, bench.mac(0)))
    await bench.settled()
    bench.take()
    packet = bench.frame(2, bench.mac(0), bench.mac(2))
    await bench.senders[2].send(packet)
    await bench.settled()
    assert bench.take() == [[], [bench.out(packet, {1})], *([] for _ in range(ports - 2))]
    # A static entry wins over what was learned, also for a group address, and may name many ports.
    for address, reach in ((bench.mac(3), {0, ports - 1}), (b"\x01\x80\xc2\x00\x00\x00", {ports - 1})):
        await host.write(MAC_LOW, int.from_bytes(address[:4], "little"))
        await host.write(MAC_HIGH, int.from_bytes(address[4:], "little"))
        await host.write(PORTS, 1 << 31 | sum(bench.source(port) for port in reach))
        await host.write(STORE, 5 + len(reach))
        packet = bench.frame(1, address, bench.mac(1))
        await bench.senders[1].send(packet)
        await bench.settled()
        assert bench.take() == [[bench.out(packet, reach)] if port in reach else [] for port in range(ports)]
    await host.write(PORTS, 0)
    await host.write(STORE, 6)
    await host.write(STORE, 7)
    # Forget everything: what is unknown is flooded.
    await host.write(COMMAND, 1)
    await bench.wait(TABLE_ROWS + 8)
    packet = bench.frame(1, bench.mac(3), bench.mac(1))
    await bench.senders[1].send(packet)
    await bench.settled()
    flood = bench.flood(1)
    assert bench.take() == [[bench.out(packet, flood)] if port in flood else [] for port in range(ports)]


@cocotb.test()
async def latency(dut: Any) -> None:
    """
    Stimulus: single frames of 60 to 9000 bytes through the empty pipeline, to a known address.
    Checks: ten cycles from first beat in to first beat out, whatever the length (12 are allowed; NetFPGA: 13 and 12).
    """
    bench = await Bench(dut, "latency").start()
    await introduce(bench, [0, 1])
    for length in (60, 64, 65, 256, 1500, 9000):
        await bench.senders[0].send(bench.frame(0, bench.mac(1), bench.mac(0), length))
        await bench.settled()
        taken = bench.receivers[1].got[-1].first - bench.senders[0].first[-1]
        assert taken == LATENCY, f"{length} bytes: {taken} cycles"


@cocotb.test()
async def small_frames_at_full_rate(dut: Any) -> None:
    """
    Stimulus: 600 frames of 64 bytes, back to back, from one input alone; then from all inputs at once, more than one
        stream carries; half of the frames of one input change the table.
    Checks: 0.5 frames per cycle at 256 bits, 1 at 512 and 1024, nothing lost from one input; from all inputs the same
        rate without an idle beat, each input its share; what was not received was counted as dropped, no frame harmed.
    """
    bench = await Bench(dut, "small_frames_at_full_rate").start()
    shape, ports = bench.shape, bench.shape.ports
    homes = list(range(ports))
    await introduce(bench, homes)
    sent = [bench.frame(0, bench.mac(1), bench.mac(100 + n if n % 2 else 0)) for n in range(600)]
    await bench.senders[0].send(*sent)
    await bench.settled()
    one = bench.receivers[1].got
    rate = (len(one) - 1) / (one[-1].first - one[0].first)
    print(f"64-byte frames per cycle, one input: {rate:.4f}")
    assert [each.data for each in one] == [each.data for each in sent]
    assert rate == shape.per_cycle
    bench.take()
    await introduce(bench, homes)  # the many addresses of port 0 have pushed some of these out
    # Every port sends to the next: no output is asked for more than its share.
    offered = {
        port: [bench.frame(port, bench.mac((port + 1) % ports), bench.mac(port)) for _ in range(700)]
        for port in range(ports)
    }
    for port, frames in offered.items():
        bench.senders[port].put(*frames)
    await bench.settled()
    every = sorted(each.first for receiver in bench.receivers for each in receiver.got)
    busy = every[100 : len(every) // 2]  # while every input still has something
    rate = (len(busy) - 1) / (busy[-1] - busy[0])
    print(f"64-byte frames per cycle, {ports} inputs: {rate:.4f}")
    # The outputs wait for nobody: what they give in a stretch is what the stream carries, except for where it is cut.
    assert abs(rate - shape.per_cycle) < 0.005
    received = [await bench.host.read(RECEIVED + 4 * port) for port in range(ports)]
    dropped = [await bench.host.read(DROPPED + 4 * port) for port in range(ports)]
    assert [took + lost for took, lost in zip(received, dropped, strict=True)] == [602 + 700] + [702] * (ports - 1)
    assert all(lost > 20 for lost in dropped), dropped
    for port, frames in offered.items():
        waiting = iter([each.data for each in frames])
        for index, each in enumerate(bench.receivers[(port + 1) % ports].got):
            assert each.data in waiting, f"frame {index} from {port} is corrupt, doubled or out of order"
        took = len(bench.receivers[(port + 1) % ports].got)
        assert took == received[port] - (602 if port == 0 else 2)
    shares = [len(receiver.got) for receiver in bench.receivers]
    assert max(shares) - min(shares) <= 2, f"unequal shares: {shares}"


@cocotb.test()
async def overload_and_bad_input(dut: Any) -> None:
    """
    Stimulus: all inputs send frames of 60 to 9216 bytes to one port at full rate; among them frames that are longer or
        shorter than they promise and one over the longest.
    Checks: whatever comes out is one of the good frames, whole; each bad kind is counted; afterwards all is as before.
    """
    bench = await Bench(dut, "overload_and_bad_input").start()
    rng, ports, coverage = bench.rng, bench.shape.ports, Coverage("overload")
    await introduce(bench, [0, 1])
    good: dict[bytes, int] = {}
    bad: dict[int, int] = Counter()
    for port in range(ports):
        if port == 1:
            continue
        for _ in range(40):
            length = rng.choice((60, 64, 577, 1518, 9000, 9216))
            packet = bench.frame(port, bench.mac(1), bench.mac(40 + port), length)
            if rng.random() < 0.15 and length > 200:
                # A multiple of the beat: the frame could pass for a good one if its end were not looked at.
                packet = Packet(packet.data, 0, packet.source, packet.more, promised=rng.choice((128, length + 300)))
                bad[packet.promised or 0] += 1
            else:
                good[packet.data] = port
            bench.senders[port].put(packet)
    bench.senders[0].put(bench.frame(0, bench.mac(1), bench.mac(40), 9217))
    await bench.settled()
    whole = [each for each in bench.receivers[1].got if each.user & 0xFFFF == len(each.data)]
    for each in whole:
        if each.data not in good:
            # Cut short: it left as the promise said before its end was known; the queues count it as such.
            coverage.hit("cut short")
            assert each.user & 0xFFFF == 128
    coverage.hit("good frames out", sum(each.data in good for each in whole) > 30)
    counts = {
        name: await bench.host.read(QUEUES + registers.REGISTERS[name].address)
        for name in ("BAD_LENGTH_MISMATCH", "BAD_ERROR_BIT", "BAD_OVERSIZE")
    }
    coverage.hit("longer than promised", counts["BAD_ERROR_BIT"] > 0)
    coverage.hit("shorter than promised", counts["BAD_LENGTH_MISMATCH"] > 0)
    coverage.hit("oversize", counts["BAD_OVERSIZE"] > 0)
    bench.take()
    packet = bench.frame(0, bench.mac(1), bench.mac(0))
    await bench.senders[0].send(packet)
    await bench.settled()
    assert bench.take()[1] == [bench.out(packet, {1})]
    coverage.check(["good frames out", "longer than promised", "shorter than promised"])


@cocotb.test()
async def windows(dut: Any) -> None:
    """
    Stimulus: each window's identification, gaps, the fourth window, a queue register behind its window.
    Checks: TRMA, TRML, 0xDA03 and TRMK; 0xDEADBEEF in gaps; SLVERR where there is no window.
    """
    bench = await Bench(dut, "windows").start()
    host = bench.host
    found = [await host.read(address) for address in (0, LOOKUP, QUEUES, QUEUES + registers.ID.address)]
    assert found == [0x5452_4D41, 0x5452_4D4C, 0xDA03, 0x5452_4D4B]
    assert [await host.read(address) for address in (0x04, 0xFC, LOOKUP + 0xFC)] == [NOTHING] * 3
    for address in (0x100, 0xFFC, LOOKUP + 0x100, 0x3000, 0x3FFC, QUEUES + 0xFFC):
        assert (await host.try_read(address)).response == SLVERR, f"{address:#x}"
    await host.write(MAC_LOW, 0x0403_0201)
    await host.write(MAC_HIGH, 0xFFFF_0605)
    await host.write(PORTS, 0x8000_0155)
    assert [await host.read(address) for address in (MAC_LOW, MAC_HIGH, PORTS)] == [0x0403_0201, 0x0605, 0x8000_0055]


@pytest.mark.parametrize(
    "shape", [SHAPES[1], *slow(SHAPES[0], SHAPES[2])], ids=lambda shape: f"{shape.ports}x{shape.width}"
)
def test_tm_reference_switch(shape: Shape) -> None:
    run(shape, __name__)
