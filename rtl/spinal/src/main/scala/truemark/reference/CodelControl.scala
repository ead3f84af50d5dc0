// SPDX-License-Identifier: BSD-3-Clause
package truemark.reference

import spinal.core._

/** How a frame left (docs/registers.md, values: code). */
object Departure {
  val plain = 12
  val headDropped = 13
  val marked = 16
  val threshold = 17
  val markedThreshold = 18
  val protectedPass = 19
  val ceSignalled = 20
}

/** CoDel's switches that decide on a frame (docs/codel-rules.md, "Switches"). */
class CodelSwitches extends Bundle {
  val ecn = Bool()
  val thresholdOnce = Bool()
  val keepFirstAbove = Bool()
}

/** What CoDel does with the frame at the head: the decision of docs/codel.md, and what it leaves behind.
  *
  * Combinational. The frame: `isEct`, `isCe` (it came so, or its verdict marked it) and `isProtected` (a Not-ECT frame that
  * is spared), at most one of them; `isAbove`, `isSmall`, `isOver`, `isLate`, `isDue` and `isVoid` come from [[CodelTimes]].
  * `followsEntering`: it was pulled after the drop that entered the dropping state, so that no signal meets it.
  * The state: `firstAboveSet`, `dropping`. `code` is a code of [[Departure]]; `requests` tells that the law
  * moves, `entering` that it begins again ([[CodelLaw]]).
  *
  * `emptySet` and `emptyDropping` are the state after a departure that found no frame; `afterDrop` tells that a head drop
  * came before it in the same departure, `followsEntering` that this drop was an entering one.
  */
class CodelControl extends Component {
  val io = new Bundle {
    val switches = in(new CodelSwitches)
    val isEct = in Bool ()
    val isCe = in Bool ()
    val isProtected = in Bool ()
    val isAbove = in Bool ()
    val isSmall = in Bool ()
    val isOver = in Bool ()
    val isLate = in Bool ()
    val isDue = in Bool ()
    val isVoid = in Bool ()
    val followsEntering = in Bool ()
    val afterDrop = in Bool ()
    val firstAboveSet = in Bool ()
    val dropping = in Bool ()
    val code = out UInt (5 bits)
    val drops = out Bool ()
    val marks = out Bool ()
    val requests = out Bool ()
    val entering = out Bool ()
    val nextSet = out Bool ()
    val nextDropping = out Bool ()
    val emptySet = out Bool ()
    val emptyDropping = out Bool ()
  }

  val stands = io.isAbove && !io.isSmall
  val okToDrop = stands && io.firstAboveSet && io.isLate
  val meets = okToDrop && !io.followsEntering && (!io.dropping || io.isDue)

  val takes = meets && io.switches.ecn && (io.isEct || io.isCe)
  val spares = meets && io.isProtected && !takes
  io.drops := meets && !takes && !spares
  io.requests := takes || io.drops
  io.entering := io.requests && !io.dropping

  val signalMarks = takes && io.isEct
  val thresholdMarks = io.isOver && io.isEct && !io.drops
  io.marks := signalMarks || thresholdMarks
  when(io.drops) {
    io.code := Departure.headDropped
  }.elsewhen(signalMarks && thresholdMarks && !io.switches.thresholdOnce) {
    io.code := Departure.markedThreshold
  }.elsewhen(signalMarks) {
    io.code := Departure.marked
  }.elsewhen(thresholdMarks) {
    io.code := Departure.threshold
  }.elsewhen(takes) {
    io.code := Departure.ceSignalled
  }.elsewhen(spares) {
    io.code := Departure.protectedPass
  }.otherwise {
    io.code := Departure.plain
  }

  io.nextSet := stands && (io.firstAboveSet || !io.isVoid)
  io.nextDropping := io.entering || (io.dropping && (okToDrop || io.followsEntering))
  io.emptySet := io.firstAboveSet && io.switches.keepFirstAbove && !io.afterDrop
  io.emptyDropping := io.dropping && io.followsEntering
}
