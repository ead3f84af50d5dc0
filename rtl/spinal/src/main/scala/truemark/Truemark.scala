// SPDX-License-Identifier: BSD-3-Clause
package truemark

import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axilite.{AxiLite4, AxiLite4Config}
import spinal.lib.bus.amba4.axis.Axi4Stream.Axi4Stream
import spinal.lib.bus.amba4.axis.{Axi4Stream, Axi4StreamConfig}

/** Truemark, the egress queue manager: `rtl/truemark.sv` as a BlackBox, under its own port names.
  *
  * One stream in, one for each line out, registers over AXI4-Lite. A line is a port, or with more than one queue the
  * ports that are its queues. `s_axis` has the beat without `tuser`, a port of
  * its own: SpinalHDL's streams count user bits by the byte of data, Truemark's `tuser` is `userWidth` wide whatever
  * the beat. `m_axis_*` are the outputs packed, line 0 lowest. [[source]] and [[sinks]] are the same as streams with
  * user bits, one for each line. The clock domain is that in which Truemark is made; its reset is synchronous, active high.
  * With more than 4096 bits of outputs side by side, SpinalHDL's own limit has to be raised: `bitVectorWidthMax` of SpinalConfig.
  *
  * Source of every name and width: the SystemVerilog; a test compares.
  */
class Truemark(val config: TruemarkConfig) extends BlackBox {
  import config.{dataBytes, dataWidth, lines, pfc, ports, userWidth}

  setBlackBoxName("truemark")
  for ((name, value) <- config.generics) addGeneric(name, value)

  val io = new Bundle {
    val clk = in Bool ()
    val rst = in Bool ()

    /** `time_i` is used, else the timebase of the registers. */
    val time_external_i = in Bool ()

    /** Nanoseconds, free running. */
    val time_i = in UInt (64 bits)

    /** Nanoseconds, the time in use. */
    val time_o = out UInt (64 bits)

    /** One bit a port: it may take its next frame. */
    val tx_en_i = in Bits (ports bits)

    /** The classes that each line's link partner has paused, 8 bits a line: only with `pfc`. */
    val pfc_pause_i = in Bits (lines * 8 bits)

    /** Frames in. `tdest` is a bitmap of lines, on the first beat. Never blocked after reset. */
    val s_axis = slave(Axi4Stream(Truemark.beat(config)))

    /** `[15:0]` length in bytes without FCS, on the first beat; `[16]` the frame is bad, on the last; above, what travels. */
    val s_axis_tuser = in Bits (userWidth bits)

    /** The port that a frame came in by, on the first beat: only with `pfc`. */
    val s_axis_tid = in Bits (4 bits)
    val m_axis_tdata = out Bits (lines * dataWidth bits)
    val m_axis_tkeep = out Bits (lines * dataBytes bits)
    val m_axis_tvalid = out Bits (lines bits)
    val m_axis_tready = in Bits (lines bits)
    val m_axis_tlast = out Bits (lines bits)
    val m_axis_tuser = out Bits (lines * userWidth bits)

    /** The registers (docs/registers.md): a window of 4 KiB, 32 bits a word. */
    val s_axil = slave(AxiLite4(Truemark.bus))

    /** A verdict of each port, for telemetry; [[Verdict]] takes it apart. */
    val event_o = out Bits (ports * Verdict.width bits)

    /** One bit a port: a frame was sent or dropped at the head, four cycles after its last beat was taken. */
    val depart_valid_o = out Bits (ports bits)

    /** Its length in bytes, 14 bits a port. */
    val depart_len_o = out Bits (ports * 14 bits)

    /** The classes of each source that must pause, 8 bits a port: only with `pfc`. */
    val pfc_xoff_o = out Bits (ports * 8 bits)

    /** Whatever came has had its effect: bit 0, frames are judged and counted; bit 1, RED has followed the time, too. */
    val settled_o = out Bits (2 bits)
  }

