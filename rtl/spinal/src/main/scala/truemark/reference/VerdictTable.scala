// SPDX-License-Identifier: BSD-3-Clause
package truemark.reference

import spinal.core._

/** Codes of a law slot (docs/registers.md, values: law). The fourth is reserved and never signals. */
object Law {
  val none = 0
  val step = 1
  val red = 2
}

/** Codes of a verdict (docs/registers.md, values: code). */
object Outcome {
  val pass = 0
  val passCe = 1
  val mark = 2
  val ceSignalled = 3
  val protectedPass = 4
  val earlyProbability = 5
  val earlyForced = 6
  val tailBytes = 7
  val tailPackets = 8
  val noRoom = 9
  val disabled = 10
}

/** What a port is told of itself: limits, laws and whom they spare.
  *
  * `limitBytes` and `threshold` in bytes, `limitPackets` in packets; `slotOf` has one bit for each ECN codepoint;
  * `protect` bit 2 * class + ECE, all 0 with `noEcn`; `linux` one bit for each slot with Linux's spacing, in which `hardDrop` overrides
  * protection (design page, section 4.4).
  */
class VerdictConfig(w: Widths) extends Bundle {
  val enable = Bool()
  val limitBytesOn = Bool()
  val limitBytes = UInt(w.bytes bits)
  val limitPacketsOn = Bool()
  val limitPackets = UInt(w.packets bits)
  val slotOf = Bits(4 bits)
  val law = Vec(UInt(2 bits), 2)
  val threshold = Vec(UInt(w.bytes bits), 2)
  val noEcn = Bool()
  val hardDrop = Bool()
  val linux = Bits(2 bits)
  val protect = Bits(14 bits)
}

/** The verdict on one copy of a frame: the nine lines of docs/verdict.md, the first that matches.
  *
  * Combinational. `occupancy` (bytes) and `packets` are those at the start of the cycle, without the frame itself;
  * `length` in bytes; `hasRoom` tells that storage has rows and a descriptor for it; `codepoint` as in IP; `kind` the class
  * 0 to 6 of the parser; `redSignal` and `redForced` what RED says in each slot. `outcome` is a code of
  * [[Outcome]]; `stored` and `marked` follow from it.
  */
class VerdictTable(w: Widths) extends Component {
  val io = new Bundle {
    val config = in(new VerdictConfig(w))
    val occupancy = in UInt (w.bytes bits)
    val packets = in UInt (w.packets bits)
    val length = in UInt (w.length bits)
    val hasRoom = in Bool ()
    val codepoint = in UInt (2 bits)
    val kind = in UInt (3 bits)
    val ece = in Bool ()
    val redSignal = in Bits (2 bits)
    val redForced = in Bits (2 bits)
    val outcome = out UInt (4 bits)
    val stored = out Bool ()
    val marked = out Bool ()
  }

  val config = io.config
  val slot = config.slotOf(io.codepoint).asUInt

  val steps = for (index <- 0 to 1) yield {
    val step = new StepLaw(w)
    step.setName(s"step$index")
    step.io.occupancy := io.occupancy
    step.io.threshold := config.threshold(index)
    step.io.signal
  }
  val says = Vec(Bool(), 2)
  val forces = Vec(Bool(), 2)
  for (index <- 0 to 1) {
    says(index) := False
    forces(index) := False
    switch(config.law(index)) {
      is(Law.step) {
        says(index) := steps(index)
        forces(index) := steps(index)
      }
      is(Law.red) {
        says(index) := io.redSignal(index)
        forces(index) := io.redSignal(index) && io.redForced(index)
      }
    }
  }

  val signal = says(slot)
  val forced = forces(slot)
  val hard = forced && config.hardDrop
  val marks = !hard && !config.noEcn
  val overBytes = config.limitBytesOn && (io.occupancy +^ io.length) > config.limitBytes
  val overPackets = config.limitPacketsOn && (io.packets +^ U(1)) > config.limitPackets
  val spared = config.protect.resize(16 bits)(io.kind @@ io.ece.asUInt) && !(hard && config.linux(slot))

  when(!config.enable) {
    io.outcome := Outcome.disabled
  }.elsewhen(overBytes) {
    io.outcome := Outcome.tailBytes
  }.elsewhen(overPackets) {
    io.outcome := Outcome.tailPackets
  }.elsewhen(!io.hasRoom) {
    io.outcome := Outcome.noRoom
  }.elsewhen(!signal) {
    io.outcome := (io.codepoint === Ecn.ce) ? U(Outcome.passCe, 4 bits) | U(Outcome.pass, 4 bits)
  }.elsewhen(Ecn.isEct(io.codepoint) && marks) {
    io.outcome := Outcome.mark
  }.elsewhen(io.codepoint === Ecn.ce && marks) {
    io.outcome := Outcome.ceSignalled
  }.elsewhen(io.codepoint === Ecn.notEct && spared) {
    io.outcome := Outcome.protectedPass
  }.otherwise {
    io.outcome := forced ? U(Outcome.earlyForced, 4 bits) | U(Outcome.earlyProbability, 4 bits)
  }
  io.stored := io.outcome <= Outcome.protectedPass
  io.marked := io.outcome === Outcome.mark
}
