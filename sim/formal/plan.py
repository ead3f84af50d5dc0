# SPDX-License-Identifier: BSD-3-Clause
"""What is proved: the designs, their properties (`properties/`, with the mutants that must break them), the methods."""

from __future__ import annotations

from sim.formal.flow import Design
from sim.formal.properties.buffer import RING_LEMMAS, RING_PROPERTIES, SPILL_PROPERTIES
from sim.formal.properties.control import (
    ANY_WORD,
    AXIL_PROPERTIES,
    COMMIT_CODEL_CONTENT,
    COMMIT_CODEL_PROPERTIES,
    COMMIT_CONTENT_PROPERTIES,
    COMMIT_PROPERTIES,
    CONFIG_WIDTHS,
    COUNTER_PROPERTIES,
    COUNTER_TRUTH,
    COUNTERS,
    SMALL_CONFIG,
)
from sim.formal.properties.depart import CODEL_PROPERTIES, DEPARTURE_PROPERTIES, TCN_PROPERTIES
from sim.formal.properties.parse import FLAGS_PROPERTIES, PARSE_PROPERTIES, QUEUE_MAP_LEMMAS, QUEUE_MAP_PROPERTIES
from sim.formal.properties.pfc import LEVEL_PROPERTIES, SEND_PROPERTIES, TIMER_PROPERTIES
from sim.formal.properties.pool import CELL_PROPERTIES, FREE_PROPERTIES, RESERVE_PROPERTIES
from sim.formal.properties.port import (
    ANY_VERDICT,
    COPY_PROPERTIES,
    FLOW_PROPERTIES,
    LIMIT_PROPERTIES,
    LONG_FLOW_PROPERTIES,
    SMALL_PORT,
    SMALL_WIDTHS,
    VERDICT_PROPERTIES,
)
from sim.formal.properties.rewrite import MARK_PROPERTIES
from sim.formal.properties.schedule import ETS_LEMMAS, ETS_ORDER, ETS_PROPERTIES, SHAPED_PROPERTIES, SHAPER_PROPERTIES
from sim.formal.property import BOUNDED, EITHER, INDUCTION, Proof

SMALL_ETS = Design("formal_ets", {}, {"LenW": 2})
SMALL_SHAPES = {"LenW": 2, "RateFractionW": 1, "ShapeRateW": 3, "BurstW": 3}

