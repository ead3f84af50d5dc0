# SPDX-License-Identifier: BSD-3-Clause
"""What is proved, in words, with the mutant of the RTL that must break each property."""

from __future__ import annotations

from dataclasses import dataclass

from sim.formal.flow import Design, Patch

PDR, INDUCTION, BOUNDED = "pdr", "induction", "bounded"


@dataclass(frozen=True)
class Property:
    """An assertion of a harness or of the RTL below it, what it says, and a mutant that breaks it."""

    name: str
    says: str
    mutant: Patch | tuple[Patch, ...]


@dataclass(frozen=True)
class Proof:
    """One design with the properties proved on it. `quick` ones are part of the tests."""

    title: str
    design: Design
    properties: tuple[Property, ...]
    method: str = PDR
    depth: int = 20  # cycles within which a mutant must be found, and of a bounded proof
    limit: int = 600  # seconds for one property
    quick: bool = True
    lemmas: tuple[str, ...] = ()  # assertions proved together with each property


RING, OCCUPANCY, ARRIVAL = "buffer/tm_ring.sv", "admit/tm_occupancy.sv", "admit/tm_arrival.sv"
DEPART, DESCRIPTORS, SOJOURN = "depart/tm_depart.sv", "depart/tm_descriptors.sv", "depart/tm_sojourn.sv"
REWRITE, CHECKSUM, VERDICT = "rewrite/tm_rewrite.sv", "parse/tm_checksum_mark.sv", "admit/tm_verdict.sv"
FRAMER, L3_WALK, CHAIN_WALK = "parse/tm_framer.sv", "parse/tm_l3_walk.sv", "parse/tm_chain_walk.sv"
HEADER_WALK, REGS = "parse/tm_header_walk.sv", "control/tm_regs.sv"

FULL_RING = Patch(RING, "fits       = write_next != read_q;", "fits       = 1'b1;")

RING_PROPERTIES = (
    Property(
        "InOrder_A",
        "a row that stays is fetched once, unchanged, in its turn, whatever is rewound around it",
        Patch(RING, ".wr_addr_i(write_here)", ".wr_addr_i(write_q)"),
    ),
    Property(
        "Held_A",
        "there is a row to fetch exactly while one is held",
        Patch(RING, "available_o = read_q != write_q", "available_o = read_q != start_q"),
    ),
    Property(
        "UsedIsOlder_A",
        "the rows counted as used are those of earlier frames",
        Patch(
            RING, "if (beat_valid_i && beat_first_i) start_q <= write_here;", "if (beat_valid_i) start_q <= write_here;"
        ),
    ),
    Property("Spare_A", "one row stays free", FULL_RING),
    Property("dut.NeverFull_A", "a full ring is not written", FULL_RING),
    Property("dut.rows.Collision_A", "no row is read in the cycle that writes it", FULL_RING),
)

MARK_PROPERTIES = (
    Property(
        "Recomputed_A",
        "the checksum of every IPv4 header that was right is the one computed anew (RFC 1071)",
        Patch(CHECKSUM, "ect1 == wraps}", "!ect1}"),
    ),
    Property(
        "SameError_A",
        "a checksum that was wrong stays wrong by as much",
        Patch(CHECKSUM, "(ect1 || !checksum_i[0])", "!checksum_i[0]"),
    ),
    Property(
        "OnlyItsBits_A",
        "no bit changes but those of the ECN field and the checksum, and none of a frame that is not marked",
        Patch(REWRITE, "+4+:2] = Ce", "+4+:3] = 3'b111"),
    ),
    Property(
        "MarkedIsCe_A",
        "a marked frame says CE",
        Patch(REWRITE, "+4+:2] = Ce", "+4+:2] = Ect1"),
    ),
    Property(
        "ChecksumPlaced_A",
        "... and carries its checksum, with up to three tags",
        Patch(REWRITE, "{checksum_i[7:0], checksum_i[15:8]}", "checksum_i"),
    ),
    Property(
        "dut.Untouched_A",
        "a frame that is not marked passes bit for bit",
        Patch(REWRITE, "ipv4 = mark_i && ", "ipv4 = "),
    ),
)

