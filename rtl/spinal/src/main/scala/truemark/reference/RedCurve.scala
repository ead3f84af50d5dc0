// SPDX-License-Identifier: BSD-3-Clause
package truemark.reference

import spinal.core._

/** Thresholds and slopes of one RED, as the registers hold them.
  *
  * `min` and `max` in bytes; `maxp` 2^(width - 1) is 1; slopes in units of 2^-(slope + 8 * scale) a byte,
  * of which the upper `chance` bits count.
  */
class RedCurveConfig(w: Widths) extends Bundle {
  val min = UInt(w.bytes bits)
  val max = UInt(w.bytes bits)
  val maxp = UInt(w.maxp bits)
  val slope = UInt(w.slope bits)
  val slopeScale = UInt(2 bits)
  val gentle = Bool()
  val gentleSlope = UInt(w.slope bits)
  val gentleScale = UInt(2 bits)
}

/** From an average to its region and a probability.
  *
  * Combinational. `average` in whole bytes, rounded down. `below`: no signal; `forced`: a signal; neither: a signal by
  * chance, with the `probability` (2^chance is 1, at most one unit less), which says nothing otherwise. Both thresholds
  * belong to what is above them. Source: docs/red-rules.md, "Region".
  *
  * @param w widths
  */
class RedCurve(w: Widths) extends Component {
  val io = new Bundle {
    val config = in(new RedCurveConfig(w))
    val average = in UInt (w.bytes bits)
    val below = out Bool ()
    val forced = out Bool ()
    val probability = out UInt (w.chance bits)
  }

  val config = io.config
  val twiceMax = config.max << 1

  val aboveMin = io.average - config.min
  val aboveMax = io.average - config.max
  val product = aboveMin * (config.slope >> (w.slope - w.chance))
  val gentleProduct = aboveMax * (config.gentleSlope >> (w.slope - w.chance))

  val first = product >> (config.slopeScale << 3)
  val second = (gentleProduct >> (config.gentleScale << 3)) +^ config.maxp
  val steep = io.average >= config.max

  io.below := io.average < config.min
  io.forced := !io.below && (config.gentle ? (io.average >= twiceMax) | steep)

  /** The largest probability there is, where `value` is beyond it. */
  def atMostOne(value: UInt): UInt =
    (value >> w.chance).orR ? UInt(w.chance bits).setAllTo(True) | value.resize(w.chance)

  io.probability := steep ? atMostOne(second) | atMostOne(first)
}
