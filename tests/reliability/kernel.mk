# SPDX-License-Identifier: MIT
# Kernels that look for their own errors, machines that sleep, lose a CPU or their power, and programs and daemons that die while
# the kernel is recorded; included by the Makefile at the top. Other .mk files may give check-reliability more to do.

check-reliability: check-reliability-kernel ## recordings on a machine that sleeps or loses CPUs or power, or while programs and daemons die; KERNEL=kasan|rt|stock-rt: kernel tests on a debug kernel, or on Debian's with PREEMPT_RT

check-reliability-kernel:
	@scripts/install-dependencies
	@$(MAKE) $(PARALLEL) --no-print-directory programs $(BUILD)/ust-events $(BUILD)/ends-writing
	@$(if $(KERNEL),tests/reliability/debug_kernel.py $(KERNEL),tests/reliability/interrupted.py $(BUILD)/lttng-gpu $(or $(LANE),trixie) $(BUILD)/reliability)
	@$(if $(KERNEL),,tests/reliability/kernel_faults.py $(BUILD)/lttng-gpu $(BUILD) $(or $(LANE),trixie) $(BUILD)/kernel-faults)

check-debug-kernels: ## every kernel test, and suspend and hotplug, on kernels with KASAN and lockdep, and with PREEMPT_RT, and on Debian's own with PREEMPT_RT; any complaint of theirs fails
	@$(MAKE) --no-print-directory check-reliability-kernel KERNEL="kasan rt stock-rt"

.PHONY: check-reliability check-reliability-kernel check-debug-kernels
