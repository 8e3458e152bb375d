# SPDX-License-Identifier: MIT
#
# Fuzz targets of the correlator's readers (libFuzzer); included by the Makefile at
# the top of the tree after userspace/correlate/correlate.mk. tests/fuzz/NAME.cpp
# with seeds in tests/fuzz/corpus/NAME gives $(BUILD)/fuzz/NAME; a new one is one
# line here: its sources, as patterns below userspace/correlate.

fuzz_tsdl := trace/ctf/metadata/*.cpp trace/enumeration_table.cpp trace/mapped_file.cpp trace/metadata_packets.cpp base/*.cpp
fuzz_ctf2 := $(fuzz_tsdl)
fuzz_packet := trace/ctf/*.cpp trace/ctf/metadata/*.cpp trace/enumeration_table.cpp trace/mapped_file.cpp \
	trace/metadata_packets.cpp trace/trace_discovery.cpp trace/wanted_pattern.cpp base/*.cpp
fuzz_ftrace_text := trace/ftrace/*.cpp trace/perfetto/*.cpp trace/open/*_ftrace.cpp \
	trace/open/foreign_form.cpp trace/open/text_head.cpp trace/wanted_pattern.cpp base/*.cpp
fuzz_trace_dat := $(fuzz_ftrace_text)
fuzz_perfetto := $(fuzz_ftrace_text)
fuzz_device_records := device/unpack.cpp device/warps.cpp

FUZZ_DIR := tests/fuzz
FUZZ_OBJ := $(BUILD)/fuzz/obj
FUZZ_CXX ?= clang++
FUZZ_CXXFLAGS := $(CXX_STANDARD) -g -O1 -fsanitize=fuzzer-no-link,address,undefined \
	-fno-sanitize-recover=undefined -Wall -Wextra -Wshadow -I$(CORRELATE_DIR) -isystem $(PERFETTO_DIR) -I$(FAMILIES_DIR) -MMD -MP
FUZZ_LDFLAGS := -fsanitize=fuzzer,address,undefined
FUZZ_LIBS := $(PROTOBUF_LIBRARY) -lzstd -lz
# Found inputs are kept here, outside the tree.
FUZZ_WORK := $(BUILD)/fuzz/work
SECONDS ?= 60

fuzz_names := $(patsubst fuzz_%,%,$(filter-out fuzz_names fuzz_programs fuzz_objects,$(filter fuzz_%,$(.VARIABLES))))
fuzz_programs := $(fuzz_names:%=$(BUILD)/fuzz/%)

# The objects of one target.
fuzz_objects = $(patsubst $(CORRELATE_DIR)/%.cpp,$(FUZZ_OBJ)/%.o,$(sort $(wildcard $(addprefix $(CORRELATE_DIR)/,$(fuzz_$(1))))))

$(FUZZ_OBJ)/%.o: $(CORRELATE_DIR)/%.cpp $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(FUZZ_CXX) $(FUZZ_CXXFLAGS) -c -o $@ $<

$(patsubst $(CORRELATE_DIR)/%.cpp,$(FUZZ_OBJ)/%.o,$(wildcard $(CORRELATE_DIR)/trace/perfetto/*.cpp)): | $(PERFETTO_CODE)

$(FUZZ_OBJ)/perfetto.pb.o: $(PERFETTO_DIR)/perfetto.pb.cc $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(FUZZ_CXX) $(FUZZ_CXXFLAGS) -c -o $@ $<

$(BUILD)/fuzz/ftrace_text $(BUILD)/fuzz/trace_dat $(BUILD)/fuzz/perfetto: $(FUZZ_OBJ)/perfetto.pb.o

$(FUZZ_OBJ)/target/%.o: $(FUZZ_DIR)/%.cpp $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(FUZZ_CXX) $(FUZZ_CXXFLAGS) -c -o $@ $<

.SECONDEXPANSION:
$(fuzz_programs): $(BUILD)/fuzz/%: $(FUZZ_OBJ)/target/%.o $$(call fuzz_objects,$$*)
	@echo "  LD   $@"
	$(Q)$(FUZZ_CXX) $(FUZZ_LDFLAGS) -o $@ $^ $(FUZZ_LIBS) $(FMT_LIBRARY)

fuzz: $(fuzz_programs) ## each reader with inputs made up by libFuzzer, TAP (SECONDS=60 for each)
	@tests/fuzz/run $(SECONDS) $(BUILD)/fuzz $(fuzz_names)

fuzz-programs: $(fuzz_programs)

.PHONY: fuzz fuzz-programs
-include $(wildcard $(FUZZ_OBJ)/*.d $(FUZZ_OBJ)/*/*.d $(FUZZ_OBJ)/*/*/*.d)