AXIL_PROPERTIES = (
    Property(
        "BvalidStays_A",
        "a write response stays as it is until taken",
        Patch(REGS, "if(s_axil_bvalid && s_axil_bready) begin", "if(s_axil_bvalid) begin"),
    ),
    Property(
        "RvalidStays_A",
        "a read response stays as it is until taken",
        Patch(REGS, "s_axil_rdata <= cpuif_rd_data;", "end s_axil_rdata <= cpuif_rd_data; if (cpuif_rd_ack) begin"),
    ),
    Property(
        "NoBUnasked_A",
        "no write is answered that was not asked in both channels",
        Patch(REGS, "else if(axil_awvalid && axil_wvalid) begin", "else if(axil_awvalid) begin"),
    ),
    Property(
        "NoRUnasked_A",
        "no read is answered that was not asked, and none twice",
        Patch(REGS, "axil_prev_was_rd <= '1;\n                axil_arvalid <= '0;", "axil_prev_was_rd <= '1;"),
    ),
    Property(
        "OneRequest_A",
        "the registers get one request at a time",
        (
            Patch(REGS, "if(axil_n_in_flight < 1'd1) begin", "begin"),
            Patch(REGS, "external_pending <= '1;", "external_pending <= '0;"),
        ),
    ),
    Property(
        "Response_A",
        "every answer is OKAY or SLVERR",
        Patch(REGS, "s_axil_rresp <= 2'b10; // SLVERR", "s_axil_rresp <= 2'b11;"),
    ),
    Property(
        "BAnswered_A",
        "every write is answered, within 12 cycles of a ready master",
        Patch(REGS, "if(axil_arvalid && !axil_prev_was_rd) begin", "if(axil_arvalid) begin"),
    ),
    Property(
        "RAnswered_A",
        "every read is answered, within 12 cycles of a ready master",
        Patch(REGS, "if(axil_arvalid && !axil_prev_was_rd) begin", "if(1'b0) begin"),
    ),
)

