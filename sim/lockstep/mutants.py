# SPDX-License-Identifier: BSD-3-Clause
"""Shows that lockstep finds bugs: builds the RTL with one small fault at a time and expects each to be found.

Run as `make lockstep-mutants`. A mutant is a copy of `rtl/` under build/ in which one text was replaced.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from truemark_dev import mutants
from truemark_dev.build import make
from truemark_dev.paths import ROOT

FOLDER = Path("build/sim/mutants")


@dataclass(frozen=True)
class Fault:
    """One fault: in `file`, `right` becomes `wrong`; `build` is the lockstep configuration that must find it."""

    name: str
    file: str
    right: str
    wrong: str
    build: str = "ls512"

    def mutant(self) -> mutants.Mutant:
        """Return it as a change of the design."""
        return mutants.Mutant(self.file, self.right, self.wrong)


FULL = "full512"  # with RED and CoDel
DEPARTURE = "depart256"  # with the step law at departure alone
TCN = "tcn256"  # with waiting-time marking alone
QUEUES = "queues256"  # with four queues a line
TWO_QUEUES = "queues64"
SHAPED = "shaped256"  # with rates, four queues a line
SHAPED_PORTS = "shaped512"  # with rates, one queue a line
POOL = "pool256"  # with one memory for all ports, two queues a line and levels of flow control
PFC = "pool512"  # the same, one queue a line
LINUX = "linux512"  # with RED that can space signals as Linux does

FAULTS = (
    Fault("step signals at K", "law/step/tm_step.sv", "1'b0, W)", "1'b1, W)"),
    Fault("marks without ECN", "admit/tm_admit_pkg.sv", " || cfg.noecn", ""),
    Fault(
        "one packet too many", "admit/tm_occupancy.sv", "wide_t'(packets_d[o]), 1'b1,", "wide_t'(packets_d[o]), 1'b0,"
    ),
    Fault("no spare row", "admit/tm_room.sv", "AddrW'(ROWS - 1)", "AddrW'(ROWS)"),
    Fault("abort while leaving", "admit/tm_arrival.sv", "wrong_q && arriving_q && !leaving_i", "wrong_q && arriving_q"),
    Fault("select what is aborted", "depart/tm_depart.sv", "tx_en_i && !(head_arriving_i && wrong)", "tx_en_i"),
    Fault(
        "later rows unmarked",
        "depart/tm_depart.sv",
        "? next[MARK] : descriptor_o[MARK];",
        "? next[MARK] : 1'b0;",
        "ls64",
    ),
    Fault("CoDel's mark unread", "core/tm_port.sv", "departing.mark || law_mark", "departing.mark", FULL),
    Fault("checksum past zero", "parse/tm_checksum_mark.sv", "(ect1 || !checksum_i[0])", "!checksum_i[0]"),
    Fault("FIN with payload", "parse/tm_classify.sv", "(flags.fin && !payload)", "flags.fin"),
    Fault("hole of the frame before", "parse/tm_framer.sv", "hole || (hole_q && !first)", "hole || hole_q"),
    Fault("sojourn without its sign", "depart/tm_sojourn.sv", "departed_q - record.stamp", "departed_q + record.stamp"),
    Fault(
        "an abort adds to a departure",
        "admit/tm_occupancy.sv",
        "wide_t'(next_len_i), next_abort_i",
        "wide_t'(next_len_i), 1'b0",
    ),
    Fault(
        "length of the frame before",
        "core/tm_core.sv",
        "next_len: next_len_q",
        "next_len: len_q",
    ),
    Fault(
        "flush spares the newest",
        "depart/tm_descriptors.sv",
        "flush_i && !condemned",
        "flush_i && !condemned && !push_i",
    ),
    Fault(
        "byte limit up to zero",
        "control/config/tm_config_check.sv",
        "(above_q || zero_q)) found = FaultLimitBytes",
        "above_q) found = FaultLimitBytes",
    ),
    Fault(
        "commit waits for no one",
        "admit/tm_arrival.sv",
        "next_ecn_valid_i && !next_wait_flags_i",
        "next_ecn_valid_i",
        "ls256",
    ),
    Fault("wait spaces as uniform", "law/red/tm_red_spacing.sv", "{wait_spacing[s], word_i}", "{1'b0, word_i}", FULL),
    Fault("memoryless remembers", "law/red/tm_red_spacing.sv", " && spacing_i[s] != Memoryless", "", FULL),
    Fault("ARED below its bottom", "law/red/tm_red_adapt.sv", "below_bottom ? bottom_i : less2_q", "less2_q", FULL),
    Fault("Linux's count signals twice", "law/red/tm_red_spacing_linux.sv", "ScanCount - 1)", "ScanCount - 3)", LINUX),
    Fault(
        "Linux's table has no end",
        "law/red/tm_red_decay_linux.sv",
        "last_q || entry > 9'(MostHalvings)",
        "entry > 9'(MostHalvings)",
        LINUX,
    ),
    Fault("Linux is never forced", "law/red/tm_red_curve.sv", "= !max_far && !above_max[COUNT_W];", "= 1'b0;", LINUX),
    Fault(
        "Linux's average loses a unit",
        "law/red/tm_red_average.sv",
        "average1[23:0] & {24{!linux_i}}",
        "average1[23:0]",
        LINUX,
    ),
    Fault("packets are as bytes", "law/red/tm_red_average.sv", "({packets_i, 6'b0})", "(packets_i)", FULL),
    Fault("what another port counts", "law/red/tm_red_average.sv", "by_packets3_q ?", "by_packets_i ?", FULL),
    Fault("keeps what counted bytes", "control/config/tm_config_change.sv", " | MaskRedSettingsPackets", "", FULL),
    Fault("steps that met are one", "law/red/tm_red_average.sv", "weight_i - 5'(power_i)", "weight_i", FULL),
    Fault(
        "no step waits for another", "law/red/tm_red_turns.sv", "left = {1'b0, count_q[p][2:0]};", "left = '0;", FULL
    ),
    Fault("exempt at its bytes", "law/codel/tm_codel.sv", "!cfg_i.exempt_below", "1'b0", FULL),
    Fault("exempt bytes cut short", "law/codel/tm_codel.sv", "cfg_i.exempt_bytes >> COUNT_W != '0", "1'b0", FULL),
    Fault("over though off", "law/codel/tm_codel.sv", "over && !never_q &&", "over &&", FULL),
    Fault("ARED does not note", "law/red/tm_red_slot.sv", "asks_o <= pending_q", "asks_o <= judged_i", FULL),
    Fault("protects every class", "law/codel/tm_codel.sv", " && protect[code_q]", "", FULL),
    Fault(
        "takes up a count of one",
        "law/codel/tm_codel_law.sv",
        "factor_q[UnitsW-1:1] != 0",
        "factor_q[UnitsW-1:0] != 0",
        FULL,
    ),
    Fault(
        "skipped rows not waited for",
        "buffer/tm_spill_ring.sv",
        "blocked_o   = skipping",
        "blocked_o   = 1'b0",
        "full512u",
    ),
    Fault("marks at T", "law/tcn/tm_tcn.sv", "1'b0, TcnTimeW", "1'b1, TcnTimeW", TCN),
    Fault("marks what is not ECT", "law/tcn/tm_tcn.sv", " && head_q.ect", "", TCN),
    Fault("a stamp taken back stays", "law/tcn/tm_tcn.sv", "aborted_q && read_q == write_q;", "1'b0;", TCN),
    Fault("waits on while CoDel looks", "law/tcn/tm_tcn.sv", "if (!hold_i)", "if (1'b1)", "tcn512"),
    Fault("TCN's mark unread", "law/tm_departure_laws.sv", "with_mark.mark |= marks;", "", TCN),
    Fault("marks at K behind", "law/step/tm_step_departure.sv", "1'b0, SumW", "1'b1, SumW", DEPARTURE),
    Fault(
        "what left at once waits", "law/step/tm_step_departure.sv", " && !(pull_i.frame && !pull_i.head)", "", DEPARTURE
    ),
    Fault(
        "what was taken back waits", "law/step/tm_step_departure.sv", "if (push || aborted_q)", "if (push)", DEPARTURE
    ),
    Fault("marks on arrival as well", "admit/tm_admit_pkg.sv", " && !defers", "", DEPARTURE),
    Fault(
        "marks RED's on departure",
        "admit/tm_admit_pkg.sv",
        "cfg.law[slot] == LawStep && defers",
        "defers",
        "depart1024",
    ),
    Fault(
        "a mark for two reasons counts for one",
        "law/tm_departure_laws.sv",
        "? DepartMarkedThreshold : DepartMarked)",
        "? DepartMarked : DepartMarked)",
        "depart1024",
    ),
    Fault("departure unmarked", "law/tm_departure_laws.sv", "tcn_fate, step_mark,", "tcn_fate, 1'b0,", DEPARTURE),
    Fault("judged for another queue", "admit/tm_arrival.sv", "own = !later && !elsewhere_i", "own = !later", QUEUES),
    Fault(
        "counts what it let go of",
        "admit/tm_arrival.sv",
        "arrive_valid_o <= end_q && !let_go;",
        "arrive_valid_o <= end_q;",
        QUEUES,
    ),
    Fault("keeps what it let go of", "admit/tm_arrival.sv", "(due && !stores_i)", "(judge_o && !stores_i)", QUEUES),
    Fault(
        "queue by class too soon",
        "admit/tm_arrival.sv",
        "by_ecn_q && by_class_i",
        "1'b0",
        QUEUES,
    ),
    Fault(
        "queues of a port",
        "control/config/tm_config.sv",
        "is_of_queues(at) ? '0 : port_q",
        "1'b0 ? '0 : port_q",
        QUEUES,
    ),
    Fault(
        "DSCP of IPv6 a nibble off",
        "parse/tm_l3_walk.sv",
        "first[11:6] : first[7:2]",
        "first[7:2] : first[7:2]",
        QUEUES,
    ),
    Fault("priority of half a tag", "parse/tm_l3_walk.sv", " && (long_q || pairs_q >= 7'd9)", "", QUEUES),
    Fault(
        "a queue that no line has",
        "control/config/tm_config_check.sv",
        "(place_q) && beyond_q",
        "(place_q) && 1'b0",
        QUEUES,
    ),
    Fault(
        "arrivals of a line in its first queue",
        "control/counters/tm_counters.sv",
        ".outcome;\n",
        ".outcome;\nqueue = '0;\n",
        QUEUES,
    ),
    Fault("a quantum of 0", "control/config/tm_config_check.sv", "shares && quantum == '0", "1'b0", TWO_QUEUES),
    Fault(
        "a neighbour's quantum",
        "core/tm_lines.sv",
        "cfg_i[l*Queues+q].quantum",
        "cfg_i[l*Queues].quantum",
        TWO_QUEUES,
    ),
    Fault(
        "alone, and waits for a turn",
        "schedule/tm_ets.sv",
        "!any_strict && sharing == '0 && whole[q]",
        "1'b0",
        TWO_QUEUES,
    ),
    Fault(
        "begins without a quantum",
        "schedule/tm_ets.sv",
        "if (!shares[q] || rst_i) deficit_q",
        "if (rst_i) deficit_q",
        TWO_QUEUES,
    ),
    Fault("a bucket without an end", "schedule/tm_shaper.sv", "sum > full ? full : sum", "sum", SHAPED_PORTS),
    Fault("every row is charged", "schedule/tm_shaped_port.sv", "valid_i && fresh_q", "valid_i", SHAPED_PORTS),
    Fault("a neighbour's rate", "core/tm_lines.sv", "cfg_i[l*Queues+q].shape", "cfg_i[l*Queues].shape", SHAPED),
    Fault(
        "a line sends without credit", "schedule/tm_shaped_ets.sv", "select_i (line_open)", "select_i (1'b1)", SHAPED
    ),
    Fault(
        "a burst below a frame",
        "control/config/tm_shape_check.sv",
        "short_q && line_q.on",
        "1'b0",
        SHAPED,
    ),
    Fault("a line marks as if no tag came", "core/tm_lines.sv", "rewriting.how.tags", "2'd0", POOL),
    Fault("rows of the frame before are lost", "pool/tm_pool_queue.sv", "!discarded && !reading", "!discarded", POOL),
    Fault("an open copy is rewound", "pool/tm_pool_queue.sv", "rewind_i && !kept_q", "rewind_i", POOL),
    Fault("opened though wrong", "pool/tm_pool_queue.sv", " && !(arriving && admitted_i.wrong)", "", POOL),
    Fault("rows that are not there", "depart/tm_depart.sv", "(!LATE && !arriving_q)", "!arriving_q", POOL),
    Fault(
        "read before it is written",
        "pool/tm_pool_port.sv",
        "open_arriving_i ? rows_put_i : open_rows_i",
        "open_rows_i",
        POOL,
    ),
    Fault(
        "the walker forgets a cell", "pool/tm_pool_walk.sv", "walk.cells != ManyW'(1)", "walk.cells > ManyW'(2)", POOL
    ),
    Fault("a head drop: rows behind are lost", "pool/tm_pool_queue.sv", "skip_i && !behind", "skip_i", POOL),
    Fault(
        "a head drop: one selected unopened is never opened",
        "pool/tm_pool_queue.sv",
        "(oldest_i.pop && !opened_q && !open)",
        "1'b0",
        POOL,
    ),
    Fault(
        "a head drop: the cells stay",
        "pool/tm_pool_port.sv",
        " || (skip_i && (left_q != '0 || asked_row_q.valid))",
        "",
        POOL,
    ),
    Fault("a head drop: a frame that arrives is next", "depart/tm_depart.sv", "&& (wrong || LATE)", "&& (wrong)", POOL),
    Fault("a head drop: before its row is there", "law/codel/tm_codel.sv", " && (!LATE || available_i)", "", POOL),
    Fault("a turn: lost while the pool reads", "depart/tm_depart.sv", "soon: comes", "soon: 1'b0", POOL),
    Fault("a turn: of a frame that is flushed", "depart/tm_depart.sv", "tx_en_i && !flushing_i &&", "tx_en_i &&", POOL),
    Fault(
        "a turn: the length of the one before", "schedule/tm_ets.sv", "sending_q[q] || late[q]", "sending_q[q]", POOL
    ),
    Fault("a share: one cell more", "pool/tm_pool_share.sv", "over < 0", "over < -2", POOL),
    Fault(
        "a share: whole cells are forgotten",
        "pool/tm_pool_ports.sv",
        "(32'(soon_len_i) + Bytes - 1)",
        "32'(soon_len_i)",
        POOL,
    ),
    Fault("a share: a refusal is not told", "admit/tm_admit.sv", "over_share_q && outcome", "outcome", POOL),
    Fault(
        "a share: the reserve is no share",
        "pool/tm_pool_share.sv",
        "+ (LimitW - 1)'((CellW + 1)'(share_q[1].reserve))",
        "",
        POOL,
    ),
    Fault(
        "a share: two reserves of all", "control/config/tm_share_check.sv", "others += (Cells", "others = (Cells", POOL
    ),
    Fault(
        "a share: a frame keeps what it gives back",
        "pool/tm_pool_share.sv",
        "returns_i ? $signed((ManyW + 2)'(frame_cells_i)) :",
        "returns_i ? '0 :",
        POOL,
    ),
    Fault(
        "a pause: headroom beyond the pool",
        "control/config/tm_share_check.sv",
        "headroom_too_much_q ? FaultPfcHeadroom : FaultNone",
        "FaultNone",
        PFC,
    ),
    Fault(
        "a pause: a threshold at any port", "control/config/tm_pfc_check.sv", "wrong_q || elsewhere_q", "wrong_q", PFC
    ),
    Fault("a pause: xon above xoff", "control/config/tm_pfc_check.sv", "above_q || elsewhere_q", "elsewhere_q", PFC),
    Fault(
        "lossless: a law that drops at another port",
        "control/config/tm_lossless_check.sv",
        "drops_i : in_force_i[p].drops",
        "drops_i : 1'b0",
        PFC,
    ),
    Fault(
        "lossless: a class of another source",
        "control/config/tm_lossless_check.sv",
        "classes |= in_force_i[p].lossless",
        "classes |= '0",
        PFC,
    ),
    Fault(
        "lossless: dropped without ECN", "control/tm_control_pkg.sv", "cfg.noecn || cfg.harddrop", "cfg.harddrop", PFC
    ),
    Fault("lossless: dropped at the head", "control/tm_control_pkg.sv", "cfg.codel.on && (", "1'b0 && (", PFC),
    Fault("lossless: dropped hard", "control/tm_control_pkg.sv", "cfg.noecn || cfg.harddrop", "cfg.noecn", PFC),
    Fault("a pause: of another line", "pfc/tm_pfc_ports.sv", "pause_i[p/BUILD.queues]", "pause_i[0]", POOL),
    Fault("a pause: of any class", "pfc/tm_pfc_ports.sv", "cfg_i[p].pfc.paused_by) != '0", "8'hFF) != '0", PFC),
    Fault("a pause: not obeyed by a line", "core/tm_lines.sv", "may_send[p] && !paused_i[p]", "may_send[p]", PFC),
    Fault(
        "a pause: not obeyed by what stands ready", "schedule/tm_shaped_ets.sv", "open_o & ~paused_i", "open_o", POOL
    ),
    Fault("root not begun anew", "law/codel/tm_codel_law.sv", "root_q <= '1", "root_q <= root_q", FULL),
)


def run(fault: Fault, frames: int, number: int) -> str:
    """Build and run one mutant; the difference that was found, or nothing."""
    folder = FOLDER / str(number)
    shutil.rmtree(ROOT / folder, ignore_errors=True)
    mutants.tree(ROOT / folder / "rtl", fault.mutant())
    program = folder / "short" / fault.build / "lockstep"
    make(f"short:{fault.build}", rtl=folder / "rtl", out=folder, quiet=True)
    result = subprocess.run(
        [str(ROOT / program), "--frames", str(frames)], cwd=ROOT, check=False, capture_output=True, text=True
    )
    lines = result.stdout.splitlines()
    found = [lines[i + 1] for i, line in enumerate(lines[:-1]) if line.startswith("DIFFERENCE")]
    return found[0] if result.returncode != 0 and found else ""


def main() -> int:
    """Run all mutants, or those whose names hold a word."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=1_000_000)
    parser.add_argument("--only", default="", help="part of a mutant's name")
    arguments = parser.parse_args()
    missed = 0
    chosen = [(number, fault) for number, fault in enumerate(FAULTS) if arguments.only in fault.name]
    if not chosen:
        names = ", ".join(each.name for each in FAULTS)
        parser.error(f"--only: no mutant is named '{arguments.only}'; there are {names}")
    for number, fault in chosen:
        found = run(fault, arguments.frames, number)
        missed += not found
        print(f"{'found ' if found else 'MISSED'}  {fault.name:26} {found[:110]}", flush=True)
        shutil.rmtree(ROOT / FOLDER / str(number))
    return missed


if __name__ == "__main__":
    sys.exit(main())