  noIoPrefix()
  Truemark.nameStream(io.s_axis, "s_axis")
  Truemark.nameBus(io.s_axil, "s_axil")
  // With SpinalHDL's default, an asynchronous reset, SpinalSim lets no clock edge pass while it resets.
  require(
    ClockDomain.current.config.resetKind == SYNC,
    s"the reset of the clock domain of Truemark is ${ClockDomain.current.config.resetKind}, it must be SYNC: " +
      "SpinalConfig(defaultConfigForClockDomains = ClockDomainConfig(resetKind = SYNC)), or a clock domain of its own"
  )
  mapCurrentClockDomain(clock = io.clk, reset = io.rst)
  for (file <- RtlFiles.copies) addRTLPath(file.toString)

  /** Frames in, as one stream with user bits: `stream >> truemark.source`. To be called once, by the parent. With `pfc`
    * its `id` is the port that a frame came in by, and the parent drives `pfc_pause_i`.
    */
  lazy val source: Axi4Stream = {
    val stream = Axi4Stream(Truemark.stream(config))
    io.s_axis.valid := stream.valid
    stream.ready := io.s_axis.ready
    io.s_axis.data := stream.data
    io.s_axis.keep := stream.keep
    io.s_axis.last := stream.last
    io.s_axis.dest := stream.dest
    io.s_axis_tuser := stream.user.resize(userWidth)
    if (pfc) io.s_axis_tid := stream.id.asBits
    else {
      io.s_axis_tid := 0
      io.pfc_pause_i := 0
    }
    stream
  }

  /** Frames out, a stream for each line. To be called once, by the parent. */
  lazy val sinks: Seq[Axi4Stream] = {
    val beat = Truemark.stream(config).copy(useDest = false, destWidth = -1, useId = false, idWidth = -1)
    val streams = Seq.fill(lines)(Axi4Stream(beat))
    for ((stream, line) <- streams.zipWithIndex) {
      stream.valid := io.m_axis_tvalid(line)
      stream.data := io.m_axis_tdata(line * dataWidth, dataWidth bits)
      stream.keep := io.m_axis_tkeep(line * dataBytes, dataBytes bits)
      stream.last := io.m_axis_tlast(line)
      stream.user := io.m_axis_tuser(line * userWidth, userWidth bits).resized
    }
    io.m_axis_tready := streams.map(_.ready).asBits()
    streams
  }

  /** The verdict of each port in this cycle. */
  lazy val verdicts: Seq[Verdict] = for (port <- 0 until ports) yield {
    val verdict = Verdict()
    verdict.assignFromBits(io.event_o(port * Verdict.width, Verdict.width bits))
    verdict
  }
}

object Truemark {

  /** The registers' bus. */
  val bus: AxiLite4Config = AxiLite4Config(addressWidth = 12, dataWidth = 32)

  /** A beat without its user bits. */
  def beat(config: TruemarkConfig): Axi4StreamConfig = Axi4StreamConfig(
    dataWidth = config.dataBytes,
    destWidth = config.lines,
    useKeep = true,
    useLast = true,
    useDest = true
  )

  /** A beat with user bits: as many as the length, the error bit and what travels need, rounded up to bits a byte. With
    * `pfc` it has the port that a frame came in by, too.
    */
  def stream(config: TruemarkConfig): Axi4StreamConfig = beat(config).copy(
    useUser = true,
    userWidth = (config.userWidth + config.dataBytes - 1) / config.dataBytes,
    useId = config.pfc,
    idWidth = if (config.pfc) 4 else -1
  )

  private def nameStream(stream: Axi4Stream, prefix: String): Unit = {
    stream.valid.setName(s"${prefix}_tvalid")
    stream.ready.setName(s"${prefix}_tready")
    for ((name, signal) <- stream.payload.elements) signal.setName(s"${prefix}_t$name")
  }

  private def nameBus(bus: AxiLite4, prefix: String): Unit =
    for ((channel, signals) <- Seq("aw" -> bus.aw, "w" -> bus.w, "b" -> bus.b, "ar" -> bus.ar, "r" -> bus.r)) {
      signals.valid.setName(s"${prefix}_${channel}valid")
      signals.ready.setName(s"${prefix}_${channel}ready")
      for ((name, signal) <- signals.payload.asInstanceOf[Bundle].elements) signal.setName(s"${prefix}_$channel$name")
    }
}
