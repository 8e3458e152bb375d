# SPDX-License-Identifier: MIT
# Programs that the benchmarks run; included by the Makefile at the top after tests/unit/unit.mk.

bench_correlate_objects = $(addprefix $(BUILD)/bench/correlate/,$(addsuffix .o,$(1)))

$(BUILD)/bench/correlate/%.o: bench/correlate/%.cpp $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CPPFLAGS) -I$(CORRELATE_DIR) $(CORRELATE_CXXFLAGS) $(CXXFLAGS) -c -o $@ $<

# A kernel-like GPU trace of any length.
$(BUILD)/make-trace: $(call bench_correlate_objects,make_trace gpu_load kernel_stream kernel_metadata)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CXXFLAGS) $(LDFLAGS) -o $@ $^

# What reading alone costs.
$(BUILD)/read-trace: $(call bench_correlate_objects,read_trace) $(BUILD)/liblttng-gpu-correlate.a
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CXXFLAGS) $(LDFLAGS) -o $@ $^ $(CORRELATE_LIBS)

# LTTng-UST's macros do not convert as carefully as we do.
$(BUILD)/ust-events: bench/correlate/ust_events.cpp bench/correlate/ust_events_provider.h
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CXX_STANDARD) $(WARNINGS) $(CXXFLAGS) -I. $(LDFLAGS) -o $@ $< -llttng-ust -ldl -pthread

