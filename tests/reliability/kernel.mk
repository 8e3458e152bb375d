# SPDX-License-Identifier: MIT
# Kernels that look for their own errors, and machines that sleep, lose a CPU or their power; included by the Makefile at the
# top. Other .mk files may give check-reliability more to do.

check-reliability: check-reliability-kernel ## recordings on a machine that sleeps or loses CPUs or power; KERNEL=kasan|rt: kernel tests on a debug kernel

check-reliability-kernel:
	@scripts/install-dependencies
	@$(MAKE) $(PARALLEL) --no-print-directory programs
	@$(if $(KERNEL),tests/reliability/debug_kernel.py $(KERNEL),tests/reliability/interrupted.py $(BUILD)/lttng-gpu $(or $(LANE),trixie) $(BUILD)/reliability)

.PHONY: check-reliability check-reliability-kernel
