# SPDX-License-Identifier: BSD-3-Clause
# Vivado's commands as far as constraints/netfpga/ooc.tcl and its XDC use them, for tclsh: each checks what it is given against
# the facts in ::facts (parts, ports, parameters, cells), says what it was asked, and ends with 1 at the first thing that is not there.
# A command that is not here is an error of Tcl's own.

proc check {condition text} {
  if {![uplevel 1 [list expr $condition]]} {
    puts stderr "recorder: $text"
    exit 1
  }
}
proc option {words name} {
  set at [lsearch -exact $words $name]
  check [expr {$at >= 0}] "$name is missing in: $words"
  return [lindex $words [expr {$at + 1}]]
}
proc known {kind name} { check [expr {$name in [dict get $::facts $kind]}] "no $kind '$name'" }

set clocks [dict create]
set files {}
set constraints {}

proc create_project {args} { known parts [option $args -part] }
proc read_verilog {args} {
  set name [lindex $args end]
  check [file isfile $name] "no file $name"
  lappend ::files [file tail $name]
}
proc read_xdc {args} {
  set name [lindex $args end]
  check [file isfile $name] "no file $name"
  lappend ::constraints $name
}
proc synth_design {args} {
  check [expr {[option $args -top] eq "output_queues"}] "top is [option $args -top]"
  check [expr {"output_queues.sv" in $::files}] "the top was not read"
  known parts [option $args -part]
  foreach {name value} $args {
    if {$name eq "-generic"} { known parameters [lindex [split $value =] 0] }
  }
  puts "synthesized [llength $::files] files"
  # Vivado applies constraints to the elaborated design.
  foreach name $::constraints { uplevel #0 [list source $name] }
}
proc get_ports {name} { known ports $name; return [list port $name] }
proc create_clock {args} {
  check [expr {[string is double -strict [option $args -period]] && [option $args -period] > 0}] "period in: $args"
  dict set ::clocks [lindex [lindex $args end] 1] [option $args -period]
  puts "clock [option $args -name] [option $args -period]"
}
proc get_clocks {args} {
  set port [lindex [option $args -of_objects] 1]
  check [dict exists $::clocks $port] "no clock on $port"
  return [list clock $port]
}
proc get_cells {args} {
  set filter [option $args -filter]
  check [regexp {^NAME =~ \*(\S+)$} $filter _ pattern] "filter: $filter"
  regsub {_reg(\[0\]|\*)$} $pattern {} cell
  known cells $cell
  return [list cell $cell]
}
proc get_property {name object} {
  switch $name {
    PERIOD { return [dict get $::clocks [lindex $object 1]] }
    SLACK { return 0.1 }
    default { check 0 "property $name" }
  }
}
proc set_max_delay {args} {
  check [expr {"-datapath_only" in $args}] "a crossing without -datapath_only: $args"
  check [expr {[lindex [option $args -from] 0] eq "clock" && [lindex [option $args -to] 0] eq "cell"}] "ends: $args"
  puts "max_delay [lindex [option $args -from] 1] [lindex [option $args -to] 1] [lindex $args end]"
}
proc get_timing_paths {args} { return path }
foreach name {opt_design place_design phys_opt_design route_design} { proc $name {} [list puts $name] }
foreach name {report_timing_summary report_utilization report_cdc} {
  proc $name {args} { check [file isdirectory [file dirname [option $args -file]]] "no folder for a report: $args" }
}
