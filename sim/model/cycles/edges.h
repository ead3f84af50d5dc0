// SPDX-License-Identifier: BSD-3-Clause
// Edges: what random traffic may miss, counted by name.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace truemark {

// Of the port, of lines with several queues, of RED, of CoDel, of waiting-time marking, of the step law at departure.
// Whoever prints them leaves out those of a law that the build does not have.
#define TM_EDGES(EDGE)                                           \
  EDGE(BytesAtK, "B = K")                                        \
  EDGE(LimitMet, "B + len = limit")                              \
  EDGE(LimitMetByOne, "B + len = limit - 1")                     \
  EDGE(LimitMissedByOne, "B + len = limit + 1")                  \
  EDGE(PacketsAtLimit, "P = limit")                              \
  EDGE(AbortWhenFull, "abort when full")                         \
  EDGE(WrapInAbort, "ring wrap in an abort")                     \
  EDGE(ArrivalWithDeparture, "verdict with departure")           \
  EDGE(CutShort, "cut short")                                    \
  EDGE(Flushed, "flushed frames")                                \
  EDGE(Bypass, "left at its verdict")                            \
  EDGE(Starved, "output waits for input")                        \
  EDGE(NoRow, "no row")                                          \
  EDGE(NoDescriptor, "no descriptor")                            \
  EDGE(Overflow, "row lost, then room")                          \
  EDGE(WaitedForFlags, "verdict after ECN")                      \
  EDGE(TailAfterMark, "tail drop after a mark")                  \
  EDGE(Elsewhere, "another queue takes it")                      \
  EDGE(ElsewhereAtEnd, "another queue takes it, at its end")     \
  EDGE(ElsewhereOverflow, "another queue takes it, row lost")    \
  EDGE(StrictFirst, "a strict queue before another")             \
  EDGE(Turn, "a queue takes its turn")                           \
  EDGE(ManyQuanta, "a queue waits for a quantum")                \
  EDGE(ShapedQueue, "a queue waits for its rate")                \
  EDGE(Paused, "a queue is paused")                              \
  EDGE(PoolTurn, "a line waits for the pool")                    \
  EDGE(PoolReads, "output waits for the pool")                   \
  EDGE(Crowded, "a port has its share of the pool")              \
  EDGE(ShapedLine, "a line waits for its rate")                  \
  EDGE(RedProbabilistic, "RED: probabilistic")                   \
  EDGE(RedInPackets, "RED: probabilistic, in packets")           \
  EDGE(RedForced, "RED: forced")                                 \
  EDGE(RedGentle, "RED: between max and 2 max")                  \
  EDGE(RedForcedGentle, "RED: forced beyond 2 max")              \
  EDGE(RedSettledBelow, "RED: below after a commit")             \
  EDGE(RedSignalsTogether, "RED: signals together")              \
  EDGE(RedFadedUsed, "RED: faded average used")                  \
  EDGE(RedFadedLong, "RED: faded over 1 s")                      \
  EDGE(AredRaised, "ARED: raised")                               \
  EDGE(AredLowered, "ARED: lowered")                             \
  EDGE(AredLost, "ARED: lost to a commit")                       \
  EDGE(LinuxSignals, "Linux: probabilistic")                     \
  EDGE(LinuxWaited, "Linux: waits after a draw")                 \
  EDGE(LinuxLate, "Linux: an older count")                       \
  EDGE(LinuxFaded, "Linux: faded in part")                       \
  EDGE(LinuxGone, "Linux: faded")                                \
  EDGE(LinuxDroppedProtected, "Linux: dropped though protected") \
  EDGE(CodelPaused, "CoDel: paused")                             \
  EDGE(CodelDrops, "CoDel: head drops")                          \
  EDGE(CodelSeveralDrops, "CoDel: several drops")                \
  EDGE(CodelEntered, "CoDel: entered")                           \
  EDGE(CodelReentered, "CoDel: count taken up")                  \
  EDGE(CodelLeft, "CoDel: left")                                 \
  EDGE(CodelMarkWhileDropping, "CoDel: mark while dropping")     \
  EDGE(CodelProtectEndsLoop, "CoDel: protected ends loop")       \
  EDGE(CodelEmptied, "CoDel: emptied by drops")                  \
  EDGE(CodelSentinel, "CoDel: first_above is 0")                 \
  EDGE(CodelWaitedForEngine, "CoDel: waits for engine")          \
  EDGE(CodelWaitedForRow, "CoDel: waits for a row")              \
  EDGE(CodelClockWrapped, "CoDel: clock wraps")                  \
  EDGE(CodelYounger, "CoDel: younger than now")                  \
  EDGE(TcnMarked, "TCN: waited longer than T")                   \
  EDGE(TcnAtThreshold, "TCN: waited T")                          \
  EDGE(TcnJustAbove, "TCN: waited T + 1 ns")                     \
  EDGE(TcnOthers, "TCN: no ECT, waited longer")                  \
  EDGE(TcnBesideCodel, "TCN: marked by CoDel, too")              \
  EDGE(DepartureMarked, "departure: more than K behind")         \
  EDGE(DepartureAtK, "departure: K behind")                      \
  EDGE(DepartureJustAbove, "departure: K + 1 byte behind")       \
  EDGE(DepartureOthers, "departure: not deferred, more behind")  \
  EDGE(DepartureBesideOthers, "departure: marked twice")

enum class Edge : uint8_t {
#define TM_EDGE(name, text) name,
  TM_EDGES(TM_EDGE)
#undef TM_EDGE
};

inline constexpr std::array kEdgeNames = {
#define TM_EDGE(name, text) text,
    TM_EDGES(TM_EDGE)
#undef TM_EDGE
};

class Edges {
 public:
  uint64_t& operator[](Edge edge) { return counts_[static_cast<size_t>(edge)]; }
  uint64_t operator[](Edge edge) const { return counts_[static_cast<size_t>(edge)]; }

 private:
  std::array<uint64_t, kEdgeNames.size()> counts_{};
};

}  // namespace truemark
