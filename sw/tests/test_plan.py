# SPDX-License-Identifier: BSD-3-Clause
"""Plans against published tables, constants read off a real tc, and numbers worked out by hand."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from sw.tests.frames import NOT_ECT, Command, tcp_frame, write_capture

from truemark.device.outcomes import Spacing
from truemark.errors import TruemarkError
from truemark.laws import codel, profile, red, slopes, tc_red
from truemark.plan import dual as plan_dual

pytestmark = pytest.mark.builds("engine:model")


def planned(command: Command, *arguments: object) -> dict[str, Any]:
    """Return the JSON of a plan."""
    code, out, error = command("plan", *arguments, "--json")
    assert code == 0, error
    (found,) = json.loads(out)["plans"]
    assert isinstance(found, dict)
    return found


# What ns-2 gives with packets of 500 B: min and max in packets and in bytes.
NS2 = [
    ("20us", (5, 15), (2_500, 7_500), (25, 75), (12_500, 37_500)),
    ("100us", (12.5, 37.5), (6_250, 18_750), (125, 375), (62_500, 187_500)),
    ("200us", (25, 75), (12_500, 37_500), (250, 750), (125_000, 375_000)),
    ("500us", (62.5, 187.5), (31_250, 93_750), (625, 1_875), (312_500, 937_500)),
    ("1ms", (125, 375), (62_500, 187_500), (1_250, 3_750), (625_000, 1_875_000)),
    ("4ms", (500, 1_500), (250_000, 750_000), (5_000, 15_000), (2_500_000, 7_500_000)),
]


@pytest.mark.parametrize(("delay", "slow_packets", "slow_bytes", "fast_packets", "fast_bytes"), NS2)
def test_the_table_of_ns2(
    command: Command,
    delay: str,
    slow_packets: tuple[float, float],
    slow_bytes: tuple[int, int],
    fast_packets: tuple[float, float],
    fast_bytes: tuple[int, int],
) -> None:
    for rate, packets, sizes, weight, bottom in (
        ("1G", slow_packets, slow_bytes, 4.0e-6, 8e-5),
        ("10G", fast_packets, fast_bytes, 4.0e-7, 8e-6),
    ):
        found = planned(command, "red", "--rate", rate, "--target-delay", delay)
        assert (found["min_packets"], found["max_packets"]) == packets
        assert (found["min_bytes"], found["max_bytes"]) == sizes
        assert found["weight_wanted"] == pytest.approx(weight, rel=1e-5)
        assert found["bottom"] == pytest.approx(bottom)


@pytest.mark.parametrize(
    ("unit", "sizes", "packet"),
    [("500B", (312_500, 937_500), 500), ("1500B", (937_500, 2_812_500), 1500), ("packets", (937_500, 2_812_500), 1500)],
)
def test_what_a_packet_counts_for(command: Command, unit: str, sizes: tuple[int, int], packet: int) -> None:
    found = planned(command, "red", "--rate", "10G", "--target-delay", "500us", "--threshold-unit", unit)
    assert (found["min_packets"], found["max_packets"]) == (625, 1875)
    assert (found["min_bytes"], found["max_bytes"], found["packet_bytes"]) == (*sizes, packet)


# Where RED never acts, where it never reaches max, and where it fits; in a shallow and a deep buffer.
@pytest.mark.parametrize(
    ("rate", "delay", "unit", "buffer", "acts", "reaches_max"),
    [
        ("1G", "1ms", "500B", "shallow", True, True),
        ("1G", "4ms", "500B", "shallow", True, False),
        ("10G", "200us", "500B", "shallow", True, False),
        ("10G", "500us", "500B", "shallow", False, False),
        ("10G", "1ms", "500B", "deep", True, True),
        ("10G", "4ms", "500B", "deep", False, False),
        ("10G", "500us", "packets", "deep", True, True),
        ("10G", "1ms", "packets", "deep", True, False),
        ("10G", "4ms", "packets", "deep", False, False),
        ("10G", "500us", "packets", "shallow", False, False),
        ("10G", "500us", "500B", "312500", False, False),
        ("10G", "500us", "500B", "312501", True, False),
    ],
)
def test_thresholds_beyond_the_buffer(
    command: Command, rate: str, delay: str, unit: str, buffer: str, acts: bool, reaches_max: bool
) -> None:
    options = ["--rate", rate, "--target-delay", delay, "--threshold-unit", unit, "--buffer", buffer]
    found = planned(command, "red", *options)
    assert (found["acts"], found["max_within_buffer"]) == (acts, reaches_max)
    never = [line for line in found["remarks"] if line.startswith("never acts: min = ")]
    beyond = [line for line in found["remarks"] if "lies beyond the buffer" in line]
    assert (bool(never), bool(beyond)) == (not acts, acts and not reaches_max)


def test_a_weight_too_small_to_act(command: Command) -> None:
    """2^21 packets of 400 ns are 0.84 s; a buffer of 600 packets moves the average by 600/2^21."""
    found = planned(command, "red", "--rate", "10G", "--target-delay", "100us")
    assert (found["weight_w"], found["time_constant_packets"]) == (21, 2_097_152)
    assert found["time_constant_s"] == pytest.approx(0.8388608)
    assert not found["weight_acts"]
    (line,) = [line for line in found["remarks"] if "hardly acts" in line]
    assert "2,097,152 packets = 838.9 ms" in line
    assert "600 packets of 500 B" in line
    assert "0.03% of the way" in line
    found = planned(command, "red", "--rate", "10G", "--target-delay", "100us", "--weight", "0.002")
    assert (found["weight_w"], found["weight_acts"]) == (9, True)
    assert not [line for line in found["remarks"] if "hardly acts" in line]


def test_a_plan_has_all_that_a_commit_checks(command: Command) -> None:
    """Slopes within one unit of the exact ones, in the largest scale that fits 32 bits."""
    found = planned(command, "red", "--rate", "10G", "--target-delay", "100us", "--adaptive", "--probability", "10%")
    span = found["max_bytes"] - found["min_bytes"]
    scale = 8 * found["slope_scale"]
    assert abs(found["slope"] * span - (found["maxp"] << 8 + scale)) <= span
    assert abs(found["reciprocal"] * span - (1 << 32 + scale)) <= span
    assert (1 << 32 + scale + 8) / span > 2**32 > found["reciprocal"]
    gentle = 8 * found["gentle_scale"]
    assert abs(found["gentle_slope"] * found["max_bytes"] - (2**24 - found["maxp"] << 8 + gentle)) <= found["max_bytes"]
    assert (found["band_low_bytes"], found["band_high_bytes"]) == (112_500, 137_500)
    assert found["idle_tick_ns"] == 400
    assert found["idle_reciprocal"] / 2 ** found["idle_shift"] == pytest.approx(1 / 400, rel=1e-5)
    assert all(found["units"][key] for key in ("min_bytes", "max_bytes", "slope", "time_constant_s", "idle_tick_ns"))


@pytest.mark.parametrize("minimum", [0, 1, 5_000, 299_999])
@pytest.mark.parametrize("span", [0, 1, 2, 255, 256, 65_536, 1_250_000])
@pytest.mark.parametrize("probability", [Fraction(1, 10**7), Fraction(1, 100), Fraction(1, 3), Fraction(1)])
@pytest.mark.parametrize("spacing", [Spacing.UNIFORM, Spacing.LINUX])
def test_slopes_of_every_size(minimum: int, span: int, probability: Fraction, spacing: Spacing) -> None:
    if minimum + span == 0:
        with pytest.raises(TruemarkError, match="max = 0 B: allowed is 1 B to"):
            red.law(minimum, minimum + span, probability, 9)
        return
    if spacing is Spacing.LINUX and span and probability * 256 >= span:
        least = int(probability * 256) + 1
        with pytest.raises(TruemarkError, match=f"too steep .* max must be at least {least} B above min"):
            red.law(minimum, minimum + span, probability, 9, spacing=spacing)
        assert red.law(minimum, minimum + least, probability, 9, spacing=spacing).slope < 2**24
        return
    gentle = spacing is not Spacing.LINUX
    law = red.law(minimum, minimum + span, probability, 9, spacing=spacing, gentle=gentle)
    assert law.slope < 2**32
    assert law.gentle_slope < 2**32
    exact = law.maxp << 8 + 8 * law.slope_scale
    assert span == 0 or abs(law.slope * span - exact) <= span or (law.slope == 2**32 - 1 and exact == span << 32)
    assert span == 0 or spacing is Spacing.LINUX or law.slope_scale == 3 or exact * 256 / span >= 2**32 - 0.5
    assert spacing is not Spacing.LINUX or law.slope_scale == 0
    if not gentle:
        assert (law.gentle_slope, law.gentle_scale) == (0, 0)
        return
    steep = 2**24 - law.maxp << 8 + 8 * law.gentle_scale
    assert abs(law.gentle_slope * law.max - steep) <= law.max or (
        law.gentle_slope == 2**32 - 1 and steep == law.max << 32
    )


@pytest.mark.parametrize("switch", ["gentle", "adaptive"])
def test_linux_has_one_slope(switch: str) -> None:
    with pytest.raises(TruemarkError, match=f'{switch} = true: spacing = "linux" has one slope'):
        red.law(5000, 15_000, Fraction(1, 10), 9, spacing=Spacing.LINUX, **{switch: True})  # type: ignore[arg-type]


@pytest.mark.parametrize("tick", [Fraction(1, 2), Fraction(1), Fraction(512, 10), Fraction(400), Fraction(12 * 10**9)])
def test_idle_ticks(tick: Fraction) -> None:
    idle = slopes.idle(tick)
    assert 2**16 <= idle.reciprocal < 2**17
    assert 0 <= idle.shift <= 63
    assert idle.tick_ns == pytest.approx(float(tick), rel=2**-17)


@pytest.mark.parametrize(("delay", "interval"), [(500, 20_000), (800, 1_500), (400, 1_000), (300, 750)])
def test_the_published_settings_of_codel(command: Command, delay: int, interval: int) -> None:
    name = f"{delay}us/{interval / 1000:g}ms"
    found = planned(command, "codel", "--setting", name, "--rate", "10G", "--buffer", "deep")
    assert (found["target_ns"], found["interval_ns"]) == (delay * 1000, interval * 1000)
    assert (found["target_units"], found["interval_units"]) == (delay * 1000 >> 10, interval * 1000 >> 10)
    assert found["exempt_bytes"] == 1514
    assert found["acts"]


@pytest.mark.parametrize(("exempt", "size"), [("24us", 30_000), ("2pkt", 3000)])
def test_what_codel_leaves_alone_may_be_a_time_or_packets(command: Command, exempt: str, size: int) -> None:
    found = planned(command, "codel", "--setting", "500us/20ms", "--rate", "10G", "--exempt", exempt)
    assert found["exempt_bytes"] == size


def test_all_published_settings_and_a_buffer_that_drains_too_fast(command: Command) -> None:
    code, out, _ = command("plan", "codel", "--rate", "10G", "--json")
    assert code == 0
    found = json.loads(out)["plans"]
    assert [each["target_ns"] for each in found] == [500_000, 800_000, 400_000, 300_000]
    assert not any(each["acts"] for each in found)  # 300,000 B drain in 240 µs
    assert all("never acts: a full buffer of 300,000 B drains in 240 µs" in str(each["remarks"]) for each in found)


def test_waiting_time_marking_at_a_share_of_the_round_trip(command: Command) -> None:
    found = planned(command, "tcn", "--rate", "10G", "--rtt", "100us")
    assert (found["threshold_ns"], found["queue_bytes"]) == (14_285, 17_856)
    never = planned(command, "tcn", "--rate", "10G", "--threshold", "240us")
    assert any(
        "never marks at this rate: a full buffer of 300,000 B drains in 240 µs" in str(line)
        for line in never["remarks"]
    )
    for options, wrong in (
        (("--rtt", "1ms", "--threshold", "1ms"), "give --threshold, or --rtt"),
        (("--rtt", "6ns"), "rtt '6 ns': a threshold is a seventh of it"),
        (("--threshold", "1001ms"), "allowed is 1 ns to 1 s"),
    ):
        code, _, error = command("plan", "tcn", "--rate", "10G", *options)
        assert code == 1
        assert wrong in error


def test_gaps_between_signals_are_those_of_linux() -> None:
    """100 ms, the first ten: the third gap is longer than the second."""
    gaps = [97_654, 48_829, 54_931, 47_635, 43_116, 39_459, 36_638, 34_327, 32_403, 30_766]
    assert codel.signal_gaps(97_656, 10) == gaps


# Options; W, Plog, Scell_log until iproute2 6.14 and since, MAX_P as sent, R in the kernel, the first idle cell that
# halves until 6.14 and since. Read off tc 6.1 and off the rule of 6.15.
TC = [
    (
        "limit 1000000 min 200000 max 200001 probability 1.0 avpkt 8000 burst 38",
        (4, 1, 17, 17, 0, 0x7FFFFFFF, 12, 12),
    ),
    ("limit 1000000 min 500000 max 500001 probability 1.0 avpkt 8000 burst 63", (1, 1, 14, 14, 0, 0x7FFFFFFF, 9, 9)),
    ("limit 1000000 min 300000 max 300001 probability 1.0 avpkt 8000 burst 38", (1, 1, 14, 14, 0, 0x7FFFFFFF, 9, 9)),
    ("limit 1M avpkt 1400 probability 1 min 30000 max 30001 burst 38", (5, 1, 16, 16, 0, 0x7FFFFFFF, 9, 9)),
    ("limit 1M avpkt 1500 min 100K max 300K", (6, 24, 17, 17, 85_899_345, 419, 10, 10)),
    ("limit 1M avpkt 1500 min 100K max 300K bandwidth 1gbit", (6, 24, 10, 10, 85_899_345, 419, 12, 12)),
    (
        "limit 293K avpkt 1500 min 30000 max 30001 burst 21 probability 0.999999 bandwidth 10gbit",
        (2, 1, 2, 2, 4_294_963_001, 4_294_963_001, 14, 17),
    ),
    ("limit 2430K avpkt 1000 bandwidth 10gbit", (8, 25, 0, 8, 85_899_345, 207, None, 13)),
    (
        "limit 400000 min 30000 max 90000 avpkt 1000 burst 55 probability 0.02 bandwidth 10Mbit",
        (5, 22, 15, 15, 85_899_345, 1431, 13, 13),
    ),
    ("limit 1M min 30000 max 30000 burst 21 avpkt 1500 bandwidth 1gbit", (2, 0, 6, 6, 85_899_345, 85_899_345, 11, 11)),
]


@pytest.mark.parametrize(("words", "expected"), TC)
def test_constants_are_those_of_tc(command: Command, words: str, expected: tuple[int | None, ...]) -> None:
    new = planned(command, "tc-red", *words.split())
    old = planned(command, "tc-red", *words.split(), "--old")
    found = (
        new["weight_w"],
        new["plog"],
        old["cell_log"],
        new["cell_log"],
        new["max_p_sent"],
        new["random_divisor"],
        old["idle_first_shift"],
        new["idle_first_shift"],
    )
    assert found == expected


def test_defaults_are_those_of_tc(command: Command) -> None:
    found = planned(command, "tc-red", *["limit", "2430K", "avpkt", "1000", "bandwidth", "10gbit"])
    assert (found["min_bytes"], found["max_bytes"], found["burst_packets"]) == (207_360, 622_080, 345)
    assert sum("was not given" in line for line in found["remarks"]) == 3


def test_the_idle_table_ends_with_nothing_left() -> None:
    cell, table = tc_red.idle_table(5, tc_red.packet_ticks(tc_red.parse(TC[8][0].split())))
    assert cell == 15
    assert (len(table), table[0], table[12], table[13], table[255]) == (256, 0, 0, 1, 31)
    assert table == sorted(table)


def test_two_words_hold_tcs_idle_table_entry_for_entry() -> None:
    for wlog in range(1, 21):
        for ticks in (1, 7, 19, 188, 1_250, 18_750):
            cell, table = tc_red.idle_table(wlog, ticks)
            words = tc_red.clock_of(cell, table)
            scale = 16 if words.shift & 32 else 20
            inner = [min(31, index * words.reciprocal >> scale) for index in range(1, 255)]
            assert (words.shift & 31, [0, *inner, 31]) == (cell, table), f"W {wlog}, {ticks} ticks a packet"


def test_a_table_that_no_slope_makes_is_refused() -> None:
    with pytest.raises(TruemarkError, match="no slope makes tc's idle table of cells of 2\\^3 µs"):
        tc_red.clock_of(3, [0] * 254 + [2, 31])


@pytest.mark.parametrize(
    ("words", "surprise"),
    [
        (TC[4][0], "idle time: tc counts ticks of 64 ns, the kernel microseconds"),
        (TC[0][0], "probability 1.0: 2^32 does not fit tc's 32 bits, it sends 0, and the kernel takes 0.5"),
        (TC[6][0], "weight: the smallest W that tc can send is 1"),
        (TC[4][0] + " adaptive", "adaptive: a tc with nodrop"),
    ],
)
def test_surprises_are_said_where_they_bite(command: Command, words: str, surprise: str) -> None:
    assert any(line.startswith(surprise) for line in planned(command, "tc-red", *words.split())["remarks"])
    harmless = planned(command, "tc-red", *TC[6][0].split(), "ecn")["remarks"]
    assert not any(line.startswith(("probability 1.0", "adaptive")) for line in harmless)


def test_a_divisor_that_differs_from_linux_is_said(command: Command) -> None:
    words = "limit 400000 min 30000 max {} avpkt 1000 burst 55 probability 0.02 bandwidth 10gbit ecn --spacing linux"
    found = planned(command, "tc-red", *words.format(30_300).split())
    assert (
        "R: 286330 here, 286331 in the kernel: Truemark keeps probabilities in 24 bits, not in 32" in found["remarks"]
    )
    assert not [
        line for line in planned(command, "tc-red", *words.format(90_000).split())["remarks"] if line[:2] == "R:"
    ]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (
            "limit 1M min 30000 max 20000 burst 21 avpkt 1500",
            "failed to calculate probability: min 30000 B is above",
        ),
        ("limit 1M min 30000 max 60000 burst 1 avpkt 1500", "burst 1 is too small ? Try burst 21"),
        ("min 30000 max 60000 avpkt 1500", "Required parameter (limit, avpkt) is missing: give limit"),
        ("limit 1M", "Required parameter (limit, avpkt) is missing: give avpkt"),
        ("limit 1M avpkt 1500 bandwidth 40gbit", "Illegal \"bandwidth\": '40gbit': tc keeps bytes/s in 32 bits"),
        ("limit 1M avpkt 1500 bandwidth 0", "Illegal \"bandwidth\": '0' is no rate above 0"),
        ("limit 1M avpkt 1500 probability 1.5", 'Illegal "probability": 1.5: allowed is more than 0'),
        ("limit 1M avpkt 1500 probability 0", 'Illegal "probability": 0: allowed is more than 0'),
        ("limit 1M avpkt 1500 probability often", "Illegal \"probability\": 'often'"),
        ("limit 1X avpkt 1500", "Illegal \"limit\": '1X' is no size"),
        ("limit 1M avpkt 1500 burst few", "Illegal \"burst\": 'few'"),
        ("limit 1M avpkt", 'Command line is not complete: "avpkt" needs a value'),
        ("limit 1M avpkt 1500 weight 9", 'What is "weight"? tc\'s red takes limit, min'),
        ("limit 1M avpkt 1500 nodrop", "nodrop flag is only meaningful with ECN"),
    ],
)
def test_what_tc_refuses_is_refused(command: Command, words: str, says: str) -> None:
    code, out, error = command("plan", "tc-red", *words.split())
    assert (code, out) == (1, "")
    assert says in error


def test_equal_sharing(command: Command) -> None:
    """R = 2: half the min; r = 4: three quarters; either end of the rule may be given."""
    found = planned(command, "dual", "--rate", "10G", "--max", "90kB", "--min-nonect", "30kB")
    assert (found["ratio"], found["min_share"], found["min_ect_bytes"]) == (2, 0.5, 15_000)
    options = ["--maxp-ect", "0.4", "--maxp-nonect", "0.1", "--min-ect", "30kB"]
    found = planned(command, "dual", "--rate", "10G", "--max", "90kB", *options)
    assert (found["ratio"], found["min_ect_bytes"], found["min_nonect_bytes"]) == (4, 30_000, 40_000)
    assert plan_dual.equal_sharing(Fraction(4)) == Fraction(3, 4)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("red --rate 0G --target-delay 1ms", "rate '0G' must be at least 1 bit/s"),
        ("red --rate 10G --target-delay 0us", "target-delay = 0 ns: it must be above 0"),
        ("red --rate 10G --target-delay soon", "target-delay 'soon' is not a number"),
        ("red --rate 10G --target-delay 1ms --weight 25", "weight W = 25: allowed is 0 to 24"),
        ("red --rate 10G --target-delay 1ms --weight=-3", "weight W = -3: allowed is 0 to 24"),
        ("red --rate 10G --target-delay 1ms --weight 1e-9", "weight W = 30: allowed is 0 to 24"),
        ("red --rate 10G --target-delay 1ms --weight 1.5", "weight 1.5: allowed is more than 0 and at most 1"),
        ("red --rate 10G --target-delay 1ms --weight slow", "weight 'slow' is neither ns2, nor W"),
        ("red --rate 10G --target-delay 1ms --probability 0", "probability = 0: allowed is more than 0"),
        ("red --rate 10G --target-delay 1ms --probability 2", "probability = 2: allowed is more than 0"),
        ("red --rate 10G --target-delay 1ms --probability 0.7 --adaptive", "with adaptive: allowed is at most 0.5"),
        ("red --rate 10G --target-delay 1ms --spacing odd", "spacing = 'odd' is unknown; there are memoryless"),
        ("red --rate 10G --target-delay 1ms --threshold-unit 1000B", "threshold-unit '1000B' is unknown"),
        ("red --rate 10G --target-delay 1ms --buffer shalow", "buffer 'shalow' is unknown; there are shallow"),
        ("red --rate 10G --target-delay 1ms --buffer 0", "buffer = 0 B: it must be above 0"),
        ("red --rate 10G --target-delay 1ms --protect acks", "protect = 'acks' is unknown"),
        ("codel --setting 500us", "setting '500us' is unknown; did you mean '500us/20ms'?"),
        ("codel --target 1ms", "a free setting needs both --target and --interval"),
        ("codel --target 2ms --interval 1ms", "target = 2000 µs is above interval = 1000 µs"),
        ("codel --target 1us --interval 0us", "interval = 0 ns: it must be at least one unit of 1024 ns"),
        ("codel --target 0us --interval 1ms", "target = 0 ns: it must be above 0"),
        ("codel --target 500ns --interval 2us", "target = 500 ns: it must be 0 or at least one unit of 1024 ns"),
        ("codel --target 2us --interval 9us --ce-threshold 900ns", "ce_threshold = 900 ns: it must be 0 or at least"),
        ("codel --setting 400us/1ms --buffer nonsense", "buffer 'nonsense' is unknown; there are"),
        ("codel --setting 400us/1ms --buffer 5ms", "state it: --rate 10G, or rate = "),
        ("tcn --rate 10G --rtt 100us --threshold 5us", "give --threshold, or --rtt to have it worked out, not both"),
        ("codel --setting 400us/1ms --no-ecn --protect all", "nodrop is only meaningful with ECN"),
        ("codel --setting 400us/1ms --variant ns2", "variant = 'ns2' is unknown; there are linux, rfc8289, ns3"),
        ("codel --setting 400us/1ms --ce-threshold 2300s", "ce_threshold = 2300000000000 ns: allowed is less than"),
        ("dual --rate 10G --max 90kB", "give one of --min-ect and --min-nonect"),
        ("dual --rate 10G --max 90kB --min-ect 1kB --maxp-nonect 0.1", "needs r > 1"),
        ("dual --rate 10G --max 20kB --min-nonect 30kB", "min = 30,000 B is above max = 20,000 B"),
    ],
)
def test_impossible_plans_say_what_is_right(command: Command, tmp_path: Path, arguments: str, says: str) -> None:
    code, out, error = command("plan", *arguments.split(), "--profile", tmp_path / "p.toml")
    assert (code, out) == (1, "")
    assert error.startswith("error: ")
    assert says in error
    assert not list(tmp_path.iterdir())


def test_a_buffer_in_bytes_needs_no_rate(command: Command, tmp_path: Path) -> None:
    """*Checks*: CoDel's profile holds the buffer that was asked for, by size or by name."""
    for buffer, line in (("200kB", "limit_bytes = 200000"), ("deep", 'buffer = "deep"')):
        place = tmp_path / f"{buffer}.toml"
        command("plan", "codel", "--setting", "400us/1ms", "--buffer", buffer, "--profile", place)
        assert line in place.read_text().splitlines()


