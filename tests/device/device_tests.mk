# SPDX-License-Identifier: MIT
# What tests/device needs; included by the Makefile at the top.

$(BUILD)/tests/run-kernel: tests/device/run_kernel.cpp
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(WARNINGS) -std=c++17 $(CXXFLAGS) $(LDFLAGS) -o $@ $< -lOpenCL

device-test-programs: $(BUILD)/tests/run-kernel $(instrument_program) $(device_libraries)
.PHONY: device-test-programs
