# SPDX-License-Identifier: MIT
# What recording inside of kernels costs on an NVIDIA GPU, against ECL-Tracer's algorithm; included by the Makefile at the top.

DEVICE_BENCH := $(BUILD)/bench/device
device_bench_kernels := $(patsubst bench/device/kernels/%.cl,%,$(wildcard bench/device/kernels/*.cl))

$(BUILD)/bench/device-bench: bench/device/bench.cpp $(wildcard bench/device/records.* bench/device/works.*) userspace/correlate/device/unpack.cpp userspace/preload/device/pack.hpp
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CXX_STANDARD) $(WARNINGS) -Iuserspace -Iuserspace/correlate $(CXXFLAGS) $(LDFLAGS) -o $@ $(filter %.cpp,$^) -lOpenCL

# Everything that device-bench reads, for a machine that has a GPU and no libclang.
$(DEVICE_BENCH)/stamp: $(BUILD)/lttng-gpu-instrument $(wildcard bench/device/kernels/*.cl) bench/device/ecl.cl userspace/instrument/header/lttng_gpu_recorder.h
	@mkdir -p $(@D)
	$(Q)cp bench/device/kernels/*.cl bench/device/ecl.cl userspace/instrument/header/lttng_gpu_recorder.h $(@D)
	$(Q)for name in $(device_bench_kernels); do \
	    $< --bare --points branches <bench/device/kernels/$$name.cl | sed '1,/^source/d' >$(@D)/$$name.bare.cl && \
	    $< --bare --points branches --each-pass <bench/device/kernels/$$name.cl | sed '1,/^source/d' >$(@D)/$$name.each.cl && \
	    sed -E 's/^( *)(for|while) \(/\1#pragma unroll 1\n&/' bench/device/kernels/$$name.cl >$(@D)/$$name.rolled.cl || exit 1; done
	@touch $@

bench-device: $(BUILD)/bench/device-bench $(DEVICE_BENCH)/stamp ## what the device trace costs on an NVIDIA GPU, against ECL-Tracer's algorithm (ROUNDS=9)
	@$< $(DEVICE_BENCH) $(or $(ROUNDS),9)

# CUDA's header is not in Debian.
CUDA ?= /usr/local/cuda
$(BUILD)/bench/device-launch: bench/device/launch.cpp bench/device/works.cpp bench/device/works.hpp
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CXX_STANDARD) $(WARNINGS) -isystem $(CUDA)/include $(CXXFLAGS) $(LDFLAGS) -o $@ $(filter %.cpp,$^) -L$(CUDA)/lib64/stubs -lcuda

bench-device-limits: $(BUILD)/bench/device-bench $(BUILD)/bench/device-launch $(DEVICE_BENCH)/stamp ## what bounds those kernels, by the counters of NVIDIA's profiler ncu (CUDA=/usr/local/cuda)
	@bench/device/limits.py $(BUILD)/bench/device-bench $(BUILD)/bench/device-launch $(DEVICE_BENCH)

.PHONY: bench-device bench-device-limits
