# SPDX-License-Identifier: MIT
# What tests/device needs; included by the Makefile at the top.

$(BUILD)/tests/run-kernel: tests/device/run_kernel.cpp
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(WARNINGS) -std=c++17 $(CXXFLAGS) $(LDFLAGS) -o $@ $< -lOpenCL

# Programs made in odd ways, and a driver that refuses what has the recorder in it.
$(BUILD)/tests/odd-programs: tests/device/odd_programs.cpp
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(WARNINGS) -std=c++17 $(CXXFLAGS) $(LDFLAGS) -o $@ $< -lOpenCL

# Programs on several devices, and a driver that keeps what it built for each of them.
$(BUILD)/tests/several-devices: tests/device/several_devices.cpp
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(WARNINGS) -std=c++17 $(CXXFLAGS) $(LDFLAGS) -o $@ $< -lOpenCL

$(BUILD)/tests/librefusing-driver.so $(BUILD)/tests/libkeeping-driver.so: $(BUILD)/tests/lib%-driver.so: tests/device/driver/%_driver.cpp tests/opencl/driver/wrapped_pocl.hpp $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(WARNINGS) -std=c++17 $(CXXFLAGS) -Itests -fPIC -shared -fvisibility=hidden $(LDFLAGS) -o $@ $< -ldl

# A CUDA C++ program on the host: its threads are the host's.
$(BUILD)/tests/placed-points: tests/device/cuda/placed.cu tests/device/cuda/cuda_runtime.h $(wildcard userspace/instrument/header/*.h)
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(WARNINGS) -std=c++17 $(CXXFLAGS) $(LDFLAGS) -x c++ -Itests/device/cuda -Iuserspace/instrument/header -o $@ $< -x none -ldl -pthread

device-test-programs: $(BUILD)/tests/run-kernel $(BUILD)/tests/odd-programs $(BUILD)/tests/several-devices $(BUILD)/tests/librefusing-driver.so $(BUILD)/tests/libkeeping-driver.so $(BUILD)/tests/placed-points $(if $(instrument_program),$(BUILD)/tests/warp-lockstep) $(instrument_program) $(device_libraries) $(BUILD)/device-launches-trace
.PHONY: device-test-programs

# The recorder's code for warps on the CPU. Without optimisation: a compiler may not join what is at two places.
LOCKSTEP := $(BUILD)/tests/lockstep
lockstep_flags := $(WARNINGS) -Wno-unused-function -Wno-unused-parameter -Wno-implicit-fallthrough -O0 -g -fwrapv -fno-omit-frame-pointer -I$(LOCKSTEP) -Itests/device/lockstep -Iuserspace/instrument/header -Iuserspace/correlate -Iuserspace
lockstep_headers := $(wildcard tests/device/lockstep/*.hpp userspace/instrument/header/*.h) userspace/correlate/device/unpack.hpp userspace/preload/device/pack.hpp

$(LOCKSTEP)/recorded.inc $(LOCKSTEP)/noted.inc: $(LOCKSTEP)/%.inc: tests/device/lockstep/diverging.cl $(BUILD)/lttng-gpu-instrument
	@mkdir -p $(@D)
	@echo "  GEN  $@"
	$(Q)$(BUILD)/lttng-gpu-instrument --bare --warps --points all $(if $(filter noted,$*),--each-pass) <$< | sed '1,/^source /d' >$@

$(LOCKSTEP)/recorded.o: $(LOCKSTEP)/recorded.inc
$(LOCKSTEP)/noted.o: $(LOCKSTEP)/noted.inc
# C++17: a value assigned to what is volatile is a value there, as in OpenCL C.
$(LOCKSTEP)/recorded.o $(LOCKSTEP)/noted.o: $(LOCKSTEP)/%.o: tests/device/lockstep/%.cpp $(lockstep_headers)
	@echo "  CXX  $@"
	$(Q)$(CXX) -std=c++17 $(lockstep_flags) -c -o $@ $<

$(LOCKSTEP)/main.o $(LOCKSTEP)/warp.o: $(LOCKSTEP)/%.o: tests/device/lockstep/%.cpp $(lockstep_headers)
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) -std=c++20 $(lockstep_flags) -c -o $@ $<

$(BUILD)/tests/warp-lockstep: $(addprefix $(LOCKSTEP)/,main.o warp.o recorded.o noted.o) $(BUILD)/liblttng-gpu-correlate.a
	@echo "  LD   $@"
	$(Q)$(CXX) -o $@ $^

# Writes a trace of launches on a GPU that nobody has, for the tests of what is told of them.
$(BUILD)/device-traces/launches_trace.o: tests/device/launches_trace.cpp $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CPPFLAGS) -I$(CORRELATE_DIR) -Iuserspace -Itests/unit $(CORRELATE_CXXFLAGS) $(CXXFLAGS) -c -o $@ $<

$(BUILD)/device-launches-trace: $(BUILD)/device-traces/launches_trace.o $(UNIT_OBJ)/ctf_writer.o $(BUILD)/liblttng-gpu-correlate.a
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CXXFLAGS) $(LDFLAGS) -o $@ $^ $(CORRELATE_LIBS)

-include $(BUILD)/device-traces/launches_trace.d
