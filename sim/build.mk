# SPDX-License-Identifier: BSD-3-Clause
# Rules of sim/: the golden model, the engines behind the C ABI, and lockstep. Included by the top Makefile.

CXX ?= g++
SIM_BUILD ?= build/sim
SIM_CXXFLAGS := -std=c++20 -O2 -g1 -fPIC -Wall -Wextra -fvisibility=hidden

MODEL_SOURCES := $(addprefix sim/model/,framer.cpp parse.cpp rewrite.cpp shadow.cpp control.cpp device.cpp)
ENGINE_SOURCES := $(addprefix sim/engine/,abi.cpp build.cpp model_engine.cpp)
SIM_HEADERS := $(wildcard sim/model/*.h sim/engine/*.h)
MODEL_OBJECTS := $(MODEL_SOURCES:sim/%.cpp=$(SIM_BUILD)/%.o)
ENGINE_OBJECTS := $(ENGINE_SOURCES:sim/%.cpp=$(SIM_BUILD)/%.o)

$(SIM_BUILD)/%.o: sim/%.cpp $(SIM_HEADERS)
	@mkdir -p $(@D)
	$(CXX) $(SIM_CXXFLAGS) -c -o $@ $<

build/lib/libtruemark_model.so: $(MODEL_OBJECTS) $(ENGINE_OBJECTS) $(SIM_BUILD)/engine/make_model.o
	@mkdir -p $(@D)
	$(CXX) -shared -o $@ $^

.PHONY: model-lib
model-lib: build/lib/libtruemark_model.so ## the golden model behind the C ABI
