// SPDX-License-Identifier: BSD-3-Clause
package truemark

import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._
import truemark.Registers._
import truemark.example.MarkingExample

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
        SimTimeout(10 * 20000)
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