-include $(wildcard $(BUILD)/bench/correlate/*.d)

$(BUILD)/bench/bpf-record: bench/probes/bpf/bpf-record.cpp
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CXX_STANDARD) $(WARNINGS) $(CXXFLAGS) -static -o $@ $< -lbpf -lelf -lz

$(BUILD)/bench/record.bpf.o: bench/probes/bpf/record.bpf.c
	@mkdir -p $(@D)
	@echo "  BPF  $@"
	$(Q)$(CLANG) -O2 -g -target bpf -mcpu=v3 -Wall -isystem /usr/include/$(shell $(CC) -print-multiarch) -c -o $@ $<

CLANG ?= clang

bench-probes: ## what a traced event costs in the kernel (LANE=trixie|sid|bookworm)
	@scripts/install-dependencies
	@$(MAKE) $(PARALLEL) --no-print-directory $(BUILD)/fire-plan $(BUILD)/btf-layout $(BUILD)/bench/bpf-record \
	    $(BUILD)/bench/record.bpf.o
	@bench/probes/run $(or $(LANE),trixie)

bench-correlate: ## what reading and correlating costs, relative to babeltrace2 (ROUNDS=, LTTNG_GPU_CACHE=)
	@scripts/install-dependencies
	@$(MAKE) $(PARALLEL) --no-print-directory $(BUILD)/lttng-gpu $(BUILD)/make-trace $(BUILD)/read-trace $(BUILD)/ust-events
	@bench/correlate/run

.PHONY: bench-probes bench-correlate

$(BUILD)/bench/report-build: bench/report/build.cpp $(BUILD)/liblttng-gpu-correlate.a
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) -I$(CORRELATE_DIR) $(CORRELATE_CXXFLAGS) $(CXXFLAGS) $(LDFLAGS) -o $@ $^ $(CORRELATE_LIBS)

bench-report: $(BUILD)/bench/report-build ## what the report costs per job, and that its memory is bounded
	@for jobs in 1000 10000; do $< $$jobs; done

.PHONY: bench-report

# What the correlator's jobs cost per event.
$(BUILD)/bench/track: bench/jobs/track.cpp $(BUILD)/liblttng-gpu-correlate.a
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CPPFLAGS) -I$(CORRELATE_DIR) $(CORRELATE_CXXFLAGS) $(CXXFLAGS) $(LDFLAGS) -o $@ $^ $(CORRELATE_LIBS)

$(BUILD)/bench/libempty-layer.so: bench/opencl/empty_layer.cpp
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) -std=c++17 $(WARNINGS) $(CXXFLAGS) -fPIC -shared $(LDFLAGS) -o $@ $<

# LTTng-UST's macros do not convert as carefully as we do.
$(BUILD)/bench/opencl-calls: bench/opencl/calls.cpp bench/opencl/bench_provider.h tests/opencl/programs/work.hpp
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) -std=c++17 -Wall -Wextra $(if $(CI),-Werror) $(CXXFLAGS) -I. $(LDFLAGS) -o $@ $< -lOpenCL -llttng-ust -ldl -pthread

bench-opencl: ## what OpenCL calls cost with the layer, loaded and tracing (ROUNDS=)
	@scripts/install-dependencies
	@$(MAKE) $(PARALLEL) --no-print-directory preload $(BUILD)/bench/libempty-layer.so $(BUILD)/bench/opencl-calls
	@bench/opencl/run

.PHONY: bench-opencl

# It has the functions of both libraries.
$(BUILD)/bench/empty-gl/libGLESv2.so.2: bench/gl/empty_library.c
	@mkdir -p $(@D)
	@echo "  CC   $@"
	$(Q)$(CC) $(WARNINGS) -O2 -fPIC -shared -Wl,-soname,$(@F) -o $@ $<

$(BUILD)/bench/gl-jump.so: bench/gl/jump_library.c
	@mkdir -p $(@D)
	@echo "  CC   $@"
	$(Q)$(CC) $(WARNINGS) -Wno-pedantic -O2 -fPIC -shared -fno-plt -o $@ $< -ldl

$(BUILD)/bench/gl-calls: bench/gl/calls.c $(BUILD)/bench/empty-gl/libGLESv2.so.2
	@echo "  CC   $@"
	$(Q)$(CC) $(WARNINGS) -O2 -o $@ $^

bench-gl: ## what OpenGL calls and frames cost with the layer, loaded and tracing (ROUNDS=, SCENE_ROUNDS=)
	@scripts/install-dependencies
	@$(MAKE) $(PARALLEL) --no-print-directory $(BUILD)/liblttng-gpu-gl.so $(BUILD)/liblttng-gpu-gl-provider.so $(BUILD)/bench/gl-calls $(BUILD)/bench/gl-jump.so
	@bench/gl/run

bench-kmscube: ## what a frame of kmscube costs with the OpenGL layer, on virtio_gpu in a guest (LANE=, KMSCUBE_ROUNDS=, FRAMES=)
	@scripts/install-dependencies
	@$(MAKE) $(PARALLEL) --no-print-directory programs
	@bench/gl/kmscube-in-guest

.PHONY: bench-gl bench-kmscube

$(BUILD)/bench/vulkan-calls: bench/vulkan/calls.c $(wildcard tests/vulkan/programs/*.h)
	@mkdir -p $(@D)
	@echo "  CC   $@"
	$(Q)$(CC) -std=gnu11 -Wall -Wextra $(if $(CI),-Werror) -Wno-unused-result $(CXXFLAGS) -I. $(LDFLAGS) -o $@ $< -lvulkan -pthread

bench-vulkan: ## what Vulkan calls cost with the layer, loaded and tracing (ROUNDS=)
	@scripts/install-dependencies
	@$(MAKE) $(PARALLEL) --no-print-directory preload $(BUILD)/bench/vulkan-calls
	@bench/vulkan/run

.PHONY: bench-vulkan

$(BUILD)/bench/hsa-calls: bench/hsa/calls.c tests/hsa/programs/packets.h
	@mkdir -p $(@D)
	@echo "  CC   $@"
	$(Q)$(CC) -std=gnu11 -Wall -Wextra $(if $(CI),-Werror) $(CXXFLAGS) -I. $(LDFLAGS) -o $@ $< -lhsa-runtime64

bench-hsa: ## what HSA calls cost with the layer, loaded and tracing, on the stand-in (ROUNDS=)
	@scripts/install-dependencies
	@$(MAKE) $(PARALLEL) --no-print-directory preload hsa-test-programs $(BUILD)/bench/hsa-calls
	@bench/hsa/run

# One after the other: each measures times. All run, also after a failure.
bench-api: ## what calls and frames of each API cost with its layer: OpenGL, Vulkan, OpenCL, HSA (ROUNDS=)
	@code=0; for api in gl kmscube vulkan opencl hsa; do echo "== $$api"; $(MAKE) --no-print-directory bench-$$api || code=1; done; echo "== all"; bench/api-figures; exit $$code

.PHONY: bench-hsa bench-api

# What bench/nvidia/record-opencl records.
$(BUILD)/bench/opencl-streams: bench/opencl/streams.cpp tests/opencl/programs/work.hpp
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) -std=c++17 $(WARNINGS) $(CXXFLAGS) -I. $(LDFLAGS) -o $@ $< -lOpenCL

bench-export: ## what export to other programs' formats costs per job (ROUNDS=)
	@$(MAKE) $(PARALLEL) --no-print-directory $(BUILD)/lttng-gpu $(BUILD)/make-trace
	@bench/export/run $(ROUNDS)

.PHONY: bench-export

bench-page: ## the page of a million jobs in Chromium: size, first picture, frames per second (JOBS=, ROUNDS=)
	@scripts/install-dependencies
	@$(MAKE) $(PARALLEL) --no-print-directory $(BUILD)/lttng-gpu $(BUILD)/simulate
	@bench/page/run

.PHONY: bench-page

bench-first-picture: ## how long after `view` begins the first picture of a long trace is there (EVENTS=, ROUNDS=)
	@scripts/install-dependencies
	@$(MAKE) $(PARALLEL) --no-print-directory $(BUILD)/lttng-gpu $(BUILD)/make-trace
	@bench/page/first-picture

.PHONY: bench-first-picture
