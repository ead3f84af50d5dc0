// SPDX-License-Identifier: BSD-3-Clause
package truemark.emit

import java.nio.file.{Files, Path, Paths}

import spinal.core._
import truemark._
import truemark.reference._

/** Truemark alone, each of its ports led out under its own name, except the clock and the reset of the clock domain. */
class TruemarkInstance(config: TruemarkConfig) extends Component {
  val truemark = new Truemark(config)
  for (port <- truemark.io.flatten if port != truemark.io.clk && port != truemark.io.rst) {
    val outer = cloneOf(port).asInstanceOf[BaseType]
    outer.setName(port.getName())
    if (port.isInput) {
      in(outer)
      port.assignFromBits(outer.asBits)
    } else {
      out(outer)
      outer.assignFromBits(port.asBits)
    }
  }
}

/** Writes the Verilog of every reference block, and of two instances of Truemark.
  *
  * The argument is the folder to write to; `make spinal` compares what it holds with what is committed. Names follow from
  * the source's words only, never from its lines.
  */
object Emit {

  /** One file to write: its name without the prefix `spinal_`, and what it holds. */
  case class Block(name: String, build: () => Component)

  val references: Seq[Block] = {
    val w = Widths.full
    Seq(
      Block("step_law", () => new StepLaw(w)),
      Block("verdict_table", () => new VerdictTable(w)),
      Block("red_average", () => new RedAverage(w)),
      Block("red_curve", () => new RedCurve(w)),
      Block("red_spacing", () => new RedSpacing(w)),
      Block("red_decay", () => new RedDecay(DecayWidths.full)),
      Block("codel_times", () => new CodelTimes(w)),
      Block("codel_control", () => new CodelControl),
      Block("codel_law_small", () => new CodelLaw(Widths.small)) // its proof takes no wider one
    )
  }

  /** The builds whose instances are compared with the RTL: every switch in one of them, and widths that are not the
    * defaults.
    */
  val rings: TruemarkConfig = TruemarkConfig(
    ports = 3,
    dataWidth = 128,
    maxFrame = 1600,
    policies = Policy.all,
    protection = true,
    linuxRed = true,
    markOnDeparture = true,
    shaping = true,
    userWidth = 25
  )
  val pool: TruemarkConfig =
    TruemarkConfig(ports = 4, dataWidth = 512, rows = 1024, maxFrame = 1600, queues = 2, pool = true, pfc = true)

  val all: Seq[Block] = references ++ Seq(
    Block("truemark", () => new TruemarkInstance(rings)),
    Block("truemark_pool", () => new TruemarkInstance(pool))
  )

  /** How Verilog is written here: no date, no commit and no line number in it. */
  def config(folder: Path): SpinalConfig = new SpinalConfig(
    targetDirectory = folder.toString,
    defaultConfigForClockDomains = ClockDomainConfig(resetKind = SYNC), // Truemark's
    nameWhenByFile = false,
    privateNamespace = true,
    headerWithDate = false,
    headerWithRepoHash = false,
    bitVectorWidthMax = 1 << 16 // outputs of all ports stand side by side
  )

  def main(arguments: Array[String]): Unit = {
    require(arguments.length == 1, "one argument is needed: the folder to write to")
    val folder = Paths.get(arguments(0))
    Files.createDirectories(folder)
    for (block <- all) {
      val name = s"spinal_${block.name}"
      config(folder).copy(netlistFileName = s"$name.v").generateVerilog {
        val component = block.build()
        component.setDefinitionName(name)
        component
      }
    }
  }
}
