# SPDX-License-Identifier: BSD-3-Clause
# Opens a board's implemented project and reports what became of the queues in it: timing, area, clock crossings. Run by
# constraints/netfpga/board.py (`make netfpga-board`). Not yet run in Vivado.
#
#   vivado -mode batch -source report.tcl -tclargs PROJECT.xpr FOLDER
#
# Ends with 1 if the queues are not Truemark's, or if a path is too slow.

lassign $argv project reports
open_project $project
open_run impl_1
set queues [get_cells -hierarchical -filter {REF_NAME =~ *tm_netfpga_dropin*}]
if {[llength $queues] == 0} {
  puts stderr "report.tcl: $project has other queues than Truemark's: was it created before make netfpga?"
  exit 1
}
file mkdir $reports
report_timing_summary -file $reports/timing.txt
report_timing -cells $queues -max_paths 20 -file $reports/timing_queues.txt
report_utilization -hierarchical -file $reports/utilization.txt
report_cdc -details -file $reports/cdc.txt
set worst [get_property SLACK [get_timing_paths -max_paths 1 -setup]]
set hold [get_property SLACK [get_timing_paths -max_paths 1 -hold]]
puts "worst slack: setup $worst ns, hold $hold ns"
if {$worst < 0 || $hold < 0} {
  exit 1
}
