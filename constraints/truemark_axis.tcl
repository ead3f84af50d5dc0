# SPDX-License-Identifier: BSD-3-Clause
# Packages truemark_axis as an IP for block designs. Not yet run in Vivado.
#
#   vivado -mode batch -source constraints/truemark_axis.tcl -tclargs build/axis/truemark_axis.v PART build/axis/ip
#
# The wrapper's attributes say which buses belong to the clock, and that the reset is active high.

lassign $argv wrapper part folder
set rtl [file normalize [file join [file dirname [info script]] .. rtl]]

create_project -name truemark_axis -force -dir ${folder}/project -part ${part} -ip
set list [open ${rtl}/truemark.f r]
foreach name [split [read $list] "\n"] {
  if {[string match *.sv ${name}]} {
    read_verilog -sv ${rtl}/${name}
  }
}
close $list
read_verilog ${wrapper}
foreach header [lsort [glob ${rtl}/*.svh]] {
  read_verilog -sv ${header}
  set_property file_type {Verilog Header} [get_files ${header}]
}
set_property include_dirs ${rtl} [current_fileset]
set_property top truemark_axis [current_fileset]
update_compile_order -fileset sources_1

ipx::package_project -root_dir ${folder} -vendor truemark -library truemark \
  -taxonomy /Communication -import_files -force
set core [ipx::current_core]
set_property name truemark_axis $core
set_property version 0.2 $core
set_property display_name Truemark $core
set_property description {Egress queue manager for Ethernet switches} $core

# Left open in a block design, these mean that every port may send, by the core's own time, and that nobody pauses it;
# with several queues a line, connect tx_en_i.
set file [open ${wrapper} r]
regexp {\.PORTS\((\d+)} [read $file] whole lines  ;# of QUEUES ports each
close $file
foreach {name value} [list tx_en_i [expr {(1 << $lines) - 1}] pfc_pause_i 0 time_external_i 0 time_i 0] {
  set_property driver_value ${value} [ipx::get_ports ${name} -of_objects $core]
}
ipx::create_xgui_files $core
ipx::update_checksums $core
ipx::check_integrity $core
ipx::save_core $core
close_project
file delete -force ${folder}/project
