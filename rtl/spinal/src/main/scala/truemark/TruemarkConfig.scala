// SPDX-License-Identifier: BSD-3-Clause
package truemark

/** A policy of the host tool, by what has to be built in for it (docs/verdict.md).
  *
  * @param red   the law slots can do RED
  * @param codel CoDel at the head
  * @param tcn   waiting-time marking at the head
  */
sealed abstract class Policy(val name: String, val red: Boolean, val codel: Boolean, val tcn: Boolean = false)

object Policy {
  case object DropTail extends Policy("droptail", red = false, codel = false)
  case object TrueMark extends Policy("true-mark", red = false, codel = false)
  case object Red extends Policy("red", red = true, codel = false)
  case object DualStep extends Policy("dual-step", red = true, codel = false)
  case object DualSlope extends Policy("dual-slope", red = true, codel = false)
  case object Codel extends Policy("codel", red = false, codel = true)
  case object Tcn extends Policy("tcn", red = false, codel = false, tcn = true)
  case object CodelTcn extends Policy("codel-tcn", red = false, codel = true, tcn = true)

  // Lazy: a policy is made with a default of this object's, which must not need the policy.
  lazy val all: Set[Policy] = Set(DropTail, TrueMark, Red, DualStep, DualSlope, Codel, Tcn, CodelTcn)
}

/** What a build of Truemark is made of: the parameters of `rtl/truemark.sv`, under the same limits.
  *
  * @param ports           output ports, 1 to 16 times `queues`; with more than one queue a line each port is a queue
  * @param dataWidth       bits of a beat: 64, 128, 256, 512 or 1024
  * @param rows            rows of `dataWidth / 8` bytes of storage a port, or of all ports with `pool`; eight are kept spare
  * @param descriptors     frames a port can hold, 2 to 1048574, with RED to 262142
  * @param maxFrame        longest frame in bytes, without FCS, 64 to 16384 - dataWidth / 8
  * @param policies        what a port can be configured for; RED and CoDel are built only where one of them needs it
  * @param protection      a verdict may wait for the TCP flags, so that classes can be protected
  * @param linuxRed        RED can also space signals as Linux does
  * @param markOnDeparture the step law can also judge frames as they leave
  * @param shaping         a port can be held to a rate
  * @param queues          ports next to one another that are the queues of a line: 1, 2, 4 or 8
  * @param pool            one memory of cells for all ports
  * @param pfc             priority-based flow control: classes of a source that must pause, and queues that are paused
  * @param storeAndForward frames are stored whole before they leave, and their length is counted
  * @param ultraRam        rows in UltraRAM
  * @param markedCopy      what marking changes of a row is kept twice, instead of a rewriter behind each line; nothing with
  *                        `ultraRam`
  * @param userWidth       bits of `tuser`: 16 of length, one of error, and what else is to travel with a frame
  */
