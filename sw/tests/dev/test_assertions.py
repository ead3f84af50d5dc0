# SPDX-License-Identifier: BSD-3-Clause
"""Every assertion in the RTL has a test that makes it fire, and this table says which.

The table is complete in both directions: an assertion without a line fails, and so does a line without its assertion.
A line names a file that passes the assertion to `build_and_fail`, which fails unless exactly that assertion stops the
run.
"""

from __future__ import annotations

import re

import pytest

from truemark_dev.lint import files
from truemark_dev.paths import ROOT

FIRED_BY = {
    ("tm_ram", "Collision_A"): "common/test_tm_ram.py",
    ("tm_pair_ram", "Collision_A"): "common/test_tm_pair_ram.py",
    ("tm_framer", "KeepContiguous_A"): "parse/test_tm_parse_assertions.py",
    ("tm_framer", "RowsFit_A"): "parse/test_tm_parse_assertions.py",
    ("tm_framer", "BadOnce_A"): "parse/test_tm_parse_assertions.py",
    ("tm_l3_walk", "EcnOnce_A"): "parse/test_tm_parse_assertions.py",
    ("tm_l3_walk", "EcnByTheEnd_A"): "parse/test_tm_parse_assertions.py",
    ("tm_chain_walk", "WalkedOnce_A"): "parse/test_tm_parse_assertions.py",
    ("tm_chain_walk", "WalkedByTheEnd_A"): "parse/test_tm_parse_assertions.py",
    ("tm_chain_walk", "EcnFirst_A"): "parse/test_tm_parse_assertions.py",
    ("tm_occupancy", "StoreOrAbort_A"): "admit/test_tm_occupancy.py",
    ("tm_occupancy", "NoUnderflow_A"): "admit/test_tm_occupancy.py",
    ("tm_occupancy", "NoOverflow_A"): "admit/test_tm_occupancy.py",
    ("tm_occupancy", "EmptyTogether_A"): "admit/test_tm_occupancy.py",
    ("tm_red_average", "NeverNegative_A"): "law/red/test_tm_red_average.py",
    ("tm_red_average", "DecayAlone_A"): "law/red/test_tm_red_average.py",
    ("tm_red_spacing", "OneRegion_A"): "law/red/test_tm_red_spacing.py",
    ("tm_red", "DecayTurn_A"): "law/red/test_tm_red.py",
    ("tm_red_slot", "DecayQuiet_A"): "law/red/test_tm_red_slot.py",
    ("tm_red_slot", "ResetWithCommit_A"): "law/red/test_tm_red_slot.py",
    ("tm_arrival", "JudgedByEnd_A"): "admit/test_tm_arrival.py",
    ("tm_arrival", "WrongNotStored_A"): "admit/test_tm_arrival.py",
    ("tm_ring", "FetchAvailable_A"): "buffer/test_tm_ring.py",
    ("tm_ring", "FetchSettled_A"): "buffer/test_tm_ring.py",
    ("tm_ring", "NeverFull_A"): "buffer/test_tm_ring.py",
    ("tm_spill_ring", "FetchAvailable_A"): "buffer/test_tm_spill_ring.py",
    ("tm_spill_ring", "FetchSettled_A"): "buffer/test_tm_spill_ring.py",
    ("tm_spill_ring", "NeverDry_A"): "buffer/test_tm_spill_ring.py",
    ("tm_spill_ring", "Counted_A"): "buffer/test_tm_spill_ring.py",
    ("tm_descriptors", "FetchSettled_A"): "depart/test_tm_descriptors.py",
    ("tm_descriptors", "PushOffered_A"): "depart/test_tm_descriptors.py",
    ("tm_descriptors", "PopWaiting_A"): "depart/test_tm_descriptors.py",
    ("tm_descriptors", "HeadAtHand_A"): "depart/test_tm_descriptors.py",
    ("tm_descriptors", "PushOrUnpush_A"): "depart/test_tm_descriptors.py",
    ("tm_depart", "HoldUntilTaken_A"): "depart/test_tm_depart.py",
    ("tm_depart", "NoAbortWhileLeaving_A"): "depart/test_tm_depart.py",
    ("tm_depart", "PendingAlone_A"): "depart/test_tm_depart.py",
    ("tm_ahead", "ThereIfValid_A"): "depart/test_tm_ahead.py",
    ("tm_codel", "RequestServed_A"): "law/codel/test_tm_codel.py",
    ("tm_codel", "Foretold_A"): "law/codel/test_tm_codel.py",
    ("tm_codel", "OneFate_A"): "law/codel/test_tm_codel.py",
    ("tm_codel", "PauseLookedAt_A"): "law/codel/test_tm_codel.py",
    ("tm_codel_law", "OneRequest_A"): "law/codel/test_tm_codel_law.py",
    ("tm_codel_law", "OnePort_A"): "law/codel/test_tm_codel_law.py",
    ("tm_sojourn", "RecordThere_A"): "depart/test_tm_sojourn.py",
    ("tm_rewrite", "Untouched_A"): "rewrite/test_tm_rewrite.py",
    ("tm_gated_ram", "Collision_A"): "control/test_control_assertions.py",
    ("tm_counters", "OneRow_A"): "control/test_control_assertions.py",
    ("tm_totals", "OneUser_A"): "control/test_control_assertions.py",
    ("tm_view_entries", "Apart_A"): "control/test_control_assertions.py",
    ("tm_view_ram", "Apart_A"): "control/test_control_assertions.py",
    ("tm_watermarks", "BytesBelow_A"): "control/test_control_assertions.py",
    ("tm_watermarks", "PacketsBelow_A"): "control/test_control_assertions.py",
    ("tm_timebase", "NextReady_A"): "control/test_control_assertions.py",
    ("tm_mishaps", "NoLoss_A"): "control/test_tm_control.py",
    ("tm_axil_crossing", "AnswerAwaited_A"): "netfpga/test_tm_axil_crossing.py",
    ("tm_axil_crossing", "AnswerHeld_A"): "netfpga/test_tm_axil_crossing.py",
    ("tm_netfpga_port", "StoredFirst_A"): "netfpga/test_tm_netfpga_registers.py",
    ("tm_input_fifo", "Whole_A"): "netfpga/test_tm_input_arbiter.py",
    ("tm_input_fifo", "FetchAvailable_A"): "netfpga/test_tm_input_arbiter.py",
    ("tm_input_fifo", "NeverFull_A"): "netfpga/test_tm_input_arbiter.py",
    ("tm_input_arbiter", "OneAtATime_A"): "netfpga/test_tm_input_arbiter.py",
}


