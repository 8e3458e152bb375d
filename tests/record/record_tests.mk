# SPDX-License-Identifier: MIT
# The OpenCL program that tests/record records; included by the Makefile at the top.

$(BUILD)/cl-commands: tests/record/cl_commands.cpp
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CXX_STANDARD) $(WARNINGS) $(CXXFLAGS) $(LDFLAGS) -o $@ $< -lOpenCL -pthread

# Programs that die while they write events.
DYING_DIR := tests/record/dying
DYING_OBJ := $(BUILD)/tests/record/dying

$(DYING_OBJ)/provider.o: $(DYING_DIR)/provider.c $(DYING_DIR)/provider.h
	@mkdir -p $(@D)
	@echo "  CC   $@"
	$(Q)$(CC) -O2 -g -I. -I$(DYING_DIR) -c -o $@ $<

$(BUILD)/dies-writing: $(DYING_DIR)/dies_writing.cpp
$(BUILD)/ends-writing: $(DYING_DIR)/ends_writing.cpp
$(BUILD)/dies-writing $(BUILD)/ends-writing: $(DYING_OBJ)/provider.o
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CXX_STANDARD) $(CXXFLAGS) $(LDFLAGS) -I. -o $@ $^ -llttng-ust -ldl -pthread

$(BUILD)/slow-answer.so: $(DYING_DIR)/slow_answer.c
	@mkdir -p $(@D)
	@echo "  CC   $@"
	$(Q)$(CC) -std=gnu11 $(filter-out -Wnon-virtual-dtor -Woverloaded-virtual -Wpedantic,$(WARNINGS)) $(CXXFLAGS) -fPIC -shared $(LDFLAGS) -o $@ $< -ldl

# More of what make check does once.
check-reliability: check-reliability-programs
check-reliability-programs: ## programs, daemons and disks that fail while record runs (ROUNDS=N, KILLS=N)
	@scripts/install-dependencies
	@$(MAKE) $(PARALLEL) --no-print-directory programs $(BUILD)/ust-events $(BUILD)/dies-writing $(BUILD)/ends-writing $(BUILD)/slow-answer.so
	@ROUNDS=$(or $(ROUNDS),7) KILLS=$(or $(KILLS),200) tests/record/faults.py $(BUILD)/lttng-gpu $(BUILD)
	@KILLS=$(or $(KILLS),200) tests/record/endings.py $(BUILD)/lttng-gpu $(BUILD) died_writing killed_at_random
	@tests/record/waits.py $(BUILD)/lttng-gpu $(BUILD)
	@tests/record/disks.py $(BUILD)/lttng-gpu $(BUILD)

.PHONY: check-reliability check-reliability-programs
