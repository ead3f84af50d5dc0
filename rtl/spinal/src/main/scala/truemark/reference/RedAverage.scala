// SPDX-License-Identifier: BSD-3-Clause
package truemark.reference

import spinal.core._

/** One step of RED's average: avg + floor((B * 2^fraction - avg) / 2^W).
  *
  * Combinational; one step for each verdict, whatever its outcome. Source: design page, section 5; docs/red-rules.md, "Average".
  *
  * @param w `average` and `next` are `w.average` wide, bytes with `w.fraction` bits below one; `occupancy` in bytes; a `weight`
  *          above `w.fraction` is refused by a commit, and nothing is said of it here
  */
class RedAverage(w: Widths) extends Component {
  val io = new Bundle {
    val average = in UInt (w.average bits)
    val occupancy = in UInt (w.bytes bits)
    val weight = in UInt (w.weight bits)
    val next = out UInt (w.average bits)
  }

  val queue = (io.occupancy << w.fraction).resize(w.average + 1).asSInt
  val difference = queue - io.average.resize(w.average + 1).asSInt
  val share = difference >> io.weight // an arithmetic shift rounds down, also below 0
  io.next := (io.average.resize(w.average + 1).asSInt + share.resized).asUInt.resize(w.average)
}
