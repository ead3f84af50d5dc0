// SPDX-License-Identifier: BSD-3-Clause
package truemark

import spinal.core.sim._
import spinal.lib.bus.amba4.axilite.AxiLite4
import truemark.Registers._

/** A host on the registers' bus: one access at a time. */
class Host(bus: AxiLite4, clock: spinal.core.ClockDomain) {
  bus.aw.valid #= false
  bus.w.valid #= false
  bus.ar.valid #= false
  bus.b.ready #= true
  bus.r.ready #= true

  def write(address: Int, word: BigInt): Unit = {
    bus.aw.addr #= address
    bus.aw.prot #= 0
    bus.w.data #= word
    bus.w.strb #= 15
    bus.aw.valid #= true
    bus.w.valid #= true
    var offers = Seq(bus.aw, bus.w) // a valid that was just set still reads as it was
    while (offers.nonEmpty) {
      clock.waitSampling()
      val (taken, left) = offers.partition(_.ready.toBoolean)
      for (channel <- taken) channel.valid #= false
      offers = left
    }
    clock.waitSamplingWhere(bus.b.valid.toBoolean)
    assert(bus.b.resp.toInt == 0, f"the write to 0x$address%03X was refused")
  }

  def read(address: Int): BigInt = {
    bus.ar.addr #= address
    bus.ar.prot #= 0
    bus.ar.valid #= true
    clock.waitSamplingWhere(bus.ar.ready.toBoolean)
    bus.ar.valid #= false
    clock.waitSamplingWhere(bus.r.valid.toBoolean)
    assert(bus.r.resp.toInt == 0, f"the read of 0x$address%03X was refused")
    bus.r.data.toBigInt
  }

  /** Configure a port, and wait until that is in force; `more` as of [[Profile.writes]]. */
  def commit(profile: Profile, port: Int, more: (Int, BigInt)*): Unit = {
    for ((address, word) <- profile.writes(port, more)) write(address, word)
    var status = read(Status.address)
    while (Status.commitBusy.get(status) == 1) status = read(Status.address)
    assert(Status.refused.get(status) == 0, s"the commit was refused, fault ${Status.fault.get(status)}")
  }
}
