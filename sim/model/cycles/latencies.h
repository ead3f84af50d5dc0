// SPDX-License-Identifier: BSD-3-Clause
// When commands act, in cycles after the cycle in which the write to COMMAND is accepted (docs/ports.md).
#pragma once

#include <cstdint>

namespace truemark::latency {

// The first verdict under the new configuration, in a build without RED and CoDel, with CoDel alone, and with RED.
inline constexpr uint64_t kCommit = 71;
inline constexpr uint64_t kCommitCodel = 129;
inline constexpr uint64_t kCommitRed = 495;
constexpr uint64_t commit(bool red, bool codel) { return red ? kCommitRed : codel ? kCommitCodel : kCommit; }

inline constexpr uint64_t kFlush = 3;  // the cycle in which the frames to drop are those whose verdict came before it
inline constexpr uint64_t kLawReset = 3;  // from a soft reset's flush to the first verdict under the configuration
inline constexpr uint64_t kReseed = 2;    // and to the first with laws and seed that were reset
inline constexpr uint64_t kSeed = 7;      // the first verdict that draws from the seed written
inline constexpr uint64_t kClear = 2;     // watermarks restart from what is held after this cycle; sojourn two later

// RED (docs/red-rules.md, "Cycles").
inline constexpr uint64_t kRedLag = 11;        // from a slot's beginning in the scan to the first verdict that sees it
inline constexpr uint64_t kRedSees = 2;        // from its port's to the cycle whose B and emptiness it sees
inline constexpr uint64_t kRedSlope = 4;       // from a slot's to the cycle whose slope it sees
inline constexpr uint64_t kRedCount = 4;       // from a slot's to the cycle whose count as Linux it sees
inline constexpr uint64_t kRedCountWaits = 6;  // with a round: verdicts after a draw as in Linux without one at random
inline constexpr uint64_t kRedSettle = 15;     // with a round: verdicts after a commit that find both slots below
inline constexpr uint64_t kRedKept = 4;        // from a slot's beginning to the visit that sees its average
inline constexpr uint32_t kRedMostSteps = 15;  // of a port that wait
constexpr uint64_t red_scan(uint64_t ports) { return ports < 3 ? 6 : 2 * ports; }  // cycles of its round
inline constexpr uint64_t kRedRound = 48;     // the shared unit comes by once in so many cycles
inline constexpr uint64_t kRedPlace = 6;      // cycles between its visits to two ports
inline constexpr uint64_t kRedSlot = 3;       // cycles between its visits to the two slots of a port
inline constexpr uint64_t kRedUnitPorts = 8;  // ports that share a unit
inline constexpr uint64_t kRedVisible = 16;   // from a visit to what it brings

// CoDel (docs/codel-rules.md, "Cycles").
inline constexpr uint64_t kCodelLook = 2;       // from its verdict until a frame is looked at
inline constexpr uint64_t kCodelSmall = 2;      // from a pull to the cycle whose B it is
inline constexpr uint64_t kCodelSettle = 3;     // from a pull to the cycle at whose end the state moves
inline constexpr uint64_t kCodelDecide = 5;     // from a pull to the cycle in which its fate comes true, at least
inline constexpr uint64_t kCodelRead = 1;       // cycle of the program "entering" whose interval counts
inline constexpr uint64_t kCodelTakesUp = 5;    // cycle of the program "entering" at whose end drop_next is now
inline constexpr uint64_t kCodelEntering = 4;   // cycles of the program "entering" more than of "next"
inline constexpr uint64_t kCodelInterval = 1;   // cycle of the program "next" whose interval counts
inline constexpr uint64_t kCodelAhead = 2;      // cycle of the program "next" at whose end drop_next may be now
inline constexpr uint64_t kCodelMoves = 4;      // cycle of the program "next" at whose end drop_next moves
inline constexpr uint64_t kCodelBusy = 5;       // last cycle of the program "next" in which its port is busy
inline constexpr uint64_t kCodelNext = 11;      // cycles of the program "next"
inline constexpr uint64_t kCodelNewton = 9;     // cycles of one Newton step
inline constexpr uint64_t kCodelConverge = 27;  // cycles more for each Newton step with converge

}  // namespace truemark::latency
