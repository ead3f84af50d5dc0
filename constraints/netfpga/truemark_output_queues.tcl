# SPDX-License-Identifier: BSD-3-Clause
# Packages the drop-in as an IP next to NetFPGA's own output queues: run by the Makefile
# next to it. Not yet run in Vivado.

set design truemark_output_queues
set top output_queues
set proj_dir ./ip_proj

# What constraints/netfpga/swap.py has filled in.
set part @PART@
set families @FAMILIES@
set data_width @DATA_WIDTH@

create_project -name ${design} -force -dir ${proj_dir} -part ${part} -ip
set_property source_mgmt_mode All [current_project]
set files [open ./hdl/files.f r]
foreach name [split [string trim [read $files]] "\n"] {
  read_verilog -sv ./hdl/${name}
}
close $files
# The clock crossing's limits go with the core, and are applied when the design's clocks are known.
read_xdc ./hdl/crossing.xdc
set_property SCOPED_TO_REF ${top} [get_files crossing.xdc]
set_property PROCESSING_ORDER LATE [get_files crossing.xdc]
set_property top ${top} [current_fileset]
update_compile_order -fileset sources_1
ipx::package_project

set core [ipx::current_core]
set_property name ${design} $core
set_property library NetFPGA $core
set_property vendor NetFPGA $core
set_property version 1.0 $core
set_property display_name ${design} $core
set_property description {Egress queue manager with NetFPGA's output_queues interface} $core
set_property taxonomy {{/NetFPGA/Generic}} $core
set_property supported_families ${families} $core

foreach {name value format} [list \
    C_M_AXIS_DATA_WIDTH ${data_width} long \
    C_S_AXIS_DATA_WIDTH ${data_width} long \
    C_M_AXIS_TUSER_WIDTH 128 long \
    C_S_AXIS_TUSER_WIDTH 128 long \
    C_S_AXI_DATA_WIDTH 32 long \
    C_S_AXI_ADDR_WIDTH 12 long \
    C_BASEADDR 0x00000000 bitstring] {
  ipx::add_user_parameter ${name} $core
  set parameter [ipx::get_user_parameters ${name} -of_objects $core]
  set_property value_resolve_type user $parameter
  set_property display_name ${name} $parameter
  set_property value ${value} $parameter
  set_property value_format ${format} $parameter
}
foreach name {s_axis @MASTERS@} {
  ipx::add_bus_parameter FREQ_HZ [ipx::get_bus_interfaces ${name} -of_objects $core]
}
ipx::infer_user_parameters $core
# Truemark's own parameters, as they were asked for when this was laid here.
foreach {name value} {@SETTINGS@} {
  set_property value ${value} [ipx::get_user_parameters ${name} -of_objects $core]
}
ipx::check_integrity $core
ipx::save_core $core
update_ip_catalog
close_project
file delete -force ${proj_dir}
