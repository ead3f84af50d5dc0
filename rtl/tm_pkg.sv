// SPDX-License-Identifier: BSD-3-Clause
// The words the stages share: classes, codepoints, outcomes, and the structs that travel between them.
//
// Sources: ECN codepoints RFC 3168 section 5, TCP flags RFC 9293 section 3.1 and RFC 9768 (AE), outcomes and classes
// docs/verdict.md. Widths are in bits, lengths in bytes from the destination MAC to the last payload byte, no FCS.
package tm_pkg;

  localparam int unsigned LenW = 14;  // frame length
  localparam int unsigned TimeW = 64;  // time_i, nanoseconds
  localparam int unsigned StampW = 42;  // what a descriptor keeps of time_i; sojourn is modulo 2^42 ns
  localparam int unsigned UnitsW = 32;  // CoDel's times, in units of 1024 ns
  localparam logic [UnitsW-1:0] CodelNever = 32'h7FFFFFFF;  // its largest ce_threshold: off
  localparam int unsigned TcnW = 30;  // the threshold of waiting-time marking, nanoseconds
  localparam int unsigned TcnTimeW = 35;  // and its time: with one bit more, a word of the smallest block RAM
  localparam int unsigned BytesW = 24;  // byte quantities in a configuration; a port uses the low bits it needs
  localparam int unsigned PacketsW = 20;  // packet quantities in a configuration
  localparam int unsigned QuantumW = 18;  // what a queue may send in a turn, bytes
  localparam int unsigned RateFractionW = 20, ShapeRateW = 28;  // a rate is in bytes a cycle; with its whole bytes
  localparam int unsigned BurstW = 20;  // what may be sent at once, bytes
  localparam int unsigned CellsW = 18, UnreservedCells = 8;  // of a pool, below 16 MiB; those that no reserve has
  localparam int unsigned MaxLines = 16;
  localparam int unsigned MaxPorts = 8 * MaxLines;  // each is a queue of a line
  localparam int unsigned PageW = $clog2(MaxPorts);
  localparam int unsigned MaxTags = 3, MinFrame = 14;  // VLAN tags the walk looks behind; bytes, shorter is a runt
  localparam int unsigned ClassWait = 2;  // cycles from a beat's ECN field to its class: with FLAGS_VERDICT it waits

  // What a build has. A top that takes scalar parameters names them as the fields, in upper case (rtl/tm_build.svh).
  typedef struct packed {
    int unsigned ports;              // 1 to MaxLines * queues
    int unsigned data_w;             // 64, 128, 256, 512 or 1024 bits
    int unsigned tuser_w;            // length, error bit, and what else travels with a frame
    int unsigned rows;               // of data_w/8 bytes, a port; SpareRows stay free
    int unsigned descriptors;        // frames, a port
    bit          ultra;              // rows in UltraRAM
    bit          marked_copy;        // rows are kept marked as well; no effect with ultra or pool
    int unsigned max_frame;          // bytes
    int unsigned queues;             // ports next to one another that are a line's queues; 1, 2, 4 or 8
    bit          pool;               // one memory of cells for all ports, of `rows` rows together
    bit          pfc;                // levels of priority-based flow control, from a pool's cells
    bit          store_and_forward;
    bit          flags_verdict;      // verdicts may wait for the TCP flags
    bit          red;                // the law slots can do RED
    bit          red_linux;          // and space signals as Linux does; only with red
    bit          codel;              // CoDel at the head
    bit          tcn;                // waiting-time marking there, with CoDel or alone
    bit          mark_on_departure;  // the step law can judge there, too
    bit          shaping;            // lines and queues can be held to a rate
  } build_t;

  localparam build_t DefaultBuild = '{
      ports: 5,
      data_w: 256,
      tuser_w: 17,
      rows: 512,
      descriptors: 508,
      ultra: 1'b0,
      marked_copy: 1'b1,
      max_frame: 9216,
      queues: 1,
      pool: 1'b0,
      pfc: 1'b0,
      store_and_forward: 1'b0,
      flags_verdict: 1'b0,
      red: 1'b0,
      red_linux: 1'b0,
      codel: 1'b0,
      tcn: 1'b0,
      mark_on_departure: 1'b0,
      shaping: 1'b0
  };

  typedef enum logic [1:0] {
    NotEct = 2'b00,
    Ect1   = 2'b01,
    Ect0   = 2'b10,
    Ce     = 2'b11
  } ecn_e;

  typedef enum logic [1:0] {
    L3None = 2'd0,
    L3Ipv4 = 2'd1,
    L3Ipv6 = 2'd2
  } l3_e;

  typedef enum logic [2:0] {
    NonIp   = 3'd0,
    OtherIp = 3'd1,
    SynAck  = 3'd2,
    Syn     = 3'd3,
    TcpCtrl = 3'd4,
    Data    = 3'd5,
    Ack     = 3'd6
  } class_e;
  typedef logic [6:0][1:0] class_ece_t;  // indexed by class, then by the ECE flag

  typedef struct packed {
    logic ae;
    logic cwr;
    logic ece;
    logic urg;
    logic ack;
    logic psh;
    logic rst;
    logic syn;
    logic fin;
  } tcp_flags_t;

  // What the header walk finds at the L3 header, with the beat that decides.
  typedef struct packed {
    l3_e         l3;
    l3_e         raw_l3;    // the same if the header is whole
    logic [1:0]  tags;
    ecn_e        ecn;
    logic [15:0] checksum;  // once marked
    logic [2:0]  row;       // number of the beat in its frame, 7 and beyond as 7
    logic [5:0]  dscp;      // where there is an L3 header
    logic        has_tag;   // a whole one
    logic [2:0]  pcp;       // of the first one
  } l3_found_t;

  // What parse says of the frame: l3 .. checksum after `next_ecn_valid`, the rest once the walk has ended.
  typedef struct packed {
    l3_e         l3;
    logic [1:0]  tags;      // VLAN tags before L3: ECN octet at 15 + 4*tags, IPv4 checksum at 24 + 4*tags
    ecn_e        ecn;
    logic [15:0] checksum;  // the IPv4 header checksum the frame will have once it is marked CE, network order
    class_e      class_id;
    tcp_flags_t  flags;     // zero unless the class is one of TCP's
    logic        payload;   // the TCP payload is not empty
  } meta_t;

  // Every arriving copy has exactly one of the first twelve; the rest share their numbering in the counters.
  typedef enum logic [3:0] {
    Pass             = 4'd0,   // stored as it came, not CE
    PassCe           = 4'd1,   // stored, arrived CE, no signal
    Mark             = 4'd2,   // stored, ECT set to CE
    CeSignalled      = 4'd3,   // stored, arrived CE, a signal met it
    Protected        = 4'd4,   // stored, a signal met a protected Not-ECT frame
    EarlyProbability = 4'd5,   // early drop, probabilistic signal
    EarlyForced      = 4'd6,   // early drop, forced signal
    TailBytes        = 4'd7,   // refused by the byte limit
    TailPackets      = 4'd8,   // refused by the packet limit
    NoRoom           = 4'd9,   // refused: no row or descriptor left
    Disabled         = 4'd10,  // refused: the port is not enabled
    Aborted          = 4'd11,  // dropped whole: the frame turned out wrong before it began to leave
    Departed         = 4'd12,  // counter code only: left the port
    HeadDropped      = 4'd13,  // counter code only: dropped at the head by CoDel or a flush
    SojournLow       = 4'd14,  // counter code only: sojourn histogram, bins 0..15
    SojournHigh      = 4'd15   // counter code only: sojourn histogram, bins 16..23
  } outcome_e;
  function automatic logic is_stored(input outcome_e outcome);  // of an arriving copy
    return outcome <= Protected;
  endfunction

  // How a frame left its queue: one kind each.
  localparam int unsigned DepartureKinds = 8, DepartureW = $clog2(DepartureKinds);
  typedef enum logic [DepartureW-1:0] {
    DepartPlain,            // sent as CoDel found it
    DepartHeadDropped,      // dropped at the head, by CoDel or a flush
    DepartMarked,           // sent, marked by CoDel's signal or by the step law
    DepartThreshold,        // sent, marked because of ce_threshold
    DepartMarkedThreshold,  // sent, marked for both reasons
    DepartProtected,        // sent, a signal met a protected Not-ECT frame
    DepartCeSignalled,      // sent, a signal met a frame that was CE already
    DepartWaited            // sent, marked because of tcn_threshold alone
  } departure_e;

  // A port's counters: one for each code and {class, ECE}, the histogram; from LawCodes on, departure_e's of laws.
  localparam logic [3:0] LastIndex = {Ack, 1'b1};  // {class, ECE}
  localparam int unsigned Indices = 12, Bins = 24;  // indices that can be: classes before SynAck have no ECE flag
  localparam int unsigned LawCodes = int'(SojournHigh) + 1, PlainCounters = int'(SojournLow) * Indices + Bins;

  // verilator lint_off UNUSED
  // A reset loses no event if it lasts so many cycles beyond one for each counter; the first loses none (tm_snapshot).
  localparam int unsigned ClearingRest = 16;

  // The last code that a build counts, and how many counters of a port there are up to a code.
  function automatic int unsigned last_code(input build_t build);
    if (build.tcn) return LawCodes + int'(DepartWaited) - int'(DepartMarked);
    if (build.codel) return LawCodes + int'(DepartCeSignalled) - int'(DepartMarked);
    return build.mark_on_departure ? LawCodes : int'(SojournHigh);
  endfunction
  function automatic int unsigned counters_to(input int unsigned code);
    return PlainCounters + (code - int'(SojournHigh)) * Indices;
  endfunction

  // Widths that follow from a build, in bits.
  function automatic int unsigned storage(input build_t build);  // bytes, not bits
    return build.rows * (build.data_w / 8);
  endfunction
  function automatic int unsigned cut_short(input build_t build);  // bytes counted that are not stored, or read ahead
    return build.store_and_forward && !build.pool ? 0 : build.max_frame;
  endfunction
  function automatic int unsigned count_w(input build_t build);  // B
    return $clog2(storage(build) + cut_short(build) + 1);
  endfunction
  function automatic int unsigned frames_w(input build_t build);  // P
    return $clog2(build.descriptors + 2);
  endfunction
  function automatic int unsigned user_w(input build_t build);  // what else travels with a frame
    return build.tuser_w - 17;
  endfunction
  function automatic int unsigned user_pins(input build_t build);  // a vector for it; one bit if there is none
    return build.tuser_w > 17 ? build.tuser_w - 17 : 1;
  endfunction
  function automatic int unsigned class_wait(input build_t build);  // cycles
    return build.flags_verdict ? ClassWait : 0;
  endfunction
  function automatic bit keeps_marked_copy(input build_t build);
    return build.marked_copy && !build.ultra && !build.pool;
  endfunction
  function automatic int unsigned codel_w(input build_t build);  // of head_t: CoDel counts units of 1024 ns
    return build.codel ? StampW - 10 + 4 : 0;
  endfunction
  function automatic int unsigned head_w(input build_t build);  // and what all laws keep
    return codel_w(build) + int'(build.mark_on_departure);
  endfunction
  // verilator lint_on UNUSED

  typedef enum logic [1:0] {
    LawNone = 2'd0,  // never signals
    LawStep = 2'd1,  // signals when the queue holds more than K bytes
    LawRed  = 2'd2   // random early detection, where CAPABILITIES.red is 1
  } law_e;

  // How RED spaces its signals at a constant probability p; the rate it produces (docs/red-rules.md).
  typedef enum logic [1:0] {
    Memoryless = 2'd0,  // each frame on its own: at a probability p, p of the frames
    Uniform    = 2'd1,  // 1 to 1/p frames apart: about 2 p
    Wait       = 2'd2,  // 1/p to 2/p frames apart: about 2/3 p
    Linux      = 2'd3   // as Linux counts: about 2 p; where CAPABILITIES.red_linux is 0 a commit refuses it
  } spacing_e;

  // RED in one law slot: what every cycle needs. All else is in RAM next to those who use it, as it is in red_word_t.
  typedef struct packed {
    logic [4:0] weight;   // W: the average moves by 2^-W of the difference, 0 to 24
    spacing_e   spacing;
  } red_t;

  // A word of a configuration on its way to those who keep it in RAM: two sets, cfg_t.red_bank is in force. A
  // probability is a fraction of 2^24. Of a slope the upper 24 bits count, for Linux's spacing the lower 24.
  typedef struct packed {
    logic            bank;
    logic [5:0]      place;  // tm_regs_pkg::place_t
    logic [31:0]     data;
    logic [BytesW:0] minus;  // -data, for thresholds, which are added
  } red_word_t;

  // A word of what says which queue takes a frame, into the set that is not in force, or `turn` to that set.
  typedef struct packed {
    logic        valid;
    logic [5:0]  place;  // tm_regs_pkg::place_t
    logic [23:0] data;
    logic        turn;
  } queue_word_t;

  // What RED says of a law slot: its curve at the average that another step would make.
  typedef struct packed {
    logic        between;      // a probability, in 2^-24
    logic        forced;
    logic        over;         // the probability is all ones instead
    logic [23:0] probability;
    logic [23:0] slope;        // what Linux's spacing divides by
  } red_chance_t;

  // What the registers show of RED: the average of a law slot, or the probability in force.
  typedef struct packed {
    logic        valid;
    logic        is_maxp;
    logic [3:0]  place;    // port (of the eight of a unit) and slot
    logic [24:0] value;
  } red_view_t;

  // CoDel (docs/codel-rules.md).
  typedef struct packed {
    logic              on;
    logic              ecn;               // a signal marks what can carry it
    logic              at_once;           // drop from first_above on, not after it (RFC 8289)
    logic              exempt_below;      // exempt below the bytes, not at them (ns-3)
    logic              exempt_largest;    // the largest frame seen instead of exempt_bytes (RFC 8289)
    logic              converge;          // four Newton steps for each count instead of one (RFC 8289)
    logic              mark_from_now;     // after a mark the next signal counts from now (ns-3)
    logic              reentry_past;      // a count is only taken up if drop_next has passed (ns-3)
    logic              threshold_once;    // ce_threshold leaves a frame that was just marked (ns-3)
    logic              keep_first_above;  // an empty queue does not clear first_above (ns-3)
    logic [UnitsW-1:0] target;            // units of 1024 ns
    logic [UnitsW-1:0] interval;          // units of 1024 ns
    logic [UnitsW-1:0] ce_threshold;      // units of 1024 ns; CodelNever is off
    logic [BytesW-1:0] exempt_bytes;      // a queue that holds no more behind the head is left alone
  } codel_t;

  // Waiting-time marking (docs/verdict.md): a threshold of 0 is off.
  typedef struct packed {
    logic            on;
    logic [TcnW-1:0] threshold;  // ns
  } tcn_t;

  // What a line, or a queue of one, is held to (tm_shaper).
  typedef struct packed {
    logic                  on;
    logic [ShapeRateW-1:0] rate;   // bytes a cycle, RateFractionW fractional bits
    logic [BurstW-1:0]     burst;  // bytes
  } shape_t;

  // What a port may have of the pool (tm_pool_share), in cells.
  typedef struct packed {
    logic              on;
    logic              dynamic;
    logic signed [3:0] exponent;
    logic [CellsW-1:0] cells;
    logic [CellsW-1:0] reserve;
    logic [CellsW-1:0] headroom;  // of all lossless classes of the port as a source
  } pool_share_t;

  // When classes of a source must pause: of the port as a source, and (of port 0) of all (tm_pfc_pkg::threshold_t).
  typedef struct packed {
    logic [7:0]        lossless;       // classes that pause
    logic [7:0]        paused_by;      // and those whose pause holds the port's own queue
    logic [CellsW-1:0] headroom;       // of each of them
    logic              dynamic_limit;
    logic signed [3:0] alpha;
    logic [CellsW-1:0] limit;
    logic [CellsW-1:0] xon;
    logic [CellsW-1:0] xon_offset;
  } pfc_t;

  // One port's configuration. A limit that is switched off is all ones. Slot 0 and slot 1 are the law slots.
  typedef struct packed {
    logic                   enable;
    logic [BytesW-1:0]      limit_bytes;
    logic [PacketsW-1:0]    limit_packets;
    logic [3:0]             slot_of;            // indexed by ECN codepoint: 0 or 1
    law_e [1:0]             law;                // indexed by slot
    logic [1:0][BytesW-1:0] k;                  // step threshold, bytes, indexed by slot
    class_ece_t             protect;
    logic                   noecn;              // a signal meets every frame as if it could carry no mark
    logic                   harddrop;
    logic                   wait_flags;         // the verdict needs the class: it waits for the end of the walk
    red_t [1:0]             red;                // indexed by slot
    logic                   red_bank;           // which of the two sets of RED's words is in force
    codel_t                 codel;
    tcn_t                   tcn;
    logic                   mark_on_departure;  // the step law of a slot judges ECT frames as they leave
    logic                   shares;             // the queue takes turns with others of its line; else it is strict
    logic [QuantumW-1:0]    quantum;            // bytes a turn
    shape_t                 shape;              // of the queue
    shape_t                 line_shape;         // of its line, which has several
    pool_share_t            pool_share;
    pfc_t                   pfc;
  } cfg_t;

  // Why a frame was found wrong; one kind a frame, the first that matches. Numbering is that of the counters.
  typedef enum logic [2:0] {
    BadNoDestination  = 3'd0,
    BadRunt           = 3'd1,
    BadOversize       = 3'd2,
    BadKeepHole       = 3'd3,
    BadLengthMismatch = 3'd4,
    BadErrorBit       = 3'd5,
    BadReset          = 3'd6
  } bad_e;

  // The verdict event of one copy, for telemetry and lockstep.
  typedef struct packed {
    logic              valid;
    logic [StampW-1:0] stamp;     // time of the verdict
    logic [LenW-1:0]   len;
    class_e            class_id;
    logic              ece;
    ecn_e              ecn;       // as it arrived
    outcome_e          outcome;
    logic [BytesW-1:0] bytes;     // B as the verdict saw it
  } event_t;

  // ---- what travels between the stages: a width that depends on the build is that of the largest one here ----

  // A ring is full for a frame not yet judged with fewer than NearlyFull rows free, for its verdict with SpareRows.
  localparam int unsigned SpareRows = 8, NearlyFull = 4;
  localparam int unsigned NeedW = 12;  // rows of a frame, of 8 bytes at the least, and SpareRows - 1

  // What is on the beat bus in this cycle, and what it tells: meta has it from the next cycle on.
  typedef struct packed {
    logic valid;             // a row is on the bus
    logic first;
    logic last;
    logic next_ecn_valid;    // l3 to checksum
    logic next_flags_valid;  // all of meta; with flags_verdict, else never
  } strobes_t;

  // The beat bus as one port sees it, except for the row.
  typedef struct packed {
    strobes_t strobes;
    logic mine;  // the frame on the bus goes to this port
    logic [LenW-1:0] soon_len;  // of the frame that may be judged in two cycles
    logic [LenW-1:0] next_len, len;  // in the next one, and in this one
    logic [NeedW-1:0] next_need;  // rows of the one in the next cycle, and SpareRows - 1
    logic next_end;  // the last stored row has been on the bus, in the next cycle
    logic next_bad;  // with it: the frame is wrong
    logic elsewhere;  // another queue of this port's line takes it
    logic by_class;  // which one follows from its class: both are known with its flags, else with its ECN field
    ecn_e next_ecn;  // as meta has it in the next cycle
    meta_t meta;
    class_ece_t class_ece;  // the bit of its class and ECE flag, once the flags are known
    logic [StampW-1:0] stamp;  // of this port's last verdict
  } beat_t;

  // A frame that has arrived, the same for all its copies.
  typedef struct packed {
    class_e          class_id;
    logic            ece;
    ecn_e            ecn;       // as it arrived
    logic [LenW-1:0] len;
  } tally_t;

  // What became of one copy of it.
  typedef struct packed {
    logic     valid;
    outcome_e outcome;
    logic     cut;      // any cycle: a frame that is leaving already turned out wrong
  } arrival_t;

  // What admit tells depart of the frame on the bus.
  typedef struct packed {
    logic judged;    // its verdict is taken in this cycle
    logic stored;    // the verdict of the cycle before stored it
    logic mark;      // and it leaves marked
    logic deferred;  // or the step law judges it as it leaves
    logic crowded;   // or refused it for its port's share of the pool
    logic arriving;  // it is held, and had not ended before this cycle
    logic ends;      // the frame on the bus, if it has a copy for this port, ends in this cycle
    logic wrong;     // and is wrong
    logic aborting;  // it is taken back
    logic cut;       // it turned out wrong too late for that
  } admitted_t;

  // What depart asks of the buffer.
  typedef struct packed {
    logic look;       // the row read next, shown in the next cycle
    logic look_mark;  // it is of a frame that was marked as it came
    logic fetch;      // it is taken: the one behind it is next
    logic skip;       // the rows of a whole frame are not read
  } read_t;

  // The frame that has waited longest.
  typedef struct packed {
    logic waiting;   // there is one
    logic arriving;  // it had not ended before this cycle
    logic flushing;  // it is condemned
    logic pop;       // it is selected
  } oldest_t;

  // What the buffer says of the oldest row, and of the one on the output.
  typedef struct packed {
    logic available;  // it has come: the first row of a frame that waits always has, in a ring
    logic blocked;    // it is not at hand yet: rows are being skipped, or a pool is reading
    logic last;       // the row on the output is the last of its frame
  } at_hand_t;

  // A frame that has left, sent or dropped at the head.
  typedef struct packed {
    logic              valid;
    departure_e        kind;
    class_e            class_id;
    logic              ece;
    logic [LenW-1:0]   len;
    logic [StampW-1:0] sojourn;   // ns from its verdict to its departure
  } departure_t;

  // The output of a port, except for data, keep and what else travels with a frame.
  typedef struct packed {
    logic            valid;
    logic            last;
    logic            error;  // the frame turned out wrong while it leaves: it counts with last
    logic [LenW-1:0] len;
  } sink_t;

  // A frame that parse refused, and a reset in mid-frame.
  typedef struct packed {
    logic valid;
    bad_e kind;
    logic reset_in_frame;
  } mishap_t;

  // A port's counts besides the fates of frames (tm_mishaps). Their registers stand in a row, the last field's first.
  typedef struct packed {
    logic cut_short;  // a frame that was leaving already turned out wrong
  } incidents_t;
  localparam int unsigned IncidentKinds = $bits(incidents_t), IncidentW = $clog2(IncidentKinds + 1);

  // What a port holds.
  typedef struct packed {
    logic [BytesW-1:0]   bytes;
    logic [PacketsW-1:0] packets;
    logic                flushing;
  } held_t;

  // What control tells one port to do, besides its configuration.
  typedef struct packed {
    logic        flush;
    logic        commit;       // the configuration changes in this cycle: a commit, a soft reset
    logic [1:0]  law_reset;    // with commit: a slot's law starts again
    logic [1:0]  red_load;     // with commit: maxp and slope as configured
    logic        codel_reset;  // CoDel starts again
    logic        seed_load;
    logic [31:0] seed;         // valid during reset and with seed_load
    logic        word_valid;   // the word of RED is for this port
  } order_t;

  // AXI4-Lite behind the pins of a top; protection is not looked at.
  typedef struct packed {
    logic        aw_valid;
    logic [11:0] aw_addr;
    logic        w_valid;
    logic [31:0] w_data;
    logic [3:0]  w_strb;
    logic        b_ready;
    logic        ar_valid;
    logic [11:0] ar_addr;
    logic        r_ready;
  } axil_req_t;

  typedef struct packed {
    logic        aw_ready;
    logic        w_ready;
    logic        b_valid;
    logic [1:0]  b_resp;
    logic        ar_ready;
    logic        r_valid;
    logic [31:0] r_data;
    logic [1:0]  r_resp;
  } axil_rsp_t;

  // A port and the unit of RED it shares with others.
  typedef struct packed {
    logic                judged;
    logic [BytesW-1:0]   bytes;
    logic [PacketsW-1:0] packets;
    logic [1:0][31:0]    counted;  // by slot, for Linux's spacing: R times the count of the next frame
  } red_req_t;

  typedef struct packed {
    logic [1:0]  load;    // by slot: `chance` is its, from the next cycle on
    red_chance_t chance;
    logic [32:0] reach;   // a cycle later: what is above min times what was counted
  } red_rsp_t;

  // A port and CoDel's engine (tm_codel_law).
  typedef struct packed {
    logic request;
    logic entering;  // it was not dropping
    logic from_now;  // the next signal counts from now, not from the last
    logic again;     // after `step`: it was dropping not long ago
  } codel_req_t;

  typedef struct packed {
    logic              step;
    logic              now;
    logic              done;       // the request is served
    logic [UnitsW-1:0] increment;
  } codel_rsp_t;

  // A port and all that it shares.
  typedef struct packed {
    red_req_t   red;
    codel_req_t codel;
  } law_req_t;

  typedef struct packed {
    red_rsp_t   red;
    codel_rsp_t codel;
  } law_rsp_t;

  // The frame that waited longest, as the laws at the head of a queue look at it.
  typedef struct packed {
    logic              valid;
    logic [StampW-1:0] stamp;  // time of its verdict, ns
    logic [3:0]        code;   // what a signal may do to it: {class, ECE} if it is Not-ECT, or one of these
  } head_t;
  localparam logic [3:0] HeadEct = 4'd14, HeadCe = 4'd15;

  // What tm_depart tells the departure laws of the frame it selects, and what becomes of the frame.
  typedef struct packed {
    logic frame;     // one is selected, by no flush
    logic head;      // it is the one that waited longest
    logic arriving;  // it is still arriving
    logic failed;    // one could be, but there is none
    logic chained;   // after a drop
    logic pauses;    // it is not read yet
  } pull_t;

  typedef struct packed {
    logic       pause;    // the head, if it is selected, is not read yet
    logic       hold;     // none is selected
    logic       deliver;  // the pending frame is sent
    logic       drop;     // or dropped
    logic       mark;     // of the frame on the output: the laws mark it
    departure_e kind;     // of the frame that leaves, unless it is dropped
  } fate_t;

endpackage
