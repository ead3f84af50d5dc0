// SPDX-License-Identifier: BSD-3-Clause
package truemark.reference

import spinal.core._

/** Widths of the decay of an idle average; those of the tables are part of its rule and do not move.
  *
  * @param average    an average, with its fraction
  * @param weight     W
  * @param largest    the largest W, 24 in the registers
  * @param elapsed    an idle time, nanoseconds
  * @param reciprocal packets in an idle time, as configured
  * @param shift      of that reciprocal
  * @param packets    packet times that passed, at most 2^packets - 1
  */
case class DecayWidths(
    average: Int,
    weight: Int,
    largest: Int,
    elapsed: Int,
    reciprocal: Int,
    shift: Int,
    packets: Int
)

object DecayWidths {
  val full: DecayWidths =
    DecayWidths(average = 48, weight = 5, largest = 24, elapsed = 42, reciprocal = 17, shift = 6, packets = 30)
}

/** The constants of docs/red-rules.md, "Idle". */
object DecayTables {
  private val one = BigDecimal(65536)

  private def nearest(value: Double): BigInt = {
    val fraction = value - math.floor(value)
    require(math.abs(fraction - 0.5) > 1e-4, s"$value is too near a half to be rounded from a double")
    BigDecimal(value + 0.5).toBigInt
  }

  /** round(-log2(1 - 2^-W) * 2^(W + 17)), W from 1 on. */
  def logarithm(weight: Int): BigInt =
    nearest(-math.log1p(-math.pow(2, -weight)) / math.log(2) * math.pow(2, weight + 17))

  /** round(2^16 * 2^(-index / 512)), index 0 to 511. */
  def coarse(index: Int): BigInt = nearest(one.toDouble * math.pow(2, -index / 512.0))

  /** round(2^16 * 2^(-index / 2^17)), index 0 to 255. */
  def fine(index: Int): BigInt = nearest(one.toDouble * math.pow(2, -index / 131072.0))
}

/** The average of a queue that was idle: average * (1 - 2^-W)^m, m the packet times that passed.
  *
  * Combinational; it depends on the elapsed time alone. `average` and `next` have `w.average` bits, `elapsed` is in nanoseconds,
  * m = (elapsed * reciprocal) >> shift, at most 2^`w.packets` - 1. The power is 2^-y, with y in units of
  * 2^-17: whole halvings are a shift, the rest are two tables. Source: docs/red-rules.md, "Idle", to the bit.
  */
class RedDecay(w: DecayWidths) extends Component {
  val io = new Bundle {
    val average = in UInt (w.average bits)
    val weight = in UInt (w.weight bits)
    val elapsed = in UInt (w.elapsed bits)
    val reciprocal = in UInt (w.reciprocal bits)
    val shift = in UInt (w.shift bits)
    val next = out UInt (w.average bits)
  }

  val ticks = io.elapsed * io.reciprocal
  val passed = ticks >> io.shift
  val most = (BigInt(1) << w.packets) - 1
  val packets = (passed > most) ? U(most, w.packets bits) | passed.resize(w.packets)

  val logarithm = UInt(19 bits)
  logarithm := 0
  switch(io.weight) {
    for (weight <- 1 to w.largest) is(weight) {
      logarithm := U(DecayTables.logarithm(weight), 19 bits)
    }
  }
  val fall = packets * logarithm
  val exponent = fall >> io.weight
  val halvings = exponent >> 17

  val coarse = UInt(17 bits)
  switch(exponent(16 downto 8)) {
    for (index <- 0 until 512) is(index) {
      coarse := U(DecayTables.coarse(index), 17 bits)
    }
  }
  val fine = UInt(17 bits)
  switch(exponent(7 downto 0)) {
    for (index <- 0 until 256) is(index) {
      fine := U(DecayTables.fine(index), 17 bits)
    }
  }
  val power = coarse * fine
  val factor = power >> 16
  val kept = io.average * factor
  val scaled = kept >> 16

  when(io.weight === 0 || halvings >= 64) {
    io.next := 0
  }.otherwise {
    io.next := (scaled >> halvings.resize(6)).resize(w.average)
  }
}
