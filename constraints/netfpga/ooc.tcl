# SPDX-License-Identifier: BSD-3-Clause
# Synthesizes `output_queues` alone for a board and reports its timing and area. Not yet run in Vivado.
#
#   vivado -mode batch -source constraints/netfpga/ooc.tcl -tclargs sume|au200|au250|au280|vcu1525 [NAME=value ...]
#
# NAME=value sets a parameter of the module (RED=1). Reports go to build/vivado/BOARD.

set here [file normalize [file dirname [info script]]]
set root [file normalize $here/../..]
set board [lindex $argv 0]
set generics [lrange $argv 1 end]

# By board: its part, whose module and clocks, the width its reference designs have.
set boards {
  sume    {xc7vx690t-3-ffg1761       sume 256}
  au200   {xcu200-fsgd2104-2-e       plus 1024}
  au250   {xcu250-figd2104-2L-e      plus 1024}
  au280   {xcu280-fsvh2892-2L-e      plus 1024}
  vcu1525 {xcvu9p-fsgd2104-2L-e      plus 1024}
}
if {![dict exists $boards $board]} {
  puts stderr "ooc.tcl: no board '$board'; there are [join [dict keys $boards] {, }]"
  exit 1
}
lassign [dict get $boards $board] part family width

# The sources of a list, other lists taken in.
proc sources {listing} {
  set file [open $listing r]
  set lines [split [read $file] "\n"]
  close $file
  set found {}
  foreach line $lines {
    set line [string trim [regsub {//.*} $line {}]]
    if {[regexp {^-F\s+(\S+)} $line _ name]} {
      lappend found {*}[sources [file join [file dirname $listing] $name]]
    } elseif {$line ne "" && ![string match "+*" $line]} {
      lappend found [file normalize [file join [file dirname $listing] $line]]
    }
  }
  return $found
}

create_project -in_memory -part $part
foreach name [sources $root/rtl/netfpga/$family.f] {
  read_verilog -sv $name
}
read_xdc -mode out_of_context $here/boards/$board.xdc
read_xdc $here/crossing.xdc

set parameters [list C_S_AXIS_DATA_WIDTH=$width C_M_AXIS_DATA_WIDTH=$width {*}$generics]
set words {}
foreach parameter $parameters {
  lappend words -generic $parameter
}
synth_design -mode out_of_context -flatten_hierarchy rebuilt -top output_queues -part $part \
  -include_dirs $root/rtl {*}$words
opt_design
place_design
phys_opt_design
route_design

set reports $root/build/vivado/$board
file mkdir $reports
report_timing_summary -file $reports/timing.txt
report_utilization -hierarchical -file $reports/utilization.txt
report_cdc -details -file $reports/cdc.txt
set worst [get_property SLACK [get_timing_paths -max_paths 1 -setup]]
puts "output_queues on $board: worst slack $worst ns, reports in $reports"
if {$worst < 0} {
  exit 1
}
