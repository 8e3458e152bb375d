# SPDX-License-Identifier: MIT
# Machines that sleep, lose a CPU or their power; included by the Makefile at the
# top. Other .mk files may give check-reliability more to do.

check-reliability: check-reliability-kernel ## recordings on a machine that sleeps or loses CPUs or power

check-reliability-kernel:
	@scripts/install-dependencies
	@$(MAKE) $(PARALLEL) --no-print-directory programs
	@tests/reliability/interrupted.py $(BUILD)/lttng-gpu $(or $(LANE),trixie) $(BUILD)/reliability

.PHONY: check-reliability check-reliability-kernel
