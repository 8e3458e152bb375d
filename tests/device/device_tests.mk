# SPDX-License-Identifier: MIT
# What tests/device needs; included by the Makefile at the top.

$(BUILD)/tests/run-kernel: tests/device/run_kernel.cpp
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(WARNINGS) -std=c++17 $(CXXFLAGS) $(LDFLAGS) -o $@ $< -lOpenCL

# A CUDA C++ program on the host: its threads are the host's.
$(BUILD)/tests/placed-points: tests/device/cuda/placed.cu tests/device/cuda/cuda_runtime.h $(wildcard userspace/instrument/header/*.h)
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(WARNINGS) -std=c++17 $(CXXFLAGS) $(LDFLAGS) -x c++ -Itests/device/cuda -Iuserspace/instrument/header -o $@ $< -x none -ldl -pthread

device-test-programs: $(BUILD)/tests/run-kernel $(BUILD)/tests/placed-points $(instrument_program) $(device_libraries)
.PHONY: device-test-programs
