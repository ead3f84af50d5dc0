// SPDX-License-Identifier: BSD-3-Clause
package truemark.reference

import spinal.core._

/** What Linux's RED remembers of a queue. `average` is scaled by 2^W; `count` is -1 before the first frame of a run;
  * `threshold` is the random one that it cached.
  */
class LinuxRedState(w: Widths) extends Bundle {
  val average = UInt(w.average bits)
  val count = SInt(w.word bits)
  val threshold = UInt(w.word bits)
}

/** One arrival at Linux's RED, in its own integers.
  *
  * Combinational. `occupancy`, `min` and `max` in bytes, `min` not above `max`; `divisor` is Linux's R, the
  * probability of one byte in units of 2^-32, at least 1; `endsIdle` tells that this arrival found the queue idle, and that
  * `state.average` is what [[LinuxIdle]] left of it: B is then not added. `state.average` stays below 2^W * (max B + 1).
  * Source: Linux 6.12 as read in the project's notes on AQMs, section 1.2, steps 2 and 3; what becomes of a signal is the
  * [[VerdictTable]]'s.
  */
class LinuxRed(w: Widths) extends Component {
  val io = new Bundle {
    val state = in(new LinuxRedState(w))
    val occupancy = in UInt (w.bytes bits)
    val endsIdle = in Bool ()
    val weight = in UInt (w.weight bits)
    val min = in UInt (w.bytes bits)
    val max = in UInt (w.bytes bits)
    val divisor = in UInt (w.word bits)
    val word = in UInt (w.word bits)
    val signal = out Bool ()
    val forced = out Bool ()
    val next = out(new LinuxRedState(w))
  }

  val state = io.state
  val next = io.next
  val moved = (state.average +^ io.occupancy - (state.average >> io.weight)).resize(w.average)
  next.average := io.endsIdle ? state.average | moved

  val wide = w.average + 1
  def scaled(bytes: UInt): UInt = (bytes.resize(wide) << io.weight).resize(wide)
  val isBelow = next.average.resize(wide) < scaled(io.min)
  val isAbove = next.average.resize(wide) >= scaled(io.max)

  val count = state.count + 1
  val excess = ((next.average.resize(wide) - scaled(io.min)) >> io.weight).resize(w.bytes + 1)
  val drawn = io.word / io.divisor

  io.signal := False
  io.forced := False
  next.threshold := state.threshold
  when(isBelow) {
    next.count := -1
  }.elsewhen(isAbove) {
    next.count := -1
    io.signal := True
    io.forced := True
  }.elsewhen(count === 0) {
    next.count := 0
    next.threshold := drawn
  }.elsewhen(excess * count.asUInt >= state.threshold) {
    next.count := 0
    next.threshold := drawn
    io.signal := True
  }.otherwise {
    next.count := count
  }
}

/** What an idle time leaves of Linux's average.
  *
  * Combinational. `elapsed` in microseconds; `cell` is Linux's Scell_log, at most 31. `place` is where in the idle table to look,
  * `shift` the entry found there, 0 to 31. Where it is 0 the average falls by average * t / 2^cell, yet no further than
  * to its half. Source: the project's notes on AQMs, section 1.2, step 2.
  *
  * @param averageWidth bits of the average
  * @param elapsedWidth bits of the idle time
  */
class LinuxIdle(averageWidth: Int, elapsedWidth: Int) extends Component {
  val io = new Bundle {
    val average = in UInt (averageWidth bits)
    val elapsed = in UInt (elapsedWidth bits)
    val cell = in UInt (5 bits)
    val shift = in UInt (5 bits)
    val place = out UInt (8 bits)
    val next = out UInt (averageWidth bits)
  }

  val longest = U(255, 8 bits) << io.cell
  val time = (io.elapsed.resized > longest) ? longest | io.elapsed.resize(longest.getWidth)
  io.place := (time >> io.cell).resize(8)

  val fall = (io.average * time) >> io.cell
  val half = io.average >> 1
  when(io.shift =/= 0) {
    io.next := io.average >> io.shift
  }.elsewhen(fall < half) {
    io.next := io.average - fall.resized
  }.otherwise {
    io.next := half.resized
  }
}
