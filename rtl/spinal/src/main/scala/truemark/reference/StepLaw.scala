// SPDX-License-Identifier: BSD-3-Clause
package truemark.reference

import spinal.core._

/** The true marking threshold: a forced signal exactly when the queue holds more than K bytes.
  *
  * Combinational. Source: design page, section 4; docs/verdict.md, "The step law".
  *
  * @param w `occupancy` and `threshold` are `w.bytes` wide, in bytes; the frame being judged is in neither
  */
class StepLaw(w: Widths) extends Component {
  val io = new Bundle {
    val occupancy = in UInt (w.bytes bits)
    val threshold = in UInt (w.bytes bits)
    val signal = out Bool ()
  }

  io.signal := io.occupancy > io.threshold
}
