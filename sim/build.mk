# SPDX-License-Identifier: BSD-3-Clause
# Rules of sim/: the golden model, the engines behind the C ABI, and lockstep. Included by the top Makefile.
#
# A configuration of the RTL is a name and ten numbers: ports, DATA_W, ROWS, DESCRIPTORS, MAX_FRAME,
# STORE_AND_FORWARD, FLAGS_VERDICT, ULTRA, RED (2: with RED_LINUX), CODEL; "rewrite" after them builds without
# MARKED_COPY.

CXX ?= g++
SIM_BUILD ?= build/sim
SIM_CXXFLAGS := -std=c++20 -O2 -Wall -Wextra -fPIC -fvisibility=hidden
RTL_SOURCES := $(shell find rtl -name '*.sv' -o -name '*.svh') rtl/truemark.f

# ---- golden model

MODEL_SOURCES := $(addprefix sim/model/,framer.cpp parse.cpp rewrite.cpp average.cpp codel.cpp shadow.cpp control.cpp device.cpp)
ENGINE_SOURCES := $(addprefix sim/engine/,abi.cpp build.cpp)
SIM_HEADERS := $(wildcard sim/model/*.h sim/model/*/*.h sim/dut/*.h sim/engine/*.h sim/lockstep/*.h)
MODEL_OBJECTS := $(MODEL_SOURCES:sim/%.cpp=$(SIM_BUILD)/%.o) $(SIM_BUILD)/engine/model_engine.o
ENGINE_OBJECTS := $(ENGINE_SOURCES:sim/%.cpp=$(SIM_BUILD)/%.o)

$(SIM_BUILD)/%.o: sim/%.cpp $(SIM_HEADERS)
	@mkdir -p $(@D)
	$(CXX) $(SIM_CXXFLAGS) -c -o $@ $<

build/lib/libtruemark_model.so: $(MODEL_OBJECTS) $(ENGINE_OBJECTS) $(SIM_BUILD)/engine/make_model.o
	@mkdir -p $(@D)
	$(CXX) -shared -o $@ $^

.PHONY: model-lib
model-lib: build/lib/libtruemark_model.so ## the golden model behind the C ABI

# Programs over the model alone: its speed, and the rates of the spacings of RED.
$(SIM_BUILD)/model/%: $(SIM_BUILD)/model/%.o $(MODEL_SOURCES:sim/%.cpp=$(SIM_BUILD)/%.o)
	$(CXX) -o $@ $^

MODEL_PROGRAMS := $(SIM_BUILD)/model/speed $(SIM_BUILD)/model/spacing_table

.PHONY: model-programs
model-programs: $(MODEL_PROGRAMS)

# ---- Verilated RTL: $(call verilated,folder,configuration,more options)

CONFIG_shallow       := 1 256 13849 5001 9216 0 0 0 0 0
CONFIG_shallow_flags := 1 256 13849 5001 9216 0 1 0 0 0
CONFIG_deep_flags    := 1 256 112177 40501 9216 0 1 0 0 0
CONFIG_full          := 1 256 13849 5001 9216 0 1 0 2 1
CONFIG_full_deep     := 1 256 112177 40501 9216 0 1 0 2 1
CONFIG_small_flags   := 2 256 600 100 9216 0 1 0 0 0
CONFIG_small_stored  := 2 128 600 100 1600 1 1 0 0 0
CONFIG_small_full    := 2 256 600 100 9216 0 1 0 1 1

config_word = $(word $(2),$(CONFIG_$(1)))
config_switch = $(if $(filter-out 0,$(call config_word,$(1),$(2))),-G$(3)=1)
config_verilog = -GPORTS=$(call config_word,$(1),1) -GDATA_W=$(call config_word,$(1),2) -GROWS=$(call config_word,$(1),3) \
  -GDESCRIPTORS=$(call config_word,$(1),4) -GMAX_FRAME=$(call config_word,$(1),5) \
  -GSTORE_AND_FORWARD=$(call config_word,$(1),6) -GFLAGS_VERDICT=$(call config_word,$(1),7) \
  $(call config_switch,$(1),8,ULTRA) $(call config_switch,$(1),9,RED) $(call config_switch,$(1),10,CODEL) \
  $(if $(filter 2,$(call config_word,$(1),9)),-GRED_LINUX=1) \
  $(if $(filter rewrite,$(CONFIG_$(1))),-GMARKED_COPY=0)
config_macros = -DTM_CONFIG='"$(1)"' -DTM_PORTS=$(call config_word,$(1),1) -DTM_DATA_W=$(call config_word,$(1),2) \
  -DTM_ROWS=$(call config_word,$(1),3) -DTM_DESCRIPTORS=$(call config_word,$(1),4) \
  -DTM_MAX_FRAME=$(call config_word,$(1),5) -DTM_STORE_AND_FORWARD=$(call config_word,$(1),6) \
  -DTM_FLAGS_VERDICT=$(call config_word,$(1),7) -DTM_ULTRA=$(call config_word,$(1),8) \
  -DTM_RED=$(call config_word,$(1),9) -DTM_CODEL=$(call config_word,$(1),10)

VERILATOR ?= verilator
VERILATOR_FLAGS := --cc -O3 --x-assign fast --x-initial unique --assert --quiet -Wno-fatal
# The class and what it needs of Verilator's runtime, in one archive.
COMPILE_VERILATED = CXX="$(CXX)" $(or $(PY),python3) sw/src/truemark_dev/cpp.py $(@D) Vtruemark -O2 $@ \
  -fPIC -fvisibility=hidden -DVL_USER_STOP
VERILATED_INCLUDE = -isystem $(VERILATOR_ROOT)/include -isystem $(VERILATOR_ROOT)/include/vltstd
RTL_DIR ?= rtl

# ---- engines over the RTL, with what a waveform needs

$(SIM_BUILD)/rtl/%/Vtruemark__ALL.a: $(RTL_SOURCES) sim/build.mk sw/src/truemark_dev/cpp.py
	@mkdir -p $(@D)
	$(VERILATOR) $(VERILATOR_FLAGS) --top-module truemark --trace-vcd --savable $(call config_verilog,$*) -Mdir $(@D) \
	  sim/engine/public.vlt -F $(RTL_DIR)/truemark.f
	$(COMPILE_VERILATED)

DUT := $(addprefix sim/dut/,rtl_build.cpp rtl_pins.cpp axil_master.cpp)
PIPELINE_ENGINE := $(addprefix sim/,engine/make_netfpga.cpp engine/pipeline_engine.cpp dut/axil_master.cpp dut/rtl_build.cpp)
RTL_ENGINE := $(DUT) $(addprefix sim/engine/,rtl_engine.cpp both_engine.cpp describe.cpp)

$(SIM_BUILD)/rtl/%/engine.o: $(SIM_BUILD)/rtl/%/Vtruemark__ALL.a $(RTL_ENGINE) $(SIM_HEADERS)
	@set -e; for part in $(RTL_ENGINE); do \
	  $(CXX) $(SIM_CXXFLAGS) $(call config_macros,$*) -DTM_WAVES=1 -DTM_SAVABLE=1 $(VERILATED_INCLUDE) -I$(@D) -c \
	    -o $(@D)/$$(basename $$part .cpp).o $$part; \
	done
	$(CXX) -r -nostdlib -o $@ $(patsubst %.cpp,$(@D)/%.o,$(notdir $(RTL_ENGINE)))

build/lib/libtruemark_rtl_%.so: $(SIM_BUILD)/rtl/%/engine.o $(MODEL_OBJECTS) $(ENGINE_OBJECTS) sim/engine/make_rtl.cpp
	@mkdir -p $(@D)
	$(CXX) $(SIM_CXXFLAGS) $(call config_macros,$*) -shared -o $@ sim/engine/make_rtl.cpp $(MODEL_OBJECTS) \
	  $(ENGINE_OBJECTS) $< $(<D)/Vtruemark__ALL.a

build/lib/libtruemark_both_%.so: $(SIM_BUILD)/rtl/%/engine.o $(MODEL_OBJECTS) $(ENGINE_OBJECTS) sim/engine/make_both.cpp
	@mkdir -p $(@D)
	$(CXX) $(SIM_CXXFLAGS) $(call config_macros,$*) -shared -o $@ sim/engine/make_both.cpp $(MODEL_OBJECTS) \
	  $(ENGINE_OBJECTS) $< $(<D)/Vtruemark__ALL.a

# ---- the reference pipeline with the storage that the drop-in has, for its registers: not optimised, it takes no frames

CONFIG_sume := 5 256 16384 8188 9216 0 0 0 0 0

$(SIM_BUILD)/netfpga/%/Vtruemark__ALL.a: $(RTL_SOURCES) $(wildcard rtl/netfpga/*.f) sim/build.mk sw/src/truemark_dev/cpp.py
	@mkdir -p $(@D)
	$(VERILATOR) $(VERILATOR_FLAGS) --top-module tm_reference_switch --prefix Vtruemark \
	  $(filter-out -GMAX_FRAME=% -GSTORE_AND_FORWARD=%,$(call config_verilog,$*)) -Mdir $(@D) -F $(RTL_DIR)/netfpga/$*.f
	$(subst -O2,-O0,$(COMPILE_VERILATED))

build/lib/libtruemark_netfpga_%.so: $(SIM_BUILD)/netfpga/%/Vtruemark__ALL.a $(ENGINE_OBJECTS) $(SIM_HEADERS) \
  $(PIPELINE_ENGINE)
	@mkdir -p $(@D)
	$(CXX) $(SIM_CXXFLAGS) $(call config_macros,$*) $(VERILATED_INCLUDE) -I$(<D) -shared -o $@ \
	  $(PIPELINE_ENGINE) $(ENGINE_OBJECTS) $<

DEMO_LIBS := build/lib/libtruemark_model.so build/lib/libtruemark_rtl_shallow_flags.so
TEST_LIBS := $(DEMO_LIBS) $(foreach config,shallow_flags full,build/lib/libtruemark_both_$(config).so) \
  build/lib/libtruemark_netfpga_sume.so

ENGINE_LIBS := $(TEST_LIBS) $(foreach config,deep_flags full full_deep,build/lib/libtruemark_rtl_$(config).so)

.PHONY: engines
engines: $(ENGINE_LIBS) ## every engine library the host tool can use

.SECONDARY:

# ---- lockstep: several builds at random, cycle by cycle (WAVES=1: able to write a waveform)

CONFIG_ls512  := 2 512 160 24 9216 0 0 0 0 0 rewrite
CONFIG_ls256  := 5 256 320 40 9216 0 1 0 0 0
CONFIG_ls64   := 1 64 1300 60 9216 0 1 0 0 0
CONFIG_ls64w  := 1 64 1300 60 9216 0 1 0 0 0 rewrite
CONFIG_ls128  := 2 128 120 20 1600 1 1 0 0 0
CONFIG_ls1024 := 16 1024 80 30 9216 0 0 0 0 0
CONFIG_ls256s := 2 256 300 50 9216 1 0 0 0 0
CONFIG_ls256one := 1 256 13849 5001 9216 0 0 0 0 0
CONFIG_ls512u := 2 512 160 24 9216 0 1 1 0 0
CONFIG_full256   := 5 256 320 40 9216 0 1 0 1 1
CONFIG_full512   := 2 512 160 24 9216 0 1 0 1 1
CONFIG_full64    := 1 64 1300 60 9216 0 1 0 1 1
CONFIG_full1024  := 16 1024 80 30 9216 0 1 0 1 1
CONFIG_full256s  := 2 256 300 50 9216 1 1 0 1 1
CONFIG_full256w  := 2 256 320 40 9216 0 1 0 1 1 rewrite
CONFIG_full512u  := 2 512 160 24 9216 0 1 1 1 1
CONFIG_red256    := 2 256 320 40 9216 0 1 0 1 0
CONFIG_linux256  := 5 256 320 40 9216 0 1 0 2 1
CONFIG_linux512  := 2 512 160 24 9216 0 1 0 2 0
CONFIG_codel128  := 2 128 120 20 1600 0 0 0 0 1

LOCKSTEP_SHORT := ls512 ls256 ls64 ls128 full512
LOCKSTEP_ALL := $(LOCKSTEP_SHORT) ls64w ls1024 ls256s ls512u red256 codel128 full256 full64 full1024 full256s full256w \
  linux256 linux512
LOCKSTEP_BUILD := $(SIM_BUILD)/lockstep$(if $(WAVES),-waves)
LOCKSTEP_SEED ?= 1
LOCKSTEP_PARTS := $(addprefix sim/,lockstep/lockstep lockstep/main dut/rtl_build dut/rtl_pins dut/axil_master)
LOCKSTEP_COMMON := $(addprefix $(SIM_BUILD)/lockstep/,arrivals.o world.o world_coverage.o headers.o traffic.o host.o \
  host_checks.o random_config.o) \
  $(addprefix $(SIM_BUILD)/model/,cycles/port_cycles.o cycles/red_cycles.o cycles/codel_cycles.o framer.o parse.o rewrite.o average.o codel.o shadow.o) $(SIM_BUILD)/engine/describe.o

$(LOCKSTEP_BUILD)/%/Vtruemark__ALL.a: $(RTL_SOURCES) sim/dut/registered_pins.sv sim/build.mk sw/src/truemark_dev/cpp.py
	@mkdir -p $(@D)
	$(VERILATOR) $(VERILATOR_FLAGS) --top-module registered_pins --prefix Vtruemark $(if $(WAVES),--trace-vcd) \
	  $(call config_verilog,$*) -Mdir $(@D) -F $(RTL_DIR)/truemark.f sim/dut/registered_pins.sv
	$(COMPILE_VERILATED)

$(LOCKSTEP_BUILD)/%/lockstep: $(LOCKSTEP_BUILD)/%/Vtruemark__ALL.a $(LOCKSTEP_PARTS:%=%.cpp) $(SIM_HEADERS) $(LOCKSTEP_COMMON)
	@set -e; for part in $(LOCKSTEP_PARTS); do \
	  $(CXX) $(SIM_CXXFLAGS) $(call config_macros,$*) -DTM_WAVES=$(if $(WAVES),1,0) -DTM_REGISTERED=1 $(VERILATED_INCLUDE) -I$(@D) \
	    -c -o $(@D)/$$(basename $$part).o $$part.cpp; \
	done
	$(CXX) -o $@ $(foreach part,$(LOCKSTEP_PARTS),$(@D)/$(notdir $(part)).o) $(LOCKSTEP_COMMON) $<

# The same program for `make bench`, compiled for what it met in a first run. Two units: what Verilator wrote with its
# runtime and its pins, and the rest, optimised as one; of the archive only what runs once is taken. What a
# cycle runs through fills the first cache of a processor, so that nothing copies code (tracer, loops).
TUNED_RTL := verilated verilated_threads
TUNED_PINS := sim/dut/rtl_pins.cpp sim/dut/axil_master.cpp
TUNED_REST := $(filter-out $(TUNED_PINS),$(LOCKSTEP_PARTS:%=%.cpp)) $(LOCKSTEP_COMMON:$(SIM_BUILD)/%.o=sim/%.cpp)
TUNED_FLAGS := -O2 -flto -flto-partition=one -fno-tracer -fno-unroll-loops -fno-peel-loops
TUNED_COMPILE = -std=c++20 -w $(TUNED_FLAGS) $(call config_macros,$*) -DTM_WAVES=0 -DTM_REGISTERED=1 \
  $(VERILATED_INCLUDE) -I$(<D) -I. -DVERILATOR=1 -DVM_SC=0 -DVM_COVERAGE=0 -DVM_TIMING=0 -DVM_TRACE=0 -DVM_TRACE_VCD=0 -DVL_USER_STOP

$(SIM_BUILD)/tuned/%/lockstep: $(SIM_BUILD)/lockstep/%/Vtruemark__ALL.a $(TUNED_PINS) $(TUNED_REST) $(SIM_HEADERS)
	@mkdir -p $(@D)
	@rm -f $(@D)/*.gcda
	@{ cat $(<D)/fast.unit.cc; printf '#include "%s"\n' $(TUNED_RTL:%=%.cpp) $(TUNED_PINS); } > $(@D)/rtl.cc
	@printf '#include "%s"\n' $(TUNED_REST) > $(@D)/rest.cc
	@set -e; for step in generate use; do \
	  for unit in rtl rest; do $(CXX) $(TUNED_COMPILE) -fprofile-$$step -c -o $(@D)/$$unit.o $(@D)/$$unit.cc; done; \
	  $(CXX) $(TUNED_FLAGS) -fprofile-$$step -o $@-$$step $(@D)/rtl.o $(@D)/rest.o $<; \
	  if [ $$step = generate ]; then $@-generate --frames 30000 --seed 7 --lengths imix > /dev/null; fi; \
	done
	@mv $@-use $@

lockstep-run = @set -e; for config in $(1); do $(LOCKSTEP_BUILD)/$$config/lockstep --frames $(2) --seed $(LOCKSTEP_SEED); done

.PHONY: lockstep-short lockstep
lockstep-short: $(LOCKSTEP_SHORT:%=$(LOCKSTEP_BUILD)/%/lockstep) ## 10^6 random frames, RTL against model, cycle by cycle
	$(call lockstep-run,$(LOCKSTEP_SHORT),200000)

.PHONY: lockstep-mutants
lockstep-mutants: ## build the RTL with one fault at a time and expect lockstep to find each
	$(or $(PY),python3) sim/lockstep/mutants.py

lockstep: $(LOCKSTEP_ALL:%=$(LOCKSTEP_BUILD)/%/lockstep) ## the same with 10^7 frames and more builds
	$(call lockstep-run,$(LOCKSTEP_ALL),720000)
