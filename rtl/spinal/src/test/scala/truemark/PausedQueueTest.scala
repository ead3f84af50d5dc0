// SPDX-License-Identifier: BSD-3-Clause
package truemark

import org.scalatest.funsuite.AnyFunSuite
import spinal.core._
import spinal.core.sim._
import spinal.lib._
import spinal.lib.bus.amba4.axilite.AxiLite4
import truemark.Registers._
import truemark.example.{FrameSink, FrameSource}

/** A source, a line of two queues with a pool and PFC, and a sink. */
class PausedQueue(config: TruemarkConfig) extends Component {
  val io = new Bundle {
    val offer = in Bool ()
    val pause = in Bits (8 bits)
    val registers = slave(AxiLite4(Truemark.bus))
    val offered = out UInt (32 bits)
    val received = out UInt (32 bits)
    val xoff = out Bits (8 bits)
  }

  val source = new FrameSource(config)
  val truemark = new Truemark(config)
  source.io.enable := io.offer
  source.io.stream >> truemark.source
  truemark.io.time_external_i := False
  truemark.io.time_i := 0
  truemark.io.tx_en_i.setAll()
  truemark.io.pfc_pause_i := io.pause
  truemark.io.s_axil << io.registers

  val sink = new FrameSink(truemark.sinks.head.config)
  truemark.sinks.head >> sink.io.stream
  io.offered := source.io.frames
  io.received := sink.io.frames
  io.xoff := truemark.io.pfc_xoff_o(0, 8 bits)
}

class PausedQueueTest extends AnyFunSuite {
  private val config = TruemarkConfig(
    ports = 2, dataWidth = 256, rows = 256, descriptors = 100, maxFrame = 1600, queues = 2, pool = true, pfc = true
  )
  private val paused = 3 // a class
  private val most = 20 // cells of class 0 of source 0, above which it must pause

  test("a queue whose class is paused sends nothing, and its source must pause above the threshold") {
    SimConfig
      .addSimulatorFlag("-Wno-fatal")
      .withConfig(emit.Emit.config(java.nio.file.Paths.get("target/sim")))
      .workspacePath("target/sim")
      .compile(new PausedQueue(config))
      .doSim(seed = 1) { dut =>
        val clock = dut.clockDomain
        dut.io.offer #= false
        dut.io.pause #= 1 << paused
        val host = new Host(dut.io.registers, clock)
        clock.forkStimulus(period = 10)
        SimTimeout(10 * 20000)
        clock.waitSampling(300)
        host.commit(
          Profile.DropTail(),
          port = 0,
          PfcClasses.address -> (PfcClasses.pausedBy.put(1 << paused) | PfcClasses.lossless.put(1)),
          PfcThreshold.address -> BigInt(most)
        )
        assert(dut.io.xoff.toInt == 0)
        dut.io.offer #= true
        clock.waitSamplingWhere(dut.io.offered.toLong >= most + 1)
        dut.io.offer #= false
        clock.waitSampling(50)
        assert(dut.io.received.toLong == 0)
        assert(dut.io.xoff.toInt == 1)

        dut.io.pause #= 0
        clock.waitSampling(300)
        assert(dut.io.received.toLong == dut.io.offered.toLong)
        assert(dut.io.xoff.toInt == 0)
      }
  }

  test("a configuration that the RTL refuses is refused") {
    for (
      (wrong, named) <- Seq[(() => TruemarkConfig, String)](
        (() => TruemarkConfig(ports = 3, queues = 2), "ports"),
        (() => TruemarkConfig(ports = 6, queues = 3), "queues"),
        (() => TruemarkConfig(pfc = true), "pfc"),
        (() => TruemarkConfig(rows = 15), "rows"),
        (() => TruemarkConfig(descriptors = 1), "descriptors"),
        (() => TruemarkConfig(descriptors = 262143, policies = Set(Policy.Red)), "descriptors"),
        (() => TruemarkConfig(pool = true, rows = 513), "rows"),
        (() => TruemarkConfig(pool = true, rows = 16), "rows"),
        (() => TruemarkConfig(pool = true, ultraRam = true), "UltraRAM"),
        (() => TruemarkConfig(ultraRam = true, rows = 63), "at least 64"),
        (() => TruemarkConfig(pool = true, pfc = true, dataWidth = 64, rows = 1024), "dataWidth")
      )
    ) {
      val refusal = intercept[IllegalArgumentException](wrong())
      assert(refusal.getMessage.contains(named))
    }
  }

  test("a profile refuses numbers that the device does not take, and has its threshold where it is asked for") {
    for (wrong <- Seq[() => CodelRule](
        () => CodelRule(target = 1, interval = 1L << 31),
        () => CodelRule(target = 1, interval = 2, ceThreshold = Some(0x7fffffffL)),
        () => CodelRule(target = 1, interval = 2, exemptBytes = 1 << 24)
      )) intercept[IllegalArgumentException](wrong())
    def control(profile: Profile): BigInt =
      profile.writes(0).collect { case (address, word) if address == Control.address => word }.last
    for (onDeparture <- Seq(false, true))
      assert(Control.markOnDeparture.get(control(Profile.TrueMark(1000, onDeparture = onDeparture))) == (if (onDeparture) 1 else 0))
  }
}
