# SPDX-License-Identifier: BSD-3-Clause
"""Sizes, rates and times as people write them."""

from __future__ import annotations

import pytest

from truemark import units
from truemark.errors import TruemarkError
from truemark.laws import slopes, tc_red
from truemark.laws.share import alpha_of
from truemark.replay.session import parse_speed


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("30000", 30_000),
        ("1B", 1),
        ("30kB", 30_000),
        ("30 KB", 30_000),
        ("97.5kB", 97_500),
        ("293KiB", 300_032),
        ("1.5KiB", 1536),
        ("2.43MB", 2_430_000),
        ("1MiB", 1_048_576),
        ("300_000B", 300_000),
        ("20pkt", 20 * 1514),
        ("1packet", 1514),
        ("24us", 30_000),  # 24e-6 s * 10e9 bit/s / 8
        ("0.8ns", 1),
        ("1ms", 1_250_000),
    ],
)
def test_sizes(text: str, size: int) -> None:
    assert units.parse_size(text, rate=10**10, packet=1514) == size


@pytest.mark.parametrize(
    ("text", "rate"),
    [
        ("10G", 10**10),
        ("2.5G", 2_500_000_000),
        ("100M", 10**8),
        ("10Gbit/s", 10**10),
        ("10gbit", 10**10),
        ("100mbit", 10**8),
        ("64k", 64_000),
    ],
)
def test_rates(text: str, rate: int) -> None:
    assert units.parse_rate(text) == rate


@pytest.mark.parametrize(("text", "hertz"), [("200M", 200_000_000), ("340 MHz", 340_000_000), ("312.5M", 312_500_000)])
def test_frequencies(text: str, hertz: int) -> None:
    assert units.parse_frequency(text) == hertz


@pytest.mark.parametrize(
    ("text", "says"),
    [("fast", "frequency 'fast' is not a number"), ("0", "at least 1 Hz"), ("10Gbps", "unknown unit 'Gbps'")],
)
def test_frequencies_that_are_none(text: str, says: str) -> None:
    with pytest.raises(TruemarkError, match=says):
        units.parse_frequency(text)


@pytest.mark.parametrize(("text", "time"), [("24us", 24_000), ("100ns", 100), ("1.5ms", 1_500_000), ("2s", 2 * 10**9)])
def test_times(text: str, time: int) -> None:
    assert units.parse_time(text) == time


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("many", "k 'many' is not a number with a unit"),
        ("-3kB", "must not be negative"),
        ("30kb", "unknown unit 'kb'"),
        ("30kbit", "unknown unit 'kbit'"),
        ("20pkt", "how many bytes is a packet"),
        ("24us", "a size only at a rate"),
        ("0.5B", "whole number of bytes"),
        ("0.4", "whole number of bytes"),
        ("1500.7", "whole number of bytes"),
    ],
)
def test_wrong_sizes_say_what_is_right(text: str, says: str) -> None:
    with pytest.raises(TruemarkError, match=says):
        units.parse_size(text, "k")


@pytest.mark.parametrize("text", ["1e999999999", "1e-999999999", "1E9_999", "9" * 5000])
def test_a_number_without_end_is_refused_before_it_is_worked_out(text: str) -> None:
    for parse in (parse_speed, slopes.parse_probability):
        with pytest.raises(TruemarkError, match="is not a number"):
            parse(text)
    with pytest.raises(ValueError, match="a power of two"):
        alpha_of(text)
    with pytest.raises(TruemarkError, match="is no number"):
        tc_red.parse(["limit", "400000", "avpkt", "1000", "probability", text])


def test_a_size_or_rate_has_so_many_digits() -> None:
    for parse, unit in ((units.parse_size, "B"), (units.parse_rate, "G"), (units.parse_time, "us")):
        with pytest.raises(TruemarkError, match=r"'99999999999999999999\.\.\.' has more than 100 digits"):
            parse("9" * 5000 + unit)


def test_a_time_without_a_unit_says_what_was_meant() -> None:
    with pytest.raises(TruemarkError, match=r"target-delay '100': a unit is missing; did you mean 100us\?"):
        units.parse_time("100", "target-delay")


@pytest.mark.parametrize("text", ["10", "10GB", "0G", "fast", "10Gbps"])
def test_wrong_rates(text: str) -> None:
    assert units.parse_rate("10bit/s") == 10
    with pytest.raises(TruemarkError, match="rate"):
        units.parse_rate(text)


def test_marking_rule() -> None:
    """10 Gbit/s and 100 µs: 125,000 B of bandwidth-delay product, a seventh of it."""
    assert units.marking_rule(10**10, 100_000) == pytest.approx(17857.142857)


@pytest.mark.parametrize(("value", "text"), [(999, "999 B"), (30_000, "30 kB"), (2_430_000, "2.43 MB")])
def test_shown_sizes(value: int, text: str) -> None:
    assert units.show_size(value) == text


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("RED 100us in packets, default", "RED 100 µs in packets, default"),
        ("CoDel 300us 0.75ms, ack+syn", "CoDel 300 µs 0.75 ms, ack+syn"),
        ("fct99us: RED, W = 9", "fct99us: RED, W = 9"),
        ("sim/lab/scenarios/x2us.toml in 2s", "sim/lab/scenarios/x2us.toml in 2s"),
    ],
)
def test_times_in_names_are_shown_with_their_sign(name: str, shown: str) -> None:
    assert units.show_times(name) == shown
