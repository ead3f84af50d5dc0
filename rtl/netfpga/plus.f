-F netfpga.f
plus/output_queues.sv
