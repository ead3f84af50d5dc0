-F ../truemark.f
../prim/tm_prim_sync.sv
tm_axil_crossing.sv
tm_axil_request.sv
tm_event_counter.sv
tm_netfpga_port.sv
tm_netfpga_registers.sv
tm_pacer.sv
tm_netfpga_queues.sv
tm_netfpga_dropin.sv
tm_input_fifo.sv
tm_input_arbiter.sv
tm_forward_ram.sv
tm_mac_table.sv
tm_static_entries.sv
tm_switch_lookup.sv
tm_reference_registers.sv
tm_reference_switch.sv
