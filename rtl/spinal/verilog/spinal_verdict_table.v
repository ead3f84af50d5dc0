// Generator : SpinalHDL v1.14.2    git head : 8fd2882770c6d389fec5806a705393d9089c7197
// Component : spinal_verdict_table

`timescale 1ns/1ps

module spinal_verdict_table (
  input  wire          io_config_enable,
  input  wire          io_config_limitBytesOn,
  input  wire [23:0]   io_config_limitBytes,
  input  wire          io_config_limitPacketsOn,
  input  wire [19:0]   io_config_limitPackets,
  input  wire [3:0]    io_config_slotOf,
  input  wire [1:0]    io_config_law_0,
  input  wire [1:0]    io_config_law_1,
  input  wire [23:0]   io_config_threshold_0,
  input  wire [23:0]   io_config_threshold_1,
  input  wire          io_config_noEcn,
  input  wire          io_config_hardDrop,
  input  wire [1:0]    io_config_linux,
  input  wire [13:0]   io_config_protect,
  input  wire [23:0]   io_occupancy,
  input  wire [19:0]   io_packets,
  input  wire [15:0]   io_length,
  input  wire          io_hasRoom,
  input  wire [1:0]    io_codepoint,
  input  wire [2:0]    io_kind,
  input  wire          io_ece,
  input  wire [1:0]    io_redSignal,
  input  wire [1:0]    io_redForced,
  output reg  [3:0]    io_outcome,
  output wire          io_stored,
  output wire          io_marked
);

  wire                step0_io_signal;
  wire                step1_io_signal;
  reg                 _zz_signal_1;
  reg                 _zz_forced;
  wire       [24:0]   _zz_overBytes;
  wire       [24:0]   _zz_overBytes_1;
  wire       [24:0]   _zz_overBytes_2;
  wire       [16:0]   _zz_overBytes_3;
  wire       [20:0]   _zz_overPackets;
  wire       [20:0]   _zz_overPackets_1;
  wire       [20:0]   _zz_overPackets_2;
  wire       [1:0]    _zz_overPackets_3;
  wire       [15:0]   _zz_spared;
  wire       [0:0]    slot;
  reg                 says_0;
  reg                 says_1;
  reg                 forces_0;
  reg                 forces_1;
  wire                signal_1;
  wire                forced;
  wire                hard;
  wire                marks;
  wire                overBytes;
  wire                overPackets;
  wire                spared;

  assign _zz_overBytes = {1'd0, io_config_limitBytes};
  assign _zz_overBytes_1 = ({1'b0,io_occupancy} + _zz_overBytes_2);
  assign _zz_overBytes_3 = {1'b0,io_length};
  assign _zz_overBytes_2 = {8'd0, _zz_overBytes_3};
  assign _zz_overPackets = {1'd0, io_config_limitPackets};
  assign _zz_overPackets_1 = ({1'b0,io_packets} + _zz_overPackets_2);
  assign _zz_overPackets_3 = {1'b0,1'b1};
  assign _zz_overPackets_2 = {19'd0, _zz_overPackets_3};
  assign _zz_spared = {2'd0, io_config_protect};
  spinal_verdict_table_StepLaw step0 (
    .io_occupancy (io_occupancy[23:0]         ), //i
    .io_threshold (io_config_threshold_0[23:0]), //i
    .io_signal    (step0_io_signal            )  //o
  );
  spinal_verdict_table_StepLaw step1 (
    .io_occupancy (io_occupancy[23:0]         ), //i
    .io_threshold (io_config_threshold_1[23:0]), //i
    .io_signal    (step1_io_signal            )  //o
  );
  always @(*) begin
    case(slot)
      1'b0 : begin
        _zz_signal_1 = says_0;
        _zz_forced = forces_0;
      end
      default : begin
        _zz_signal_1 = says_1;
        _zz_forced = forces_1;
      end
    endcase
  end

  assign slot = io_config_slotOf[io_codepoint];
  always @(*) begin
    says_0 = 1'b0;
    case(io_config_law_0)
      2'b01 : says_0 = step0_io_signal; 2'b10 : says_0 = io_redSignal[0];
      default : begin
      end
    endcase
  end

  always @(*) begin
    forces_0 = 1'b0;
    case(io_config_law_0)
      2'b01 : forces_0 = step0_io_signal; 2'b10 : forces_0 = (io_redSignal[0] && io_redForced[0]);
      default : begin
      end
    endcase
  end

  always @(*) begin
    says_1 = 1'b0;
    case(io_config_law_1)
      2'b01 : says_1 = step1_io_signal; 2'b10 : says_1 = io_redSignal[1];
      default : begin
      end
    endcase
  end

  always @(*) begin
    forces_1 = 1'b0;
    case(io_config_law_1)
      2'b01 : forces_1 = step1_io_signal; 2'b10 : forces_1 = (io_redSignal[1] && io_redForced[1]);
      default : begin
      end
    endcase
  end

  assign signal_1 = _zz_signal_1;
  assign forced = _zz_forced;
  assign hard = (forced && io_config_hardDrop);
  assign marks = ((! hard) && (! io_config_noEcn));
  assign overBytes = (io_config_limitBytesOn && (_zz_overBytes < _zz_overBytes_1));
  assign overPackets = (io_config_limitPacketsOn && (_zz_overPackets < _zz_overPackets_1));
  assign spared = (_zz_spared[{io_kind,io_ece}] && (! (hard && io_config_linux[slot])));
  always @(*) begin
    if((! io_config_enable)) begin
      io_outcome = 4'b1010;
    end else begin
      if(overBytes) begin
        io_outcome = 4'b0111;
      end else begin
        if(overPackets) begin
          io_outcome = 4'b1000;
        end else begin
          if((! io_hasRoom)) begin
            io_outcome = 4'b1001;
          end else begin
            if((! signal_1)) begin
              io_outcome = ((io_codepoint == 2'b11) ? 4'b0001 : 4'b0000);
            end else begin
              if((((io_codepoint == 2'b10) || (io_codepoint == 2'b01)) && marks)) begin
                io_outcome = 4'b0010;
              end else begin
                if(((io_codepoint == 2'b11) && marks)) begin
                  io_outcome = 4'b0011;
                end else begin
                  if(((io_codepoint == 2'b00) && spared)) begin
                    io_outcome = 4'b0100;
                  end else begin
                    io_outcome = (forced ? 4'b0110 : 4'b0101);
                  end
                end
              end
            end
          end
        end
      end
    end
  end

  assign io_stored = (io_outcome <= 4'b0100);
  assign io_marked = (io_outcome == 4'b0010);

endmodule

//spinal_verdict_table_StepLaw_1 replaced by spinal_verdict_table_StepLaw

module spinal_verdict_table_StepLaw (
  input  wire [23:0]   io_occupancy,
  input  wire [23:0]   io_threshold,
  output wire          io_signal
);


  assign io_signal = (io_threshold < io_occupancy);

endmodule