def test_thresholds_that_no_register_holds_are_planned_and_have_no_profile(command: Command, tmp_path: Path) -> None:
    options = ["red", "--rate", "100G", "--target-delay", "4ms"]
    assert planned(command, *options)["max_bytes"] == 75_000_000
    code, _, error = command("plan", *options, "--profile", tmp_path / "p.toml")
    assert code == 1
    assert "no profile can be written: max = 75,000,000 B is beyond what the registers hold" in error


TC_WORDS = "limit 293K avpkt 1500 min 3000 max 90000 burst 4 probability 0.9 bandwidth 10gbit ecn nodrop harddrop"
PROFILES = {
    "red": ("red", "--rate", "10G", "--target-delay", "20us", "--weight", "2", "--adaptive", "--protect", "ack+syn"),
    "codel": ("codel", "--target", "5us", "--interval", "20us", "--rate", "10G", "--ce-threshold", "30us"),
    "tcn": ("tcn", "--rate", "10G", "--rtt", "70us"),
    "tc": ("tc-red", *TC_WORDS.split()),
    "dual": ("dual", "--rate", "10G", "--max", "30kB", "--min-nonect", "12kB", "--weight", "2"),
}
POLICY = {"red": "red", "codel": "codel", "tcn": "tcn", "tc": "red", "dual": "dual-slope"}


