// SPDX-License-Identifier: BSD-3-Clause
package truemark

import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._
import spinal.lib.bus.amba4.axilite.AxiLite4
import truemark.Registers._
import truemark.example.MarkingExample

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
    while (bus.aw.valid.toBoolean || bus.w.valid.toBoolean) {
      clock.waitSampling()
      if (bus.aw.ready.toBoolean) bus.aw.valid #= false
      if (bus.w.ready.toBoolean) bus.w.valid #= false
      sleep(0)
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

  /** Configure a port, and wait until that is in force. */
  def commit(profile: Profile, port: Int): Unit = {
    for ((address, word) <- profile.writes(port)) write(address, word)
    var status = read(Status.address)
    while (Status.commitBusy.get(status) == 1) status = read(Status.address)
    assert(Status.refused.get(status) == 0, s"the commit was refused, fault ${Status.fault.get(status)}")
  }
}

class MarkingExampleTest extends AnyFunSuite {
  private val config = TruemarkConfig(ports = 1, dataWidth = 256, rows = 128, descriptors = 60, maxFrame = 1600)

  // 64 bytes a frame, K = 1000: frames 1 to 16 see 0 to 960 bytes; from the 17th on there are more than 1000.
  test("a held queue marks every frame that sees more than K bytes, and only those") {
    SimConfig
      .addSimulatorFlag("-Wno-fatal")
      .withConfig(emit.Emit.config(java.nio.file.Paths.get("target/sim")))
      .workspacePath("target/sim")
      .compile(new MarkingExample(config))
      .doSim(seed = 1) { dut =>
        val clock = dut.clockDomain
        dut.io.offer #= false
        dut.io.send #= false
        val host = new Host(dut.io.registers, clock)
        clock.forkStimulus(period = 10)
        clock.waitSampling(100)
        assert(host.read(Id.address) == BigInt("54524D4B", 16))
        clock.waitSampling(64 * 2)
        host.commit(Profile.TrueMark(threshold = 1000, limitBytes = Some(3000)), port = 0)

        var outcomes = Vector.empty[(Int, Int)]
        clock.onSamplings {
          if (dut.io.verdict.valid.toBoolean)
            outcomes = outcomes :+ ((dut.io.verdict.bytes.toInt, dut.io.verdict.outcome.toInt))
        }
        dut.io.offer #= true
        clock.waitSamplingWhere(dut.io.offered.toLong >= 39)
        dut.io.offer #= false
        clock.waitSampling(20)
        dut.io.send #= true
        clock.waitSampling(300)

        val offered = dut.io.offered.toLong.toInt
        val stored = offered min 3000 / 64
        assert(outcomes.length == offered)
        for (((bytes, outcome), index) <- outcomes.zipWithIndex) {
          assert(bytes == 64 * index, s"frame $index")
          assert(outcome == (if (bytes > 1000) 2 else 0), s"frame $index, which saw $bytes bytes")
        }
        assert(dut.io.received.toLong == stored)
        assert(dut.io.marked.toLong == stored - 16)
        println(s"offered $offered, received ${dut.io.received.toLong}, marked ${dut.io.marked.toLong}")
      }
  }
}
