// SPDX-License-Identifier: BSD-3-Clause
package truemark.example

import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axilite.AxiLite4
import spinal.lib.bus.amba4.axis.Axi4Stream.Axi4Stream
import spinal.lib.bus.amba4.axis.{Axi4Stream, Axi4StreamConfig}
import truemark._

/** Offers ECT(0) frames of 64 bytes, an IPv4 header in each, back to back while `enable` is set.
  *
  * `stream` has at least 128 bits a beat; `frames` counts those that were offered, 32 bits, and wraps.
  */
class FrameSource(config: TruemarkConfig) extends Component {
  require(config.dataWidth >= 128, s"dataWidth is ${config.dataWidth}: the header stands in the first two beats of 128")
  val io = new Bundle {
    val enable = in Bool ()
    val stream = master(Axi4Stream(Truemark.stream(config)))
    val frames = out UInt (32 bits)
  }

  // Ethernet II, IPv4 without options, 50 bytes of IP: 30 of them UDP's. Byte 0 is the lowest.
  private val header =
    "020000000001" + "020000000002" + "0800" + // destination, source, type
      "4502" + "0032" + "00000000" + "4011" + "66b7" + // version, ECT(0), length, fragment, TTL, UDP, checksum
      "0a000001" + "0a000002" // 10.0.0.1 to 10.0.0.2
  private val bytes = header.grouped(2).map(Integer.parseInt(_, 16)).toSeq.padTo(64, 0)
  private def number(part: Seq[Int]): BigInt = part.reverse.foldLeft(BigInt(0))((word, byte) => (word << 8) | byte)
  private val used = config.dataBytes min 64
  private val beats = bytes.grouped(used).map(number).toSeq

  val beat = Counter(beats.length, io.stream.fire)
  val frames = Reg(UInt(32 bits)) init 0
  val running = Reg(Bool()) init False
  when(!io.stream.valid || (io.stream.fire && beat.willOverflowIfInc)) {
    running := io.enable // a frame that has begun is finished
  }
  when(io.stream.fire && beat.willOverflowIfInc) {
    frames := frames + 1
  }

  io.frames := frames
  io.stream.valid := running
  io.stream.data := Vec(beats.map(B(_, config.dataWidth bits)))(beat.value)
  io.stream.keep := B((BigInt(1) << used) - 1, config.dataBytes bits)
  io.stream.last := beat.willOverflowIfInc
  io.stream.dest := 1
  if (config.pfc) io.stream.id := 0
  io.stream.user := B(64, io.stream.user.getWidth bits)
}

/** Takes frames and counts them: `frames` all, `marked` those that came with CE; 32 bits, both wrap. */
class FrameSink(beat: Axi4StreamConfig) extends Component {
  val io = new Bundle {
    val stream = slave(Axi4Stream(beat))
    val frames = out UInt (32 bits)
    val marked = out UInt (32 bits)
  }

  val frames = Reg(UInt(32 bits)) init 0
  val marked = Reg(UInt(32 bits)) init 0
  val first = RegNextWhen(io.stream.last, io.stream.fire) init True
  when(io.stream.fire && first) {
    frames := frames + 1
    when(io.stream.data(8 * 15, 2 bits) === 3) { // the ECN field of an IPv4 frame without a VLAN tag
      marked := marked + 1
    }
  }

  io.stream.ready := True
  io.frames := frames
  io.marked := marked
}

/** A source, Truemark with one port, and a sink: what a design around Truemark looks like.
  *
  * `offer` lets the source run, `send` lets the port send; `registers` is Truemark's bus. Time is that of Truemark's own
  * timebase.
  */
class MarkingExample(config: TruemarkConfig) extends Component {
  require(config.ports == 1, s"ports is ${config.ports}: this example has one sink")
  val io = new Bundle {
    val offer = in Bool ()
    val send = in Bool ()
    val registers = slave(AxiLite4(Truemark.bus))
    val offered = out UInt (32 bits)
    val received = out UInt (32 bits)
    val marked = out UInt (32 bits)
    val verdict = out(Verdict())
  }

  val source = new FrameSource(config)
  val truemark = new Truemark(config)
  source.io.enable := io.offer
  source.io.stream >> truemark.source
  truemark.io.time_external_i := False
  truemark.io.time_i := 0
  truemark.io.tx_en_i := io.send.asBits
  truemark.io.s_axil << io.registers

  val departing = truemark.sinks.head
  val sink = new FrameSink(departing.config)
  departing >> sink.io.stream

  io.offered := source.io.frames
  io.received := sink.io.frames
  io.marked := sink.io.marked
  io.verdict := truemark.verdicts.head
}
