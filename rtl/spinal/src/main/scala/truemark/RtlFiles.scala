// SPDX-License-Identifier: BSD-3-Clause
package truemark

import java.io.FileNotFoundException
import java.nio.file.{Files, Path}

import scala.io.Source
import scala.util.matching.Regex

/** The SystemVerilog of Truemark, as this library carries it: what its one file list names, in that order.
  *
  * Tools that rewrite the sources of a BlackBox (SpinalFormal does) get copies, never the originals.
  */
object RtlFiles {
  private val root = "/truemark/rtl/"

  private def open(name: String) = {
    val stream = getClass.getResourceAsStream(root + name)
    if (stream == null) throw new FileNotFoundException(s"$root$name is not in the library: was it built by its pom.xml?")
    stream
  }

  private val include = "(?m)^ *`include \"(\\w+\\.svh)\"$".r

  /** A file with what it includes in place, so that whoever compiles it needs to know no folder. */
  private def text(name: String): String = {
    val source = Source.fromInputStream(open(name), "UTF-8")
    try include.replaceAllIn(source.mkString, found => Regex.quoteReplacement(text(found.group(1))))
    finally source.close()
  }

  /** The names in `truemark.f`, in the order in which they are to be compiled. */
  lazy val names: Seq[String] = {
    val list = Source.fromInputStream(open("truemark.f"), "UTF-8")
    try list.getLines().map(withoutComment).filter(line => line.nonEmpty && !line.startsWith("+")).toVector
    finally list.close()
  }

  private def withoutComment(line: String): String = line.split("//")(0).trim

  /** Copies of all files in a folder of their own, in compile order. */
  lazy val copies: Seq[Path] = {
    val folder = Files.createTempDirectory("truemark-rtl")
    sys.addShutdownHook(names.map(name => folder.resolve(name)).foreach(Files.deleteIfExists))
    for (name <- names) yield {
      val copy = folder.resolve(name)
      Files.createDirectories(copy.getParent)
      Files.write(copy, text(name).getBytes("UTF-8"))
    }
  }
}
