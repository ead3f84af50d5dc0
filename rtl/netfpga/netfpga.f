-F ../truemark.f
tm_sync.sv
tm_axil_crossing.sv
tm_axil_request.sv
tm_event_counter.sv
tm_netfpga_port.sv
tm_netfpga_registers.sv
tm_netfpga_queues.sv
