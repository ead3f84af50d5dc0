# SPDX-License-Identifier: BSD-3-Clause
"""The table at the end of `make timing`: bars, and peers of this run or the last recorded."""

from __future__ import annotations

from truemark_dev import results
from truemark_dev.results import Figure

from sim.bench import bars, bench, clocks

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
