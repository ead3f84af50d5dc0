# SPDX-License-Identifier: BSD-3-Clause
"""The rings: rows come out as they went in, whatever is skipped or taken back. With a mutant of each."""

from __future__ import annotations

from truemark_dev.mutants import Mutant

from sim.formal.property import properties

RING = "buffer/tm_ring.sv"

FULL_RING = Mutant(RING, "next(write_q) != read_q;", "1'b1;")
RING_PROPERTIES = properties(
    {
        "InOrder_A: a row that stays is fetched once, unchanged, in its turn, whatever is rewound around it": Mutant(
            RING, ".wr_addr_i  (write_here)", ".wr_addr_i(write_q)"
        ),
        "Held_A: there is a row to fetch exactly while one is held": Mutant(
            RING, "available_o = read_q != write_q", "available_o = read_q != start_q"
        ),
        "UsedIsOlder_A: the rows counted as used are those of earlier frames": Mutant(
            RING, "start_here = (beat_valid_i && beat_first_i && !rewind_i)", "start_here = (beat_valid_i && !rewind_i)"
        ),
        "Spare_A: one row stays free": FULL_RING,
        "dut.gen_block.ring.NeverFull_A: a full ring is not written": FULL_RING,
        "dut.gen_block.ring.FetchSettled_A: no row is fetched in the cycle that writes it": FULL_RING,
    }
)
SPILL = "buffer/tm_spill_ring.sv"
SPILL_RING = "dut.gen_ultra.ring."
SPILL_PROPERTIES = properties(
    {
        "InOrder_A: a row that stays is fetched once, unchanged, in its turn, though rows move from "
        "memory to memory": Mutant(SPILL, "if (rewind_i) intact_here =", "if (rewind_i && first) intact_here ="),
        "Held_A: there is a row to fetch exactly while one is held, in every cycle": Mutant(
            SPILL, "!(rewind_i && of_newest) && moved_q", "!rewind_i && !beat_valid_i && moved_q"
        ),
        "UsedIsOlder_A: the rows counted as used are those of earlier frames": Mutant(
            SPILL, "older_q     <= held_here - AddrW'(free);", "older_q     <= held_q - AddrW'(free);"
        ),
        "Spare_A: one row stays free": Mutant(SPILL, "fits        = write_next != read_q;", "fits        = 1'b1;"),
        f"{SPILL_RING}NeverDry_A: the oldest row is in one of the two small memories": Mutant(
            SPILL, "Linger = FRONT - LATENCY - 2", "Linger = FRONT - LATENCY - 1"
        ),
        f"{SPILL_RING}Counted_A": Mutant(SPILL, "moved_q - (rewind_i ? mine_q : '0)", "moved_q"),
        f"{SPILL_RING}FetchSettled_A: no row is fetched in the cycle that writes it": Mutant(
            SPILL, "available_o = there && !skipping", "available_o = 1'b1"
        ),
    }
)
