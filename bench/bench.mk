# SPDX-License-Identifier: MIT
# Programs that the benchmarks run; included by the Makefile at the top after tests/unit/unit.mk.

$(BUILD)/make_trace: bench/make_trace.cpp $(UNIT_OBJ)/ctf_writer.o
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CORRELATE_CXXFLAGS) $(CXXFLAGS) $(LDFLAGS) -o $@ $^

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

.PHONY: bench-probes

# What the correlator's model costs per event.
$(BUILD)/bench/track: bench/model/track.cpp $(BUILD)/liblttng-gpu-correlate.a
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CPPFLAGS) -I$(CORRELATE_DIR) $(CORRELATE_CXXFLAGS) $(CXXFLAGS) $(LDFLAGS) -o $@ $^ $(CORRELATE_LIBS)
