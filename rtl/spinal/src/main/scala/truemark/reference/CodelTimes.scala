// SPDX-License-Identifier: BSD-3-Clause
package truemark.reference

import spinal.core._

/** Compares in a clock that wraps around. */
object Clock {

  /** Tell whether `a` is before `b`: their difference, taken as signed, is below 0. */
  def isBefore(a: UInt, b: UInt): Bool = (a - b).msb
}

/** What CoDel's times say of the frame at the head, and of a signal.
  *
  * Combinational. All times are `w.time` wide, in units of 1024 ns, and wrap; `stamp` is that of the frame's verdict.
  * `isAbove`: it waited for `target` or longer. `isOver`: longer than `ceThreshold`. `isLate`: `firstAbove` has
  * passed (with `atOnce`, or is now). `isDue`: `dropNext` has come. `fresh` is the first-above time of a frame that is the first
  * above, and does not count where it `isVoid`: 0 is Linux's "not set". `isSmall`: no more than `exempt` bytes, `behind`,
  * stay when the frame has left (with `exemptBelow`: less).
  * Source: the project's notes on AQMs, section 2.1; docs/codel-rules.md, "Cycles".
  */
class CodelTimes(w: Widths) extends Component {
  val io = new Bundle {
    val now = in UInt (w.time bits)
    val stamp = in UInt (w.time bits)
    val target = in UInt (w.time bits)
    val interval = in UInt (w.time bits)
    val ceThreshold = in UInt (w.time bits)
    val firstAbove = in UInt (w.time bits)
    val dropNext = in UInt (w.time bits)
    val atOnce = in Bool ()
    val behind = in UInt (w.bytes bits)
    val exempt = in UInt (w.bytes bits)
    val exemptBelow = in Bool ()
    val isAbove = out Bool ()
    val isOver = out Bool ()
    val isSmall = out Bool ()
    val isLate = out Bool ()
    val isDue = out Bool ()
    val fresh = out UInt (w.time bits)
    val isVoid = out Bool ()
  }

  val waited = io.now - io.stamp
  io.isAbove := !Clock.isBefore(waited, io.target)
  io.isOver := Clock.isBefore(io.ceThreshold, waited)
  io.isSmall := io.exemptBelow ? (io.behind < io.exempt) | (io.behind <= io.exempt)
  io.isLate := io.atOnce ? !Clock.isBefore(io.now, io.firstAbove) | Clock.isBefore(io.firstAbove, io.now)
  io.isDue := !Clock.isBefore(io.now, io.dropNext)
  io.fresh := io.now + io.interval
  io.isVoid := io.fresh === 0
}
