# SPDX-License-Identifier: BSD-3-Clause
"""The rings: rows come out as they went in, whatever is skipped or taken back. With a mutant of each."""

from __future__ import annotations

from truemark_dev.mutants import Mutant

from sim.formal.property import properties

RING = "buffer/tm_ring.sv"

# Rows are counted two cycles ago: what is written meanwhile needs room, too.
FULL_RING = Mutant(RING, "AddrW'(ROWS - NearlyFull)", "AddrW'(ROWS - 1)")
TWO_FREE = "Spare_A: two rows stay free of a ring that nobody judges for"
RING_PROPERTIES = properties(
    {
        "InOrder_A: a row that stays is fetched once, unchanged, in its turn, whatever is rewound around it": Mutant(
            RING, ".wr_addr_i  (write_here)", ".wr_addr_i(write_q)"
        ),
        "Held_A: what is held can be fetched, and nothing else but for a cycle after rows were taken back "
        "or skipped": Mutant(RING, "advance || (fetch_i ?", "(fetch_i ?"),
        "UsedIsOlder_A: the rows counted for a verdict are those that earlier frames held two cycles before it": Mutant(
            RING, "!rewind_i && (next_new_i || begins)", "next_new_i || begins"
        ),
        "Overflow_A: a frame that lost a row says so until the next one begins": Mutant(
            RING, "full_q || (overflow_q && !beat_first_i)", "full_q"
        ),
        "Room_A: a row is lost exactly if fewer than NearlyFull were free two cycles ago": Mutant(
            RING, "between(read_q, write_here);", "between(read_q, write_q);"
        ),
        TWO_FREE: FULL_RING,
        "dut.gen_block.ring.NeverFull_A: a full ring is not written": FULL_RING,
        "dut.gen_block.ring.FetchSettled_A: no row is fetched in the cycle that writes it": FULL_RING,
        "dut.gen_block.ring.FetchAvailable_A": Mutant(RING, "advance || (fetch_i ?", "(fetch_i ?"),
        "Placed_A: frames lie from place to place as their rows were counted": Mutant(
            RING, "start_q <= write_here", "start_q <= write_q"
        ),
        "Counted_A: what is held is at most a row more than was counted a cycle ago": Mutant(
            RING, "between(read_q, write_here);", "between(read_q, write_q);"
        ),
        "Sorted_A: rows lie in the order in which they came": Mutant(
            RING, ".wr_addr_i  (write_here)", ".wr_addr_i(write_q)"
        ),
    }
)
# What the others follow from, in a few steps.
RING_LEMMAS = ("Placed_A", "Counted_A", "Sorted_A")
SPILL = "buffer/tm_spill_ring.sv"
SPILL_RING = "dut.gen_ultra.ring."
SPILL_PROPERTIES = properties(
    {
        "InOrder_A: a row that stays is fetched once, unchanged, in its turn, though rows move from "
        "memory to memory": Mutant(SPILL, "if (rewind_i) intact_here =", "if (rewind_i && first) intact_here ="),
        "Held_A: there is a row to fetch exactly while one is held, in every cycle": Mutant(
            SPILL, "!(rewind_i && of_newest) && moved_q", "!rewind_i && !beat_valid_i && moved_q"
        ),
        "UsedIsOlder_A: the rows counted for a verdict are those that earlier frames held two cycles before it": Mutant(
            SPILL, "older_q     <= held_here - AddrW'(free);", "older_q     <= held_q - AddrW'(free);"
        ),
        "Overflow_A: a frame that lost a row says so until the next one begins": Mutant(
            SPILL, "full_q || (overflow_q && !beat_first_i)", "full_q"
        ),
        "Room_A: a row is lost exactly if fewer than NearlyFull were free two cycles ago": Mutant(
            SPILL, "level_q <= held_here;", "level_q <= held_q;"
        ),
        TWO_FREE: Mutant(SPILL, "AddrW'(ROWS - NearlyFull)", "AddrW'(ROWS - 1)"),
        f"{SPILL_RING}NeverDry_A: the oldest row is in one of the two small memories": Mutant(
            SPILL, "Linger = FRONT - LATENCY - 2", "Linger = FRONT - LATENCY - 1"
        ),
        f"{SPILL_RING}Counted_A": Mutant(SPILL, "moved_q - (rewind_i ? mine_q : '0)", "moved_q"),
        f"{SPILL_RING}FetchSettled_A: no row is fetched in the cycle that writes it": Mutant(
            SPILL, "available_o = there && !skipping", "available_o = 1'b1"
        ),
    }
)
