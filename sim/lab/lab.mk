# SPDX-License-Identifier: BSD-3-Clause
# The network lab's runner: linked to ns-3, hence GPL-2.0-only (sim/lab/ns3/LICENSE). Included by the top Makefile.
#
# ns-3's wheel is 69 MB and needs no Python to be linked to, so it is unpacked beside the tools and not installed among
# them; the wheel for Python 3.11 serves every Python.

NS3 := $(VENV)/ns3
NS3_READY := $(NS3)/ready
LAB_SOURCES := $(wildcard sim/lab/ns3/*.cpp)
LAB_OBJECTS := $(LAB_SOURCES:sim/lab/ns3/%.cpp=build/lab/%.o)
# The wheel is built with assertions and logging; its headers must be read as its libraries were.
LAB_CXXFLAGS := -std=c++20 -O2 -Wall -Wextra -DNS3_ASSERT_ENABLE -DNS3_LOG_ENABLE -isystem $(NS3)/ns3/include
LAB_LIBS := $(addprefix -lns3.44-,point-to-point internet traffic-control network core)
LAB_RUNNER := build/lab/lab-runner

# A newer file of the same content, as a checkout makes it, installs nothing.
$(NS3_READY): sim/lab/ns3/requirements.lock | $(READY)
	@cmp -s $< $(NS3)/requirements.lock || { set -ex; rm -rf $(NS3).part; \
	  $(PY) -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes --only-binary=:all: \
	    --implementation cp --python-version 3.11 --abi cp311 --platform manylinux_2_28_x86_64 --target $(NS3).part -r $<; \
	  cp $< $(NS3).part/requirements.lock; rm -rf $(NS3); mv $(NS3).part $(NS3); }
	@touch $@

build/lab/%.o: sim/lab/ns3/%.cpp $(wildcard sim/lab/ns3/*.h) sim/engine/truemark.h $(NS3_READY)
	@mkdir -p $(@D)
	$(CXX) $(LAB_CXXFLAGS) -c -o $@ $<

$(LAB_RUNNER): $(LAB_OBJECTS)
	$(CXX) -o $@ $^ -L$(NS3)/ns3/lib64 $(LAB_LIBS) -ldl -Wl,-rpath,$(NS3)/ns3/lib64

.PHONY: lab-runner
lab-runner: $(LAB_RUNNER) build/lib/libtruemark_model.so ## the network lab's runner (real TCP of ns-3 through the engines)

# One after the other, also when a run of one fails; each goes on where it was interrupted. LAB_SWEEPS="theory ladder"
# takes a part.
LAB_SWEEPS ?= shuffle-policies hadoop-headline hadoop-dctcp theory dctcp-example-sweep ladder tornado hadoop-grid \
  dual-step-sweep dual-slope-sweep dual-step-others background-sweep background-rounds incast-sweep probes-sweep \
  queries-sweep short-flows-sweep shuffle-apart-sweep

.PHONY: lab
lab: lab-runner ## the papers' experiments in reduced form; one page in build/lab/results/report
	trap 'exit 130' INT; failed=; for sweep in $(LAB_SWEEPS); do \
	  $(VENV)/bin/truemark lab sweep sim/lab/scenarios/$$sweep.toml --workers $(WORKERS) || failed="$$failed $$sweep"; done; \
	$(VENV)/bin/truemark lab report build/lab/results || exit; \
	test -z "$$failed" || { echo "runs failed in:$$failed; the page names them" >&2; exit 1; }

.PHONY: lab-bench
lab-bench: lab-runner ## what the lab costs: CPU time against ns-3's own RED, gain of a second worker
	$(PY) sim/lab/bench.py
