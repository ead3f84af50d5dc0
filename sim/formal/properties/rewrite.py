# SPDX-License-Identifier: BSD-3-Clause
"""Marking: nothing changes but ECN and checksum, and the checksum is right. With a mutant of each."""

from __future__ import annotations

from truemark_dev.mutants import Mutant

from sim.formal.property import properties

REWRITE = "rewrite/tm_rewrite.sv"
CHECKSUM = "parse/tm_checksum_mark.sv"

MARK_PROPERTIES = properties(
    {
        "Recomputed_A: the checksum of every IPv4 header that was right is the one computed anew (RFC 1071)": Mutant(
            CHECKSUM, "ect1 == wraps}", "!ect1}"
        ),
        "SameError_A: a checksum that was wrong stays wrong by as much": Mutant(
            CHECKSUM, "(ect1 || !checksum_i[0])", "!checksum_i[0]"
        ),
        "OnlyItsBits_A: no bit changes but those of the ECN field and the checksum, and none of a "
        "frame that is not marked": Mutant(REWRITE, "+4+:2] = Ce", "+4+:3] = 3'b111"),
        "MarkedIsCe_A: a marked frame says CE": Mutant(REWRITE, "+4+:2] = Ce", "+4+:2] = Ect1"),
        "ChecksumPlaced_A: ... and carries its checksum, with up to three tags": Mutant(
            REWRITE, "{checksum_i[7:0], checksum_i[15:8]}", "checksum_i"
        ),
        "dut.Untouched_A: a frame that is not marked passes bit for bit": Mutant(
            REWRITE, "ipv4 = mark_i && ", "ipv4 = "
        ),
    }
)
