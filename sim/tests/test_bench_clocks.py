# SPDX-License-Identifier: BSD-3-Clause
"""The table at the end of `make timing`: bars, and peers of this run or the last recorded."""

from __future__ import annotations

from truemark_dev import results
from truemark_dev.results import Figure

from sim.bench import bars, bench, clocks, timing

FULL = "truemark.full.5x256"
SUME = Figure("timing.netfpga-sume-s-output-queues", "SUME's", 118.75, commit="825e9415", date="2026-11-27")


def _rows(placed: dict[str, list[float]], *recorded: Figure) -> list[tuple[str, ...]]:
    table = clocks.table(placed, {each.key: each for each in recorded})
    return list(zip(*(map(str, column.cells) for column in table.columns), strict=True))


def test_peer_that_is_not_routed_is_the_last_recorded() -> None:
    assert _rows({FULL: [117.7, 120.89, 131.2]}, SUME) == [
        (FULL, "120.89", "117.7, 120.9, 131.2", "≥ 125", "missed", "118.75", "2026-11-27, 825e9415")
    ]


def test_peer_of_the_run_goes_before_the_recorded() -> None:
    ours, peer = _rows({"dropin.sume": [113.0], "peer.5x256": [110.0, 112.5]}, SUME)
    assert ours[2:] == ("113.0", "≥ 113", "ok", "110.00", "this run")
    assert peer == ("peer.5x256", "110.00", "110.0, 112.5", "", "", "-", "")


def test_peer_that_was_never_routed_is_said_to_be_so() -> None:
    (row,) = _rows({"dropin.plus": [130.0]}, SUME)
    assert row[3:] == ("≥ 126", "ok", "not measured", "")


def test_part_without_a_row_has_a_clock_only() -> None:
    assert _rows({"pfc.256": [150.0]}) == [("pfc.256", "150.00", "150.0", "", "", "-", "")]


def test_rows_are_those_that_results_has() -> None:
    row = bars.row_of(clocks.key("peer.5x256"))
    assert row is not None
    assert row.figure_key() == SUME.key in results.current()


def test_bench_shows_the_last_recorded_peer_as_well() -> None:
    (*_, peers) = bench.table({clocks.key(FULL): 120.0}).columns
    recorded = results.current()[SUME.key]
    assert f"{recorded.value} of {recorded.date}, {recorded.commit}" in list(peers.cells)


def test_path_is_named_by_its_first_and_last_net() -> None:
    walk = "dut.core.parse.walk"
    path = [
        "clk-to-q   0.40 ns  dut.core.beat_i_TRELLIS_FF_Q_229",
        "routing    3.64 ns  dut.flow_control.s_data_i[122]",
        f"logic      0.18 ns  {walk}.first_q_TRELLIS_FF_Q_3_LSR_LUT4_Z",
        f"routing    1.15 ns  {walk}.flags_at_i_TRELLIS_FF_Q_1_DI",
    ]
    assert clocks.ends(path) == "flow_control.s_data_i[122] → core.parse.walk.flags_at_i"
    assert clocks.ends(path[:2]) == "core.beat_i → flow_control.s_data_i[122]"
    assert clocks.ends(["routing    1.15 ns  in_q[3]"]) == "in_q[3]"
    assert clocks.ends([]) == ""


def test_recorded_clock_has_the_path_of_the_median_seed() -> None:
    found = [
        timing.Timing(mhz, (f"routing    1.00 ns  dut.{name}",), {}) for mhz, name in ((1, "a"), (2, "b"), (3, "c"))
    ]
    recorded = bars.recorded({clocks.key(FULL): 2.0})
    (each,) = timing.with_paths(recorded, {FULL: found, "pfc.256": found})
    assert (each.key, each.path) == ("timing.truemark-5-x-256-bit-full-build", "b")
