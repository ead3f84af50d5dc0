// SPDX-License-Identifier: BSD-3-Clause
// The same build as pom.xml, for sbt; a test holds their versions together.
ThisBuild / organization := "truemark"
ThisBuild / version := "0.2.0"
ThisBuild / scalaVersion := "2.12.18"

val spinalVersion = "1.14.2"
val scalatestVersion = "3.2.14"

lazy val root = (project in file("."))
  .settings(
    name := "truemark-spinal",
    licenses := Seq("BSD-3-Clause" -> url("https://spdx.org/licenses/BSD-3-Clause")),
    libraryDependencies ++= Seq(
      "com.github.spinalhdl" %% "spinalhdl-core" % spinalVersion,
      "com.github.spinalhdl" %% "spinalhdl-lib" % spinalVersion,
      compilerPlugin("com.github.spinalhdl" %% "spinalhdl-idsl-plugin" % spinalVersion),
      "org.scalactic" %% "scalactic" % scalatestVersion,
      "org.scalatest" %% "scalatest" % scalatestVersion % Test
    ),
    scalacOptions ++= Seq("-deprecation", "-feature", "-unchecked", "-Xfatal-warnings", "-language:reflectiveCalls"),
    // The jar carries the SystemVerilog that the BlackBox stands for.
    Compile / resourceGenerators += Def.task {
      val rtl = baseDirectory.value.getParentFile
      val files = ((rtl / "truemark.f") +++ (rtl * ("*.sv" || "*.svh")) +++ ((rtl * (DirectoryFilter -- "netfpga" -- "spinal")) ** "*.sv")).get
      for (file <- files) yield {
        val copy = (Compile / resourceManaged).value / "truemark" / "rtl" / rtl.toURI.relativize(file.toURI).getPath
        IO.copyFile(file, copy)
        copy
      }
    }.taskValue,
    fork := true
  )