@pytest.mark.parametrize("name", PROFILES)
def test_a_planned_profile_is_applied_and_replayed(command: Command, tmp_path: Path, name: str) -> None:
    """What plan writes, apply and replay take; the burst meets the law, and all counters agree."""
    written, device = tmp_path / "p.toml", f"sim:{tmp_path}/device"
    code, _, error = command("plan", *PROFILES[name], "--profile", written)
    assert code == 0, error
    profile.read_profile(written)
    burst = [(0, tcp_frame(1000, ecn)) for _ in range(50) for ecn in (2, NOT_ECT)]
    burst += [(90_000, tcp_frame(54, NOT_ECT)), (91_000, tcp_frame(1000))] * 20
    capture = write_capture(tmp_path / "in.pcap", burst)
    code, printed, error = command("apply", written, "--device", device)
    assert code == 0, error
    assert POLICY[name] in printed
    for arguments in (("show",), ("stats", "--after", capture), ("snapshot", "--after", capture, "--at", "20us")):
        code, printed, error = command(*arguments, "--device", device)
        assert code == 0, error
    if POLICY[name] not in ("codel", "tcn"):
        assert "RED's average" in printed
    options = ["--profile", written, "--engine", "model", "--json", "--plots", tmp_path / "plots"]
    code, printed, error = command("replay", capture, *options)
    assert code == 0, error
    total = json.loads(printed)["total"]
    assert total["arrived"] == 140
    marks = total["outcomes"].get("mark", 0) + sum(total["departures"].get(key, 0) for key in ("marked", "threshold"))
    assert marks > 0 or name == "tcn"  # which is not counted
    assert len(list((tmp_path / "plots").iterdir())) == 2