case class TruemarkConfig(
    ports: Int = 5,
    dataWidth: Int = 256,
    rows: Int = 512,
    descriptors: Int = 508,
    maxFrame: Int = 9216,
    policies: Set[Policy] = Set(Policy.DropTail, Policy.TrueMark),
    protection: Boolean = false,
    linuxRed: Boolean = false,
    markOnDeparture: Boolean = false,
    shaping: Boolean = false,
    queues: Int = 1,
    pool: Boolean = false,
    pfc: Boolean = false,
    storeAndForward: Boolean = false,
    ultraRam: Boolean = false,
    markedCopy: Boolean = true,
    userWidth: Int = TruemarkConfig.leastUserWidth
) {
  import TruemarkConfig._

  require(ports >= 1 && ports <= 16 * queues, s"ports is $ports: 1 to ${16 * queues} are possible with queues = $queues")
  require(dataWidths(dataWidth), s"dataWidth is $dataWidth: it must be ${dataWidths.toSeq.sorted.mkString(", ")}")
  require(userWidth >= leastUserWidth, s"userWidth is $userWidth: length and error bit take $leastUserWidth")
  require(
    maxFrame >= 64 && maxFrame <= 16384 - dataBytes,
    s"maxFrame is $maxFrame: 64 to ${16384 - dataBytes} bytes are possible"
  )
  require(
    rows >= 2 * (128 / dataBytes) + spareRows,
    s"rows is $rows: a header window of 128 bytes needs ${2 * (128 / dataBytes) + spareRows}"
  )
  require(
    rows.toLong * dataBytes + (1 << 14) <= (1 << 24),
    s"rows is $rows: a port's storage must stay 16 KiB below 16 MiB, so ${((1 << 24) - (1 << 14)) / dataBytes} at most"
  )
  require(!ultraRam || rows >= leastUltraRows, s"rows is $rows: with ultraRam at least $leastUltraRows are needed")
  require(!linuxRed || policies.exists(_.red), "linuxRed is a spacing of RED: one of the policies must need RED")
  require(
    descriptors >= 2 && descriptors <= mostDescriptors,
    s"descriptors is $descriptors: 2 to $mostDescriptors are possible"
  )
  require(queueCounts(queues), s"queues is $queues: a line has ${queueCounts.toSeq.sorted.mkString(", ")}")
  require(ports % queues == 0, s"ports is $ports: not a multiple of queues, which is $queues")
  require(!pool || !ultraRam, "pool and ultraRam: a pool is not built of UltraRAM")
  require(!pool || rows % cellRows == 0, s"rows is $rows: with pool it must be a multiple of $cellRows, the rows of a cell")
  require(!pool || rows / cellRows > 8, s"rows is $rows: a pool must have more than 8 cells of $cellRows rows")
  require(!pfc || pool, "pfc without pool: levels follow a pool's cells")
  require(!pfc || dataWidth >= 128, s"pfc with dataWidth $dataWidth: a tag must be in the first beat, from 128 bits on")

  /** Bytes of a beat, which are those of a row. */
  def dataBytes: Int = dataWidth / 8

  /** Outputs: each is a line, with so many `queues`. */
  def lines: Int = ports / queues

  /** RED counts as packets what fits into 24 bits of 64ths. */
  private def mostDescriptors: Int = (1 << (if (hasRed) 18 else 20)) - 2

  /** Rows of a cell of 64 bytes, or 128 with beats of as many. */
  private def cellRows: Int = (64 / dataBytes) max 1

  /** The largest byte limit that a commit accepts. */
  def storage: Int = rows * dataBytes

  /** Whether RED, CoDel and waiting-time marking are built in. */
  def hasRed: Boolean = policies.exists(_.red)
  def hasCodel: Boolean = policies.exists(_.codel)
  def hasTcn: Boolean = policies.exists(_.tcn)

  /** The parameters of the SystemVerilog by name. */
  def generics: Seq[(String, Int)] = {
    def switch(on: Boolean): Int = if (on) 1 else 0
    Seq(
      "PORTS" -> ports,
      "DATA_W" -> dataWidth,
      "ROWS" -> rows,
      "DESCRIPTORS" -> descriptors,
      "MAX_FRAME" -> maxFrame,
      "QUEUES" -> queues,
      "POOL" -> switch(pool),
      "PFC" -> switch(pfc),
      "STORE_AND_FORWARD" -> switch(storeAndForward),
      "FLAGS_VERDICT" -> switch(protection),
      "RED" -> switch(hasRed),
      "RED_LINUX" -> switch(linuxRed),
      "CODEL" -> switch(hasCodel),
      "TCN" -> switch(hasTcn),
      "MARK_ON_DEPARTURE" -> switch(markOnDeparture),
      "SHAPING" -> switch(shaping),
      "ULTRA" -> switch(ultraRam),
      "MARKED_COPY" -> switch(markedCopy),
      "TUSER_W" -> userWidth
    )
  }
}

object TruemarkConfig {
  val dataWidths: Set[Int] = Set(64, 128, 256, 512, 1024)
  val queueCounts: Set[Int] = Set(1, 2, 4, 8)

  /** Rows that no frame takes: SpareRows of tm_pkg. */
  val spareRows: Int = 8

  /** Rows of UltraRAM, which are as many at the least as the memory in front has. */
  val leastUltraRows: Int = 64

  /** Length and error bit. */
  val leastUserWidth: Int = 17
}