PARSE_PROPERTIES = (
    Property(
        "FirstWhenClosed_A",
        "a first row comes when the frame before has ended, and only then",
        Patch(FRAMER, "storing_q  <= store && !stored_last;", "storing_q  <= store && !s_last_i;"),
    ),
    Property(
        "Offered_A", "a frame without a destination does not show", Patch(FRAMER, "s_dest_i != '0 && !runt", "!runt")
    ),
    Property(
        "RowsFitLength_A",
        "the rows promised are those its length needs",
        Patch(FRAMER, "RowsW'(beat_len_o >> FillW) + RowsW'(fill != '0)", "RowsW'(beat_len_o >> FillW) + 1'b1"),
    ),
    Property(
        "LengthSteady_A",
        "length and rows do not change within a frame",
        Patch(FRAMER, "if (first) len_q <= s_len_i", "len_q <= s_len_i"),
    ),
    Property(
        "Length_A", "no runt and nothing over MAX_FRAME shows", Patch(FRAMER, "&& !runt && !oversize", "&& !oversize")
    ),
    Property(
        "NoMoreRows_A",
        "no row beyond those promised",
        Patch(FRAMER, "one_left_q <= left == ~RowsW'(1);", "one_left_q <= left == ~RowsW'(0);"),
    ),
    Property(
        "LastAtPromise_A",
        "the last promised row is the last",
        Patch(FRAMER, "one_left_q <= left == ~RowsW'(1);", "one_left_q <= left == ~RowsW'(2);"),
    ),
    Property(
        "EndFollows_A",
        "the end strobe follows the last row by one cycle, always",
        Patch(FRAMER, "end_valid_o      <= store && stored_last;", "end_valid_o      <= store && s_last_i;"),
    ),
    Property(
        "ShortIsBad_A",
        "a frame with fewer rows than promised is found wrong",
        Patch(FRAMER, "!(s_last_i && row_is_last && as_promised)", "!(s_last_i && as_promised)"),
    ),
    Property(
        "EcnOfABeat_A",
        "one ECN strobe a frame, one cycle behind a beat of it",
        Patch(L3_WALK, "told_q <= tell || (row_q != '0 && told_q);", "told_q <= tell;"),
    ),
    Property(
        "EcnByTheEnd_A",
        "... and no frame ends without",
        Patch(L3_WALK, "(last_i && (row_q == '0 || !told_q))", "(last_i && !told_q)"),
    ),
    Property(
        "dut.i_header_walk.i_l3_walk.EcnOnce_A",
        "the same, as the walk itself claims it",
        Patch(L3_WALK, "told_q <= tell || (row_q != '0 && told_q);", "told_q <= tell;"),
    ),
    Property(
        "dut.i_header_walk.i_l3_walk.EcnByTheEnd_A",
        "the same",
        Patch(L3_WALK, "(last_i && (row_q == '0 || !told_q))", "(last_i && !told_q)"),
    ),
    Property(
        "dut.i_header_walk.i_chain_walk.WalkedOnce_A",
        "the walk ends once a frame",
        Patch(CHAIN_WALK, "walked_o      <= (fresh || !told_walked_q) && (", "walked_o      <= ("),
    ),
    Property(
        "dut.i_header_walk.i_chain_walk.WalkedByTheEnd_A",
        "... by its last beat",
        Patch(
            CHAIN_WALK,
            "(fresh || !told_walked_q) && (last_i || (",
            "(fresh || !told_walked_q) && ((last_i && row_i[0]) || (",
        ),
    ),
    Property(
        "dut.i_header_walk.i_chain_walk.EcnFirst_A",
        "... not before its ECN field is told",
        Patch(CHAIN_WALK, "assign decided = told_i && (", "assign decided = ("),
    ),
    Property(
        "dut.i_framer.KeepContiguous_A",
        "a stored row has no hole",
        Patch("parse/tm_keep_shape.sv", "(keep_i[i] || ignore_keep)", "keep_i[i]"),
    ),
    Property(
        "dut.i_framer.RowsFit_A",
        "no frame has more rows than MAX_FRAME",
        Patch(FRAMER, "one_left_q <= left == ~RowsW'(1);", "one_left_q <= left == ~RowsW'(0);"),
    ),
    Property(
        "dut.i_framer.BadOnce_A",
        "a frame is found wrong once at most",
        Patch(FRAMER, "storing_q  <= store && !stored_last;", "storing_q  <= store && !s_last_i;"),
    ),
)

FLAGS_PROPERTIES = (
    Property(
        "FlagsOnce_A",
        "one flags strobe a frame, not before its ECN strobe",
        Patch(CHAIN_WALK, "walked_o      <= (fresh || !told_walked_q) && (", "walked_o      <= ("),
    ),
    Property(
        "FlagsByTheEnd_A",
        "... and no frame ends without",
        Patch(
            CHAIN_WALK,
            "(fresh || !told_walked_q) && (last_i || (",
            "(fresh || !told_walked_q) && ((last_i && row_i[0]) || (",
        ),
    ),
)

PROOFS = (
    Proof("marking and its checksum", Design("formal_mark"), MARK_PROPERTIES),
    Proof("marking, 256 bit", Design("formal_mark", {"DATA_W": 256}), MARK_PROPERTIES),
    Proof("AXI4-Lite", Design("formal_axil"), AXIL_PROPERTIES),
    Proof("parse", Design("formal_parse"), PARSE_PROPERTIES),
    Proof(
        "parse, flags",
        Design("formal_parse", {"FLAGS_VERDICT": 1}),
        (*PARSE_PROPERTIES, *FLAGS_PROPERTIES),
        quick=False,
    ),
    Proof("ring of 5 rows", Design("formal_ring", {"ROWS": 5}), RING_PROPERTIES),
    Proof("ring of 8 rows", Design("formal_ring", {"ROWS": 8}), RING_PROPERTIES, quick=False),
)
