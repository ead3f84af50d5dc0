-F netfpga.f
sume/output_queues.sv
