# SPDX-License-Identifier: BSD-3-Clause
"""Policies as settings, refused before a write by the tool and after a write by the device."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor

import pytest
from sw.tests.frames import tcp_frame

from truemark.device import registers
from truemark.device.device import Device
from truemark.device.engine import FEATURES, Build, Engine, find_libraries, model_build, open_engine
from truemark.device.outcomes import DEPARTED, MARKED, Fault, Spacing
from truemark.errors import TruemarkError
from truemark.laws import codel, policies, red, slopes
from truemark.laws.law import Limits, PortLaw
from truemark.laws.policies import PortSettings
from truemark.laws.profile import port_table
from truemark.laws.step import Step
from truemark.laws.tcn import Tcn

pytestmark = pytest.mark.builds("engine:model")

BUILT = Limits(storage=400_000, descriptors=5000)
EVERYTHING = Limits(storage=400_000, descriptors=5000, able=FEATURES | {"step"})


TICK = slopes.idle(slopes.packet_time(1500, 10**10))
SLOPE = red.law(30_000, 90_000, Fraction(1, 10), 9)
ADAPTIVE = red.law(10_000, 30_000, Fraction(1, 3), 2, spacing=Spacing.WAIT, gentle=True, adaptive=True)


LAWS: dict[str, PortLaw] = {
    "k": Step(30_000),
    "red": SLOPE,
    "ect": SLOPE,
    "not_ect": ADAPTIVE,
    "codel": codel.law(500_000, 20_000_000, ce_threshold_ns=1_000_000, variant="ns3"),
    "tcn": Tcn(100_000),
}


def complete(name: str, protect: str | None = None) -> PortSettings:
    """Return settings of a policy with laws in all places."""
    return policies.settings(
        name,
        *(LAWS[key] for key in policies.find_policy(name).keys),
        limit_bytes=300_000,
        idle=TICK,
        protect=protect,
    )


@pytest.fixture
def whole() -> Iterator[Device]:
    """Yield a device that has every law."""
    with open_engine("model") as engine:
        yield Device(engine.read, engine.write)


@pytest.fixture
def device() -> Iterator[Device]:
    build = Build(ports=2, data_w=256, rows=1000, descriptors=100)
    with Engine(find_libraries("model")[0], build) as engine:
        yield Device(engine.read, engine.write)


def test_droptail_is_no_law() -> None:
    assert policies.settings("droptail", limit_bytes=300_000) == PortSettings("droptail", limit_bytes=300_000)


def test_true_mark_is_one_step_for_every_codepoint_of_ect() -> None:
    """Not-ECT speaks to slot 1, which holds no law; the other codepoints to slot 0 with its K."""
    found = policies.settings("true-mark", Step(30_000), limit_bytes=300_000)
    assert found.slot_of == (1, 0, 0, 0)
    assert found.arrival == (Step(30_000), None)
    assert found.protect == 0


@pytest.mark.parametrize("name", ["red", "dual-slope", "dual-step", "codel", "tcn"])
def test_a_build_without_the_law_refuses_the_policy(name: str) -> None:
    lacking = {"codel": "CoDel", "tcn": "waiting-time marking"}.get(name, "RED")
    with pytest.raises(TruemarkError, match=f"'{name}': this build has no {lacking}.*it has droptail, true-mark"):
        policies.check(complete(name), BUILT)
    policies.check(complete(name), EVERYTHING)


@pytest.mark.parametrize(
    ("name", "slot_of", "laws"),
    [
        ("red", (0, 0, 0, 0), (SLOPE, None)),
        ("dual-step", (1, 0, 0, 0), (Step(30_000), SLOPE)),
        ("dual-slope", (1, 0, 0, 0), (SLOPE, ADAPTIVE)),
        ("codel", (0, 0, 0, 0), (None, None)),
        ("tcn", (0, 0, 0, 0), (None, None)),
        ("codel-tcn", (0, 0, 0, 0), (None, None)),
    ],
)
def test_a_policy_is_laws_in_slots(name: str, slot_of: tuple[int, ...], laws: tuple[PortLaw | None, ...]) -> None:
    found = complete(name)
    assert (found.slot_of, found.arrival) == (slot_of, laws)
    assert bool(found.departures) == ("codel" in name or "tcn" in name)


def test_laws_without_their_policy_and_the_other_way_round() -> None:
    with pytest.raises(TruemarkError, match=r"'dual-slope' needs RED's .* table \[not_ect\]; `truemark plan dual"):
        policies.settings("dual-slope", SLOPE, idle=TICK)
    with pytest.raises(TruemarkError, match="'droptail' takes no law, not RED"):
        policies.settings("droptail", SLOPE, idle=TICK)
    with pytest.raises(TruemarkError, match=r"state the rate, rate = \"10G\""):
        policies.settings("red", SLOPE)
    with pytest.raises(TruemarkError, match="'red' takes RED, not RED, CoDel"):
        policies.settings("red", SLOPE, codel.law(2000, 3000), idle=TICK)
    with pytest.raises(TruemarkError, match=r"nodrop.* is only meaningful with ECN"):
        policies.settings("codel", codel.law(500_000, 1_000_000, ecn=False), protect="all")
    with pytest.raises(TruemarkError, match="harddrop: policy 'codel' has no RED"):
        policies.settings("codel", codel.law(500_000, 1_000_000), harddrop=True)


def test_dcqcn_is_red_on_the_queue_as_it_is(whole: Device) -> None:
    """Kmin, Kmax and Pmax, and nothing else: W = 0 and memoryless follow; the device gives the name back."""
    tables = tuple(
        port_table(f'policy = "dcqcn"\nrate = "100G"\n{text}')
        for text in ('dcqcn = "5kB/200kB/1%"', '[dcqcn]\nkmin = "5kB"\nkmax = "200kB"\npmax = 0.01')
    )
    found, same = (table.planned().settings for table in tables)
    law = red.law(5000, 200_000, Fraction(1, 100), 0, spacing=Spacing.MEMORYLESS)
    assert found == same
    assert (found.policy, found.arrival, found.protect, found.ecn) == ("dcqcn", (law, None), 0, True)
    whole.commit(3, found)
    assert whole.settings(3) == found
    for change in ({"ecn": False}, {"harddrop": True}, {"arrival": (replace(law, weight=1), None)}):
        other = replace(found, policy="red", **change)
        whole.commit(3, other)
        assert whole.settings(3) == other
    for text, says in (
        ("", r"'dcqcn' needs kmin, kmax and pmax, in a profile's table \[dcqcn\]"),
        ('dcqcn = "5kB/1%"', "write kmin/kmax/pmax, such as 5kB/200kB/1%"),
        ('dcqcn = "200kB/5kB/1%"', "min = 200,000 B is above max = 5,000 B"),
        ('dcqcn = "5kB/200kB/0"', "pmax = 0: allowed is more than 0"),
        ('target_delay = "1ms"', "use it with red, dual-step or dual-slope"),
    ):
        with pytest.raises(TruemarkError, match=says):
            port_table(f'policy = "dcqcn"\nrate = "100G"\n{text}').planned()


def test_red_without_ecn_is_only_where_it_makes_sense() -> None:
    assert not policies.settings("red", SLOPE, idle=TICK, ecn=False).ecn
    with pytest.raises(TruemarkError, match=r"ecn = false: policy 'codel' takes no such switch; write it in .codel."):
        policies.settings("codel", codel.law(500_000, 1_000_000), ecn=False)
    with pytest.raises(TruemarkError, match="ecn = false: policy 'true-mark' takes no such switch; only policy red"):
        policies.settings("true-mark", Step(30_000), ecn=False)
    with pytest.raises(TruemarkError, match=r"nodrop.* is only meaningful with ECN"):
        policies.settings("red", SLOPE, idle=TICK, ecn=False, protect="ece")
    old = replace(BUILT, able=EVERYTHING.able, noecn=False)
    with pytest.raises(TruemarkError, match=r"here: ecn = false: this device's register map is older than 0\.3"):
        policies.check(policies.settings("red", SLOPE, idle=TICK, ecn=False), old, "here")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"limit_bytes": 400_001}, "limit_bytes = 400001 B: this build allows 1 to 400000 B"),
        ({"limit_bytes": 0}, "limit_bytes = 0 B: this build allows 1 to 400000 B"),
        ({"limit_packets": 5001}, "limit_packets = 5001 packets: this build allows 1 to 5000 packets"),
        ({"k": 300_001}, r"k = 300001 B: allowed is 0 to 300000 B \(limit_bytes\)"),
        ({"k": 400_001, "limit_bytes": None}, r"k = 400001 B: allowed is 0 to 400000 B \(the storage of a port\)"),
    ],
)
def test_impossible_numbers_name_field_value_and_range(change: dict[str, int | None], says: str) -> None:
    wanted: dict[str, int | None] = {"limit_bytes": 300_000, **change}
    law = Step(wanted.pop("k", None) or 30_000)
    with pytest.raises(TruemarkError, match=f"here: {says}"):
        policies.check(policies.settings("true-mark", law, **wanted), BUILT, "here")  # type: ignore[arg-type]


def test_names_and_thresholds_that_do_not_fit() -> None:
    with pytest.raises(TruemarkError, match="did you mean 'true-mark'"):
        policies.settings("truemark", Step(1))
    with pytest.raises(TruemarkError, match="needs a threshold k"):
        policies.settings("true-mark")
    with pytest.raises(TruemarkError, match="'droptail' takes no law, not step law"):
        policies.settings("droptail", Step(30_000))
    with pytest.raises(TruemarkError, match="nothing to protect from"):
        policies.settings("true-mark", Step(1), protect="all")


def test_protection_presets() -> None:
    """Bit 2 * class + ECE; SYN_ACK 2, SYN 3, TCP_CTRL 4, DATA 5, ACK 6."""
    assert policies.protection_mask("default") == 0
    assert policies.protection_mask("all") == 0b11_11_11_11_11_11_11
    assert policies.protection_mask("syn") == 0b00_00_00_11_11_00_00
    assert policies.protection_mask("ece") == 0b10_10_10_10_10_00_00
    assert policies.protection_mask("ack+syn") == 0b11_00_11_11_11_00_00


def test_settings_come_back_from_the_device(device: Device) -> None:
    wanted = policies.settings("true-mark", Step(20_000), limit_bytes=30_000, limit_packets=90)
    device.commit(1, wanted)
    assert device.settings(1) == wanted
    assert device.settings(0) == PortSettings("droptail")


def test_so_does_marking_on_departure(whole: Device) -> None:
    written = port_table('policy = "true-mark"\nk = "30kB"\nmark_on = "departure"\n')
    assert "mark_on_departure" in written.features()
    wanted = written.planned().settings
    assert wanted.features == {"mark_on_departure"}
    assert wanted.facts()["mark_on_departure"]
    whole.commit(2, wanted)
    assert whole.settings(2) == wanted
    with pytest.raises(TruemarkError, match="mark_on = 'departure': this build marks on arrival only"):
        policies.check(wanted, BUILT)


def test_only_the_step_law_marks_on_departure() -> None:
    with pytest.raises(TruemarkError, match="policy 'codel' has no step law; use true-mark, dual-step"):
        policies.settings("codel", codel.law(500_000, 1_000_000), mark_on_departure=True)
    with pytest.raises(TruemarkError, match="departure' with harddrop"):
        policies.settings("dual-step", Step(30_000), SLOPE, idle=TICK, harddrop=True, mark_on_departure=True)
    with pytest.raises(TruemarkError, match="mark_on"):
        port_table('policy = "true-mark"\nk = "30kB"\nmark_on = "leaving"\n')


def test_so_does_waiting_time_marking_alone(whole: Device) -> None:
    whole.commit(1, complete("tcn"))
    assert whole.settings(1) == complete("tcn")


@pytest.mark.parametrize("protect", [None, "syn", "ece", "ack+syn", "all"])
@pytest.mark.parametrize("name", ["red", "dual-slope", "dual-step", "codel", "codel-tcn"])
def test_laws_come_back_from_the_device(whole: Device, name: str, protect: str | None) -> None:
    wanted = complete(name, protect)
    whole.commit(3, wanted)
    assert whole.settings(3) == wanted
    assert whole.settings(2) == PortSettings("droptail")


EXACT = Fraction(SLOPE.maxp << 8 + 8 * SLOPE.slope_scale, SLOPE.max - SLOPE.min)
BAD_LAWS = [
    ({"weight": 25}, Fault.WEIGHT0),
    ({"min": 90_001}, Fault.BAND0),
    ({"max": 0, "min": 0}, Fault.BAND0),
    ({"maxp": 0}, Fault.MAXP0),
    ({"maxp": slopes.ONE + 1}, Fault.MAXP0),
    ({"slope": ceil(EXACT) + 1}, Fault.SLOPE0),
    ({"slope": floor(EXACT) - 1}, Fault.SLOPE0),
    ({"slope_scale": SLOPE.slope_scale - 1}, Fault.SLOPE0),
]


@pytest.mark.parametrize(("change", "fault"), BAD_LAWS)
def test_a_law_that_is_written_all_the_same_is_refused(whole: Device, change: dict[str, int], fault: Fault) -> None:
    """Rounding down or up is as good as to the nearest; a whole unit off is a mistake."""
    good = complete("red")
    whole.commit(0, good)
    for nearly in (ceil(EXACT), floor(EXACT)):
        whole.commit(0, replace(good, arrival=(replace(SLOPE, slope=nearly), None)))
    whole.commit(0, good)
    with pytest.raises(TruemarkError, match=rf"refused the commit, {fault.name} \(fault code {fault}\)"):
        whole.commit(0, replace(good, arrival=(replace(SLOPE, **change), None)))  # type: ignore[arg-type]
    assert whole.settings(0) == good


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"gentle_slope": ADAPTIVE.gentle_slope + 2}, Fault.GENTLE1),
        ({"reciprocal": ADAPTIVE.reciprocal + 2}, Fault.ADAPTIVE1),
        ({"bottom": 0}, Fault.ADAPTIVE1),
        ({"band_low": ADAPTIVE.band_high + 1}, Fault.ADAPTIVE1),
    ],
)
def test_so_is_one_in_the_second_slot(whole: Device, change: dict[str, int], fault: Fault) -> None:
    good = complete("dual-slope")
    whole.commit(0, good)
    with pytest.raises(TruemarkError, match=rf"refused the commit, {fault.name} \(fault code {fault}\)"):
        whole.commit(0, replace(good, arrival=(SLOPE, replace(ADAPTIVE, **change))))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("change", "protect", "fault"),
    [
        ({"interval": 0}, 0, Fault.CODEL),
        ({"target": 19_532}, 0, Fault.CODEL),
        ({"exempt_bytes": 0}, 0, Fault.CODEL),
        ({"ce_threshold": 2**31}, 0, Fault.CODEL),
        ({"ecn": False}, 3, Fault.NODROP),
    ],
)
def test_so_is_codel(whole: Device, change: dict[str, int], protect: int, fault: Fault) -> None:
    good = complete("codel")
    (law,) = good.departures
    assert isinstance(law, codel.Codel)
    whole.commit(0, good)
    bad = replace(good, departures=(replace(law, **change),), protect=protect)  # type: ignore[arg-type]
    with pytest.raises(TruemarkError, match=rf"refused the commit, {fault.name} \(fault code {fault}\)"):
        whole.commit(0, bad)


def test_an_idle_tick_of_nothing_is_refused(whole: Device) -> None:
    with pytest.raises(TruemarkError, match="IDLE"):
        whole.commit(0, replace(complete("red"), idle=slopes.Idle(0, 25)))


@pytest.mark.parametrize(
    ("wanted", "fault"),
    [
        (PortSettings("droptail", limit_bytes=32_001), Fault.LIMIT_BYTES),
        (PortSettings("droptail", limit_packets=101), Fault.LIMIT_PACKETS),
        (PortSettings("red", arrival=(SLOPE, None)), Fault.LAW),
        (PortSettings("true-mark", limit_bytes=10_000, arrival=(Step(10_001), None)), Fault.K0),
        (PortSettings("true-mark", arrival=(None, Step(32_001))), Fault.K1),
        (PortSettings("true-mark", arrival=(Step(10), None), protect=3), Fault.PROTECT),
    ],
)
def test_what_is_written_all_the_same_the_hardware_refuses(device: Device, wanted: PortSettings, fault: Fault) -> None:
    good = policies.settings("true-mark", Step(5_000), limit_bytes=20_000)
    device.commit(0, good)
    with pytest.raises(
        TruemarkError, match=rf"port 0: the hardware refused the commit, {fault.name} \(fault code {fault}\)"
    ):
        device.commit(0, wanted)
    assert device.settings(0) == good


def test_a_port_that_is_not_there(device: Device) -> None:
    with pytest.raises(TruemarkError, match=r"PORT \(fault code 7\)"):
        device.commit(2, PortSettings("droptail"))


def test_what_is_no_truemark_is_refused() -> None:
    def read(address: int) -> int:
        assert address == registers.ID.address
        return 0xDEADBEEF

    with pytest.raises(TruemarkError, match="register ID reads 0xdeadbeef"):
        Device(read, lambda address, value: None).identity()


def test_undefined_register_is_an_error() -> None:
    with (
        Engine(find_libraries("model")[0]) as engine,
        pytest.raises(TruemarkError, match="SLVERR to a read of register 0xffc"),
    ):
        engine.read(0xFFC)


@pytest.mark.parametrize("law", ["tcn", "codel", "mark_on_departure"])
def test_a_build_with_one_law_at_departure_tells_all_that_left(law: str) -> None:
    """Each has counters of its own for that; without them a frame would be on neither side of status."""
    build = model_build("shallow")
    build.switches = registers.CAPABILITIES.pack(**{law: 1, "flags_verdict": 1})
    profile = {
        "tcn": 'policy = "tcn"\ntcn = "2us"\n',
        "codel": 'policy = "codel"\ncodel = "5us/100us"\n',
        "mark_on_departure": 'policy = "true-mark"\nk = "3kB"\nmark_on = "departure"\n',
    }[law]
    with Engine(find_libraries("model")[0], build) as engine:
        device = Device(engine.read, engine.write)
        device.commit(0, port_table(profile).planned().settings)
        for number in range(40):
            engine.offer(number * 100, tcp_frame(1500))
        for number in range(30):
            assert engine.take(4000 + 1000 * number)
        found = device.snapshot(0)
    assert found.total(*DEPARTED).packets == 30
    assert found.total(*MARKED).packets == (0 if law == "codel" else 30)
