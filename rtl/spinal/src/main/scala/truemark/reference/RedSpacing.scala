// SPDX-License-Identifier: BSD-3-Clause
package truemark.reference

import spinal.core._

/** When the next signal is due: what is left of a random threshold pays the probability of each frame. Linux's spacing
  * has no reference here.
  *
  * Combinational, one step for each frame of which the slot speaks. `remaining` and `next` are `w.chance + 1` wide, as is a
  * draw of `Wait`: the upper `w.chance` bits of `word`, and one more. `between`, `forced` and `probability` come from [[RedCurve]] (`between` is
  * neither of its regions). Source: docs/red-rules.md, "Spacing".
  */
class RedSpacing(w: Widths) extends Component {
  val io = new Bundle {
    val spacing = in UInt (2 bits)
    val remaining = in UInt (w.chance + 1 bits)
    val between = in Bool ()
    val forced = in Bool ()
    val probability = in UInt (w.chance bits)
    val word = in UInt (w.word bits)
    val signal = out Bool ()
    val next = out UInt (w.chance + 1 bits)
  }

  val isSpent = io.remaining < io.probability
  val byChance = io.between && isSpent
  val draw = (io.spacing === truemark.Registers.Spacing.Wait).asUInt @@ (io.word >> (w.word - w.chance))
  io.signal := io.forced || byChance
  when(byChance || !io.between || io.spacing === truemark.Registers.Spacing.Memoryless) {
    io.next := draw
  }.otherwise {
    io.next := io.remaining - io.probability
  }
}
