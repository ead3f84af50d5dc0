// SPDX-License-Identifier: BSD-3-Clause
package truemark.reference

import spinal.core._

/** What CoDel's law remembers: signals of this dropping state, those when it was entered, 1 / sqrt(count) and the time of the
  * next signal.
  */
class CodelLawState(w: Widths) extends Bundle {
  val count = UInt(w.count bits)
  val lastCount = UInt(w.count bits)
  val reciprocal = UInt(w.reciprocal bits)
  val dropNext = UInt(w.time bits)
}

/** One Newton step towards 1 / sqrt(count), in Linux's integers.
  *
  * Combinational: r * (3 - count * r^2) / 2, as r * ((3 - count * r^2) >> 2) >> (2 * width - 1), of which the low bits stay.
  * `reciprocal` and `next` are fractions of 2^`w.reciprocal`. Where count * r^2 is above 3 the result has no meaning; from
  * r = 1 and count = 1 on it is never reached. Source: the project's notes on AQMs, section 2.1, "Newton".
  */
class CodelNewton(w: Widths) extends Component {
  val io = new Bundle {
    val count = in UInt (w.count bits)
    val reciprocal = in UInt (w.reciprocal bits)
    val next = out UInt (w.reciprocal bits)
  }

  val square = io.reciprocal * io.reciprocal
  val product = io.count * square
  val wide = product.getWidth + 2
  val rest = (U(BigInt(3) << (2 * w.reciprocal), wide bits) - product.resize(wide)) >> 2
  val step = rest * io.reciprocal
  io.next := (step >> (2 * w.reciprocal - 1)).resize(w.reciprocal)
}

/** Count, reciprocal and the time of the next signal after a signal that was taken.
  *
  * Combinational. Times in units of 1024 ns. `entering` begins a dropping state: the count is taken up where it grew by more
  * than 1 in the last one and that is less than 16 intervals ago (`reentryPast`: and `isDue`, the next signal's time has
  * come), else it is 1. Otherwise the count grows by one; `moves` tells that the next signal's time follows (not
  * after a drop whose next frame was not ok to drop), from `now` with `fromNow`, else from the last one's.
  * `wasEntered`: there was an entering since the last reset. `converge`: four Newton steps for each count.
  * Source: the project's notes on AQMs, section 2.1; docs/codel-rules.md, "Cycles", the engine.
  */
class CodelLaw(w: Widths) extends Component {
  val io = new Bundle {
    val state = in(new CodelLawState(w))
    val now = in UInt (w.time bits)
    val interval = in UInt (w.time bits)
    val entering = in Bool ()
    val wasEntered = in Bool ()
    val isDue = in Bool ()
    val moves = in Bool ()
    val fromNow = in Bool ()
    val reentryPast = in Bool ()
    val converge = in Bool ()
    val next = out(new CodelLawState(w))
  }

  val state = io.state
  val grown = state.count - state.lastCount
  val since = io.now - state.dropNext
  val recent = Clock.isBefore(since, (io.interval << 4).resize(w.time))
  val takesUp = io.wasEntered && grown > 1 && recent && (!io.reentryPast || io.isDue)

  val count = io.entering ? grown | (state.count + 1)
  var root = state.reciprocal
  val roots = for (index <- 0 until 4) yield {
    val step = new CodelNewton(w)
    step.setName(s"newton$index")
    step.io.count := count
    step.io.reciprocal := root
    root = step.io.next
    step.io.next
  }

  val starts = io.entering && !takesUp
  val next = io.next
  next.count := starts ? U(1, w.count bits) | count
  next.lastCount := io.entering ? next.count | state.lastCount
  next.reciprocal := starts ? next.reciprocal.getAllTrue | (io.converge ? roots(3) | roots(0))
  val gap = ((io.interval * next.reciprocal) >> w.reciprocal).resize(w.time)
  val from = (io.entering || io.fromNow) ? io.now | state.dropNext
  next.dropNext := (io.entering || io.moves) ? (from + gap) | state.dropNext
}
