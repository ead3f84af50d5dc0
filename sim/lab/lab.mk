# SPDX-License-Identifier: BSD-3-Clause
# The network lab's runner: linked to ns-3, hence GPL-2.0-only (sim/lab/ns3/LICENSE). Included by the top Makefile.

.PHONY: lab-runner
lab-runner: ## the network lab's runner (ns-3's TCP through the engines)
	$(PY) -m truemark_dev.build lab-runner engine:model

# One after the other, also when a run of one fails; each goes on where it was interrupted. LAB_SWEEPS="theory ladder"
# takes a part.
LAB_SWEEPS ?= shuffle-policies hadoop-headline hadoop-dctcp two-renos theory dctcp-example-sweep ladder tornado hadoop-grid \
  dual-step-sweep dual-slope-sweep dual-step-others background-sweep background-rounds incast-sweep probes-sweep \
  queries-sweep short-flows-sweep shuffle-apart-sweep

.PHONY: lab
lab: lab-runner ## the papers' experiments in reduced form; one page in build/lab/results/report
	trap 'exit 130' INT; failed=; for sweep in $(LAB_SWEEPS); do \
	  $(VENV)/bin/truemark lab sweep sim/lab/scenarios/$$sweep.toml --workers $(WORKERS) || failed="$$failed $$sweep"; done; \
	$(VENV)/bin/truemark lab report build/lab/results || exit; \
	$(VENV)/bin/truemark lab papers build/lab/results || exit; \
	test -z "$$failed" || { echo "runs failed in:$$failed; the page names them" >&2; exit 1; }

.PHONY: lab-bench
lab-bench: lab-runner ## what the lab costs: CPU time against ns-3's own RED, gain of a second worker
	$(PY) -m sim.lab.bench
