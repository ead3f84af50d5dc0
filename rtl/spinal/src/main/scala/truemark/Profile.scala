// SPDX-License-Identifier: BSD-3-Clause
package truemark

import truemark.Registers._

/** Which Not-ECT frames a signal spares: the named masks of docs/verdict.md. */
sealed abstract class Protection(val mask: Int)

object Protection {
  private val tcp = Kind.SynAck to Kind.Ack
  private def frames(classes: Seq[Int], ece: Seq[Int]): Int =
    (for (kind <- classes; flag <- ece) yield 1 << (2 * kind + flag)).sum

  /** None. */
  case object Default extends Protection(0)

  /** TCP with the flag ECE. */
  case object Ece extends Protection(frames(tcp, Seq(1)))

  /** Pure ACKs, SYN, SYN-ACK and other control, with or without ECE. */
  case object AckSyn extends Protection(frames(Seq(Kind.SynAck, Kind.Syn, Kind.TcpCtrl, Kind.Ack), Seq(0, 1)))

  /** Every Not-ECT frame. */
  case object All extends Protection(frames(Kind.NonIp to Kind.Ack, Seq(0, 1)))
}

/** How RED spaces its signals (docs/red-rules.md, "Spacing"). */
sealed abstract class SignalSpacing(val code: Int)

object SignalSpacing {
  case object Memoryless extends SignalSpacing(Spacing.Memoryless)
  case object Uniform extends SignalSpacing(Spacing.Uniform)
  case object Wait extends SignalSpacing(Spacing.Wait)
}

/** RED of one law slot.
  *
  * @param min         bytes: below, the average never signals
  * @param max         bytes: here the probability is `probability`
  * @param probability at `max`, above 0, at most 1
  * @param weight      W, 0 to 24: the average moves by 2^-W of the difference
  * @param gentle      a second slope, from `max` to 1 at twice `max`
  */
case class RedRule(
    min: Int,
    max: Int,
    probability: Double,
    weight: Int,
    spacing: SignalSpacing = SignalSpacing.Uniform,
    gentle: Boolean = false
) {
  require(0 <= min && min <= max && 0 < max, s"min ($min) is at most max ($max), and max at least 1")
  require(probability > 0 && probability <= 1, s"probability is $probability: above 0, at most 1")
  require(weight >= 0 && weight <= 24, s"weight is $weight: 0 to 24")

  /** 2^24 is 1. */
  val maxp: BigInt = (BigDecimal(probability) * (1 << 24)).setScale(0, BigDecimal.RoundingMode.HALF_UP).toBigInt.max(1)

  /** A slope and its scale: the largest of 0 to 3 with which it fits 32 bits; a vertical line has the steepest there is. */
  private def slope(rise: BigInt, run: Int): (BigInt, Int) = {
    val most = (BigInt(1) << 32) - 1
    def at(scale: Int): BigInt =
      if (run == 0) most else ((rise << (8 + 8 * scale)) * 2 + run) / (BigInt(run) * 2)
    val scale = (3 to 0 by -1).find(at(_) <= most).getOrElse(0)
    (at(scale).min(most), scale)
  }
  private val (first, firstScale) = slope(maxp, max - min)
  private val (second, secondScale) = if (gentle) slope((BigInt(1) << 24) - maxp, max) else (BigInt(0), 0)

  /** Address and word of the registers of slot 0; those of slot 1 are `Red1Settings.address - Red0Settings.address` above. */
  private[truemark] def words: Seq[(Int, BigInt)] = Seq(
    Red0Settings.address -> (Red0Settings.weight.put(weight) | Red0Settings.spacing.put(spacing.code) |
      Red0Settings.gentle.put(if (gentle) 1 else 0) | Red0Settings.slopeScale.put(firstScale) |
      Red0Settings.gentleScale.put(secondScale)),
    Red0Min.address -> BigInt(min),
    Red0Max.address -> BigInt(max),
    Red0Maxp.address -> maxp,
    Red0Slope.address -> first,
    Red0GentleSlope.address -> second
  )
}

