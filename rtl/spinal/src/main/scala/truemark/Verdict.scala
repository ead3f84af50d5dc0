// SPDX-License-Identifier: BSD-3-Clause
package truemark

import spinal.core._

/** The verdict on one copy of a frame, as `event_o` carries it for each port (`event_t` of `rtl/tm_pkg.sv`).
  *
  * `stamp` is bits 41:0 of the time in nanoseconds, `length` in bytes without FCS, `kind` the class (0 NON_IP to 6 ACK),
  * `ecn` the codepoint as it arrived, `outcome` a code of docs/registers.md, `bytes` what the queue held before it.
  * Fields stand from the lowest bit up; a test compares them with `event_t`.
  */
case class Verdict() extends Bundle {
  val bytes = UInt(24 bits)
  val outcome = UInt(4 bits)
  val ecn = UInt(2 bits)
  val ece = Bool()
  val kind = UInt(3 bits)
  val length = UInt(14 bits)
  val stamp = UInt(42 bits)
  val valid = Bool()
}

object Verdict {

  /** Bits of one port's verdict. */
  val width: Int = 91
}
