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

device-test-programs: $(BUILD)/tests/run-kernel $(BUILD)/tests/placed-points $(instrument_program) $(device_libraries) $(BUILD)/device-launches-trace
.PHONY: device-test-programs

# Writes a trace of launches on a GPU that nobody has, for the tests of what is told of them.
$(BUILD)/device-traces/launches_trace.o: tests/device/launches_trace.cpp $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CPPFLAGS) -I$(CORRELATE_DIR) -Iuserspace -Itests/unit $(CORRELATE_CXXFLAGS) $(CXXFLAGS) -c -o $@ $<

$(BUILD)/device-launches-trace: $(BUILD)/device-traces/launches_trace.o $(UNIT_OBJ)/ctf_writer.o $(BUILD)/liblttng-gpu-correlate.a
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CXXFLAGS) $(LDFLAGS) -o $@ $^ $(CORRELATE_LIBS)

-include $(BUILD)/device-traces/launches_trace.d
