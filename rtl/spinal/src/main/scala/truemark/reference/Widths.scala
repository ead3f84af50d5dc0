// SPDX-License-Identifier: BSD-3-Clause
package truemark.reference

import spinal.core._

/** Widths of what the reference blocks compute with, in bits.
  *
  * `Widths.full` are those of the registers (docs/registers.md). Fixed points move with them: a probability of 1 is
  * 2^`chance`, in a maxp 2^`maxp - 1`.
  *
  * @param bytes      bytes held, limits and thresholds
  * @param packets    packets held and their limit
  * @param length     length of a frame in bytes
  * @param fraction   bits of an average below one byte, also the largest weight
  * @param weight     RED's weight W
  * @param chance     a probability on the way, and what counts of a slope and of a word of the generator: their upper bits
  * @param word       a word of the generator
  * @param maxp       a maxp as configured
  * @param slope      a slope as configured
  * @param time       CoDel's clock, 1024 ns a unit
  * @param count      CoDel's count
  * @param reciprocal CoDel's 1 / sqrt(count)
  */
case class Widths(
    bytes: Int,
    packets: Int,
    length: Int,
    fraction: Int,
    weight: Int,
    chance: Int,
    word: Int,
    maxp: Int,
    slope: Int,
    time: Int,
    count: Int,
    reciprocal: Int
) {
  require(chance == maxp - 1, s"chance ($chance) is the fraction of a maxp: 1 is 2^${maxp - 1}")
  require(chance <= slope && chance <= word, s"of a slope ($slope bits) and a word ($word bits) the upper $chance count")
  require(length <= bytes, s"a frame of length $length bits is never longer than a queue of $bytes bits can be")

  /** Bits of an average: bytes with their fraction. */
  val average: Int = bytes + fraction
}

object Widths {

  /** What the registers hold (docs/registers.md, sections 5 and 6 of the design page). */
  val full: Widths = Widths(
    bytes = 24,
    packets = 20,
    length = 16,
    fraction = 24,
    weight = 5,
    chance = 24,
    word = 32,
    maxp = 25,
    slope = 32,
    time = 32,
    count = 32,
    reciprocal = 16
  )

  /** CoDel's law as narrow as a proof of its products needs it; the rest as it is. */
  val small: Widths = full.copy(time = 6, count = 6, reciprocal = 4)
}

/** Codes of the ECN field of IP (RFC 3168). */
object Ecn {
  val notEct = 0
  val ect1 = 1
  val ect0 = 2
  val ce = 3

  /** Tell whether a codepoint can carry a mark and has none yet. */
  def isEct(codepoint: UInt): Bool = codepoint === ect0 || codepoint === ect1
}