def sources() -> dict[str, str]:
    """Return the code of every module without its comments; what a generator wrote answers for itself."""
    texts = {path.stem: path.read_text() for path in files("rtl/*.sv")}
    return {
        name: re.sub(r"//[^\n]*", "", text)
        for name, text in texts.items()
        if "generated by" not in text.split("\n", 1)[0].lower()
    }


def claims() -> set[tuple[str, str]]:
    """Return (module, label) of every assertion in the RTL."""
    return {
        (name, label) for name, code in sources().items() for label in re.findall(r"\b(\w+_A)\s*:\s*assert\b", code)
    }


def test_every_assertion_has_a_label() -> None:
    silent = [
        name
        for name, code in sources().items()
        if len(re.findall(r"\bassert\b", code)) != len(re.findall(r"\b\w+_A\s*:\s*assert\b", code))
    ]
    assert not silent, f"assertions without a label Thing_A: {', '.join(silent)}"


def test_table_is_complete() -> None:
    without_test = sorted(claims() - set(FIRED_BY))
    without_claim = sorted(set(FIRED_BY) - claims())
    assert not without_test, f"nothing makes these fire: {without_test}"
    assert not without_claim, f"the RTL has no such assertions: {without_claim}"


@pytest.mark.parametrize(("module", "label"), FIRED_BY)
def test_fired_by(module: str, label: str) -> None:
    test = FIRED_BY[module, label]
    text = (ROOT / "cocotb_tests" / test).read_text()
    assert "build_and_fail(" in text, f"{test} makes nothing fire"
    assert f'"{label}"' in text, f"{test} does not name {label}"