PROOFS = (
    Proof("CoDel", Design("formal_codel", {}, {"LenW": 5, "BytesW": 6}), CODEL_PROPERTIES, depth=36),
    Proof("waiting-time marking", Design("formal_tcn", {}, {"TcnTimeW": 4, "TcnW": 2}), TCN_PROPERTIES, depth=14),
    Proof(
        "step law at departure",
        Design("formal_step_departure", {}, {"LenW": 2}),
        DEPARTURE_PROPERTIES,
        method=INDUCTION,
        depth=4,
    ),
    Proof("counters", COUNTERS, COUNTER_PROPERTIES, depth=90),
    Proof("counters, snapshot", COUNTERS, COUNTER_TRUTH, method=BOUNDED, depth=64, limit=900, quick=False),
    Proof(
        "commit",
        Design("formal_config", SMALL_CONFIG, CONFIG_WIDTHS, ANY_WORD),
        COMMIT_PROPERTIES[:2],
        method=INDUCTION,
        steps=3,
        depth=75,
    ),
    Proof(
        "commit, shadow",
        Design("formal_config", SMALL_CONFIG, CONFIG_WIDTHS, ANY_WORD),
        COMMIT_PROPERTIES[2:],
        depth=75,
    ),
    Proof(
        "commit, content",
        Design("formal_config", SMALL_CONFIG, CONFIG_WIDTHS, ANY_WORD),
        COMMIT_CONTENT_PROPERTIES,
        depth=75,
        quick=False,
    ),
    Proof(
        "commit, content with CoDel",
        Design("formal_config", {**SMALL_CONFIG, "CODEL": 1, "FLAGS_VERDICT": 1}, CONFIG_WIDTHS, ANY_WORD),
        COMMIT_CODEL_CONTENT,
        depth=140,
        quick=False,
    ),
    Proof(
        "commit, CoDel's settings",
        Design("formal_config", {**SMALL_CONFIG, "CODEL": 1, "FLAGS_VERDICT": 1}, CONFIG_WIDTHS, ANY_WORD),
        COMMIT_CODEL_PROPERTIES,
        method=BOUNDED,
        depth=140,
        quick=False,
    ),
    Proof("port, verdict", Design("formal_port", SMALL_PORT, SMALL_WIDTHS), VERDICT_PROPERTIES),
    Proof(
        "port, verdict with flags",
        Design("formal_port", {**SMALL_PORT, "FLAGS_VERDICT": 1}, SMALL_WIDTHS),
        VERDICT_PROPERTIES[2:13],
        quick=False,
    ),
    *(
        Proof(
            f"port, byte limit{' with flags' if flags else ''}",
            Design("formal_port", {**SMALL_PORT, "FLAGS_VERDICT": flags}, SMALL_WIDTHS),
            LIMIT_PROPERTIES,
            # PDR finds no invariant in the minute that the slow form gives it, so the quick one does not ask.
            method=EITHER if flags else BOUNDED,
            depth=14,
            limit=60,
            quick=not flags,
        )
        for flags in (0, 1)
    ),
    Proof(
        "port, rows kept marked as well",
        Design("formal_port", {**SMALL_PORT, "MARKED_COPY": 1}, SMALL_WIDTHS, ANY_VERDICT),
        COPY_PROPERTIES,
        method=EITHER,
        depth=30,
        limit=600,
        quick=False,
    ),
    Proof(
        "port, way of a frame",
        Design("formal_port", SMALL_PORT, SMALL_WIDTHS, ANY_VERDICT),
        FLOW_PROPERTIES,
        method=EITHER,
        depth=12,
        limit=150,
        quick=False,
    ),
    Proof(
        "port, long way of a frame",
        Design("formal_port", SMALL_PORT, SMALL_WIDTHS),
        LONG_FLOW_PROPERTIES,
        method=EITHER,
        depth=12,
        limit=120,
        quick=False,
    ),
    Proof("transmission selection", SMALL_ETS, ETS_PROPERTIES),
    Proof("transmission selection, order", SMALL_ETS, ETS_ORDER, method=INDUCTION, lemmas=ETS_LEMMAS),
    Proof("token bucket", Design("formal_shaper", {}, SMALL_SHAPES), SHAPER_PROPERTIES),
    Proof(
        "transmission selection among open buckets",
        Design("formal_shaped_ets", {}, SMALL_SHAPES, own_claims=False),
        SHAPED_PROPERTIES,
    ),
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
    Proof(
        "which queue",
        Design("formal_queue_map"),
        QUEUE_MAP_PROPERTIES,
        method=INDUCTION,
        lemmas=QUEUE_MAP_LEMMAS,
    ),
    *(
        Proof(
            f"ring of {rows} rows{' that skips' if skip else ''}",
            Design("formal_ring", {"ROWS": rows, "SKIP": skip}),
            RING_PROPERTIES,
            method=INDUCTION,
            steps=4,
            lemmas=RING_LEMMAS,
            quick=(rows, skip) == (9, 0),
        )
        for rows, skip in ((9, 0), (16, 0), (9, 1))
    ),
    Proof(
        "ring behind UltraRAM, 10 rows",
        Design("formal_ring", {"ROWS": 10, "ULTRA": 1}),
        SPILL_PROPERTIES,
        method=BOUNDED,
        depth=12,
        limit=600,
        quick=False,
    ),
    Proof(
        "pool, free cells",
        Design("formal_pool_free", {"CELLS": 3}),
        FREE_PROPERTIES,
        method=BOUNDED,
        depth=14,
        limit=120,
    ),
    Proof(
        "pool, whose each cell is",
        Design("formal_pool", {"CELLS": 3}),
        CELL_PROPERTIES,
        method=BOUNDED,
        depth=17,
        limit=900,
        quick=False,
    ),
    Proof(
        "pool, reserves",
        Design("formal_pool_reserves", {}, own_claims=False),
        RESERVE_PROPERTIES,
        method=BOUNDED,
        depth=22,
        limit=600,
        quick=False,
    ),
    Proof("PFC, timers", Design("formal_pfc_timers"), TIMER_PROPERTIES, limit=120),
    Proof("PFC, frames sent", Design("formal_pfc_send"), SEND_PROPERTIES, limit=120, quick=False),
    Proof(
        "PFC, levels",
        Design("formal_pfc_level", own_claims=False),
        LEVEL_PROPERTIES,
        method=BOUNDED,
        depth=15,
        limit=300,
        quick=False,
    ),
)
