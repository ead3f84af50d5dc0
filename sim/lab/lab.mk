# SPDX-License-Identifier: BSD-3-Clause
# The network lab's runner: linked to ns-3, hence GPL-2.0-only (sim/lab/ns3/LICENSE). Included by the top Makefile.

.PHONY: lab-runner
lab-runner: ## the network lab's runner (ns-3's TCP through the engines)
	$(PY) -m truemark_dev.build lab-runner engine:model

# A sweep, or what its claims of the papers need. One after the other, also when a run of one fails; each goes on where it was
# interrupted, and takes a run that another has made. LAB_SWEEPS="theory ladder" takes a part. The everyday form is README's policies and
# all claims whose runs take seconds; of the rest single runs take minutes (probes, background), or hundreds of runs do.
LAB_SWEEPS ?= shuffle-policies hadoop-headline:claimed hadoop-ns2:claimed hadoop-others:claimed hadoop-dctcp:claimed \
  dual-step-rule:claimed dual-slope-rule:claimed two-renos:claimed incast-sweep:claimed few-segments:claimed \
  ten-gigabit:claimed pool-greedy pool-incast-sweep short-flows-sweep:claimed queries-sweep:claimed theory dctcp-example-sweep
LAB_FULL = hadoop-headline hadoop-ns2 hadoop-others hadoop-dctcp hadoop-codel hadoop-tasks hadoop-tasks-others hadoop-hosts \
  hadoop-hosts-others hadoop-hosts-seeds hadoop-hosts-tasks hadoop-hosts-drops hadoop-hosts-window hadoop-no-ecn-window hadoop-short-window hadoop-whole hadoop-whole-at-once hadoop-deep-tasks hadoop-tasks-seeds hadoop-large hadoop-large-window hadoop-units many-to-one-sweep many-to-one-window dual-step-rule dual-slope-rule two-renos incast-sweep incast-inet few-segments ten-gigabit short-flows-sweep short-flows-inet \
  queries-sweep queries-open lossless-sweep pool-incast-lossless pool-shuffle-sweep pool-shuffle-at-once pool-shuffle-priorities shuffle-apart-sweep shuffle-whole b-eff-sweep ladder tornado hadoop-grid dual-step-sweep dual-slope-sweep dual-step-others window-trace window-trace-seeds \
  background-round background-tc-round background-vcc background-vcc-pairs background-vcc-sizes background-trace background-sweep background-tc-rounds background-tc-pairs background-tc-seeds probes-sweep \
  hadoop-causes background-causes probes-causes lossless-causes dual-causes

# Where runs are kept, and found again; the figures of the documents are of this one.
LAB_STORE ?= build/lab/results

.PHONY: lab lab-full
lab: lab-runner ## the papers' experiments in reduced form; one page in LAB_STORE/report
	trap 'exit 130' INT; failed=; for sweep in $(LAB_SWEEPS); do \
	  claimed=; [ $$sweep = $${sweep%:claimed} ] || claimed=--claimed; sweep=$${sweep%:claimed}; \
	  $(VENV)/bin/truemark lab sweep sim/lab/scenarios/$$sweep.toml $$claimed --out "$(LAB_STORE)/$$sweep" --workers $(WORKERS) || failed="$$failed $$sweep"; done; \
	$(VENV)/bin/truemark lab report "$(LAB_STORE)" || exit; \
	$(VENV)/bin/truemark lab papers "$(LAB_STORE)" || exit; \
	test -z "$$failed" || { echo "runs failed in:$$failed; the page names them" >&2; exit 1; }

lab-full: ## the same, and all else: every point, every seed; hours, goes on where it was interrupted
	$(MAKE) lab LAB_SWEEPS="$(filter-out %:claimed,$(LAB_SWEEPS)) $(LAB_FULL)"

.PHONY: lab-bench
lab-bench: lab-runner ## what the lab costs: CPU time against ns-3's own RED, gain of a second worker
	$(PY) -m sim.lab.bench