/** CoDel; times in units of 1024 ns, as Linux counts them.
  *
  * @param target      the wait that is accepted for good
  * @param interval    for how long a longer one is
  * @param ecn         a signal marks what can be marked
  * @param ceThreshold a wait above which every ECT frame is marked
  * @param exemptBytes with no more behind it a frame is left alone
  */
case class CodelRule(
    target: Long,
    interval: Long,
    ecn: Boolean = true,
    ceThreshold: Option[Long] = None,
    exemptBytes: Int = 1514
) {
  import CodelRule._

  require(interval >= 1 && target >= 0 && target <= interval, s"target ($target) is at most interval ($interval)")
  require(interval <= never, s"interval is $interval: at most $never of 1024 ns")
  require(ceThreshold.forall(each => each >= 0 && each < never), s"ceThreshold is $ceThreshold: 0 to ${never - 1} of 1024 ns")
  require(exemptBytes >= 0 && exemptBytes < (1 << 24), s"exemptBytes is $exemptBytes: 0 to ${(1 << 24) - 1}")

  private[truemark] def words: Seq[(Int, BigInt)] = Seq(
    CodelSettings.address -> (CodelSettings.on.put(1) | CodelSettings.ecn.put(if (ecn) 1 else 0)),
    CodelTarget.address -> BigInt(target),
    CodelInterval.address -> BigInt(interval),
    CodelCeThreshold.address -> BigInt(ceThreshold.getOrElse(never)),
    CodelExemptBytes.address -> BigInt(exemptBytes)
  )
}

object CodelRule {
  private val never = 0x7fffffffL // what CODEL_CE_THRESHOLD has for none
}

/** What one port is configured for, by the policies' names. [[writes]] are the register writes that bring it about.
  *
  * `limitBytes` and `limitPackets`: None is off. `mark` thresholds in bytes.
  */
sealed abstract class Profile(val policy: Policy) {
  def limitBytes: Option[Int]
  def limitPackets: Option[Int]
  def protection: Protection

  /** Its threshold judges a frame as it leaves, by what it leaves behind: a build with `markOnDeparture`. */
  def onDeparture: Boolean = false

  /** The law of both slots, and which codepoints are in slot 1. */
  private[truemark] def laws: (Int, Int, Int)
  private[truemark] def words: Seq[(Int, BigInt)]

  /** Address and word of each write, in order, up to and with the commit; then STATUS says what came of it. Every word
    * that all builds have is written: of an earlier configuration nothing of them stays. `more` are words of the same
    * commit that a build with queues, a pool or PFC has besides, such as QueueSchedule or PfcClasses; those that were
    * written for another port before stand until they are written again.
    */
  def writes(port: Int, more: Seq[(Int, BigInt)] = Nil): Seq[(Int, BigInt)] = {
    val (law0, law1, slotOf) = laws
    def on(limit: Option[Int]): Int = if (limit.isDefined) 1 else 0
    val control = Control.enable.put(1) | Control.limitBytesOn.put(on(limitBytes)) |
      Control.limitPacketsOn.put(on(limitPackets)) | Control.slotOf.put(slotOf) |
      Control.law0.put(law0) | Control.law1.put(law1) | Control.markOnDeparture.put(if (onDeparture) 1 else 0)
    val plain = configuration.map(_ -> BigInt(0))
    (Page.address -> BigInt(port)) +: (plain ++ Seq(
      LimitBytes.address -> BigInt(limitBytes.getOrElse(0)),
      LimitPackets.address -> BigInt(limitPackets.getOrElse(0)),
      Protect.address -> BigInt(protection.mask),
      Control.address -> control
    ) ++ words ++ more) :+ (Command.address -> Command.commit.put(1))
  }
}

object Profile {
  private val notEctInSlot1 = 1
  private val oneSlot = 0
  private val (none, step, red) = (Law.None, Law.Step, Law.Red)
  private val otherSlot = Red1Settings.address - Red0Settings.address
  private def inSlot1(words: Seq[(Int, BigInt)]): Seq[(Int, BigInt)] =
    words.map { case (address, word) => (address + otherSlot, word) }

  /** Drops what does not fit, marks nothing. */
  case class DropTail(limitBytes: Option[Int] = None, limitPackets: Option[Int] = None)
      extends Profile(Policy.DropTail) {
    val protection: Protection = Protection.Default
    private[truemark] def laws = (none, none, oneSlot)
    private[truemark] def words = Nil
  }

