# SPDX-License-Identifier: MIT
# Readers with more than they will ever meet; included by the Makefile at the top. make check does a part of it.

check-reliability: check-reliability-readers
check-reliability-readers: ## a million processes, rings and contexts, 100 000 files; what the fuzzers found: bounded memory
	@$(MAKE) $(PARALLEL) --no-print-directory $(BUILD)/lttng-gpu
	@LONG=1 tests/hostile/test_scale.py $(BUILD)/lttng-gpu
	@tests/hostile/test_corpora.py $(BUILD)/lttng-gpu $(FUZZ_WORK)

.PHONY: check-reliability check-reliability-readers