  /** Marks ECT frames while the queue holds more than `threshold` bytes; drops nothing early. */
  case class TrueMark(
      threshold: Int,
      limitBytes: Option[Int] = None,
      limitPackets: Option[Int] = None,
      override val onDeparture: Boolean = false
  ) extends Profile(Policy.TrueMark) {
    val protection: Protection = Protection.Default
    private[truemark] def laws = (step, none, notEctInSlot1)
    private[truemark] def words = Seq(K0.address -> BigInt(threshold))
  }

  /** The tick by which an idle average decays: a packet time is `nanoseconds` long. */
  case class Idle(nanoseconds: Int) {
    require(nanoseconds >= 1, s"a packet time of $nanoseconds ns is none")
    private val shift = (0 to 58).takeWhile(bits => (BigInt(1) << bits) / nanoseconds < (1 << 17)).last
    private[truemark] def words: Seq[(Int, BigInt)] = Seq(
      IdleReciprocal.address -> (BigInt(1) << shift) / nanoseconds,
      IdleShift.address -> BigInt(shift)
    )
  }

  /** RED for every frame. */
  case class Red(
      law: RedRule,
      idle: Idle,
      protection: Protection = Protection.Default,
      limitBytes: Option[Int] = None,
      limitPackets: Option[Int] = None
  ) extends Profile(Policy.Red) {
    private[truemark] def laws = (red, none, oneSlot)
    private[truemark] def words = law.words ++ idle.words
  }

  /** The threshold for ECT frames, RED for the others. */
  case class DualStep(
      threshold: Int,
      notEct: RedRule,
      idle: Idle,
      protection: Protection = Protection.Default,
      limitBytes: Option[Int] = None,
      limitPackets: Option[Int] = None,
      override val onDeparture: Boolean = false
  ) extends Profile(Policy.DualStep) {
    private[truemark] def laws = (step, red, notEctInSlot1)
    private[truemark] def words = (K0.address -> BigInt(threshold)) +: (inSlot1(notEct.words) ++ idle.words)
  }

  /** RED with one slope for ECT frames and one for the others. */
  case class DualSlope(
      ect: RedRule,
      notEct: RedRule,
      idle: Idle,
      protection: Protection = Protection.Default,
      limitBytes: Option[Int] = None,
      limitPackets: Option[Int] = None
  ) extends Profile(Policy.DualSlope) {
    private[truemark] def laws = (red, red, notEctInSlot1)
    private[truemark] def words = ect.words ++ inSlot1(notEct.words) ++ idle.words
  }

  /** CoDel at the head. */
  case class Codel(
      law: CodelRule,
      protection: Protection = Protection.Default,
      limitBytes: Option[Int] = None,
      limitPackets: Option[Int] = None
  ) extends Profile(Policy.Codel) {
    private[truemark] def laws = (none, none, oneSlot)
    private[truemark] def words = law.words
  }

  /** Marks ECT frames that waited longer than `nanoseconds`; drops nothing early. */
  case class Tcn(nanoseconds: Int, limitBytes: Option[Int] = None, limitPackets: Option[Int] = None)
      extends Profile(Policy.Tcn) {
    val protection: Protection = Protection.Default
    private[truemark] def laws = (none, none, oneSlot)
    private[truemark] def words = waited(nanoseconds)
  }

  /** CoDel at the head, and ECT frames that waited longer than `nanoseconds` leave marked. */
  case class CodelTcn(
      law: CodelRule,
      nanoseconds: Int,
      protection: Protection = Protection.Default,
      limitBytes: Option[Int] = None,
      limitPackets: Option[Int] = None
  ) extends Profile(Policy.CodelTcn) {
    private[truemark] def laws = (none, none, oneSlot)
    private[truemark] def words = law.words ++ waited(nanoseconds)
  }

  private def waited(nanoseconds: Int): Seq[(Int, BigInt)] = {
    require(nanoseconds >= 1, s"a wait of $nanoseconds ns: 0 is never")
    Seq(TcnThreshold.address -> TcnThreshold.value.put(nanoseconds))
  }
}
