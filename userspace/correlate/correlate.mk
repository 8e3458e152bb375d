# SPDX-License-Identifier: MIT
#
# The correlator, to be included by the Makefile at the top of the tree; all
# paths are relative to it. Gives $(BUILD)/liblttng-gpu-correlate.a, to which the makefiles of
# the other folders of userspace/ add their objects. The includer may add to WARNINGS, for example -Werror.

BUILD ?= build
CXXFLAGS ?= -O2 -g
LTTNG_GPU_VERSION ?= 0.1.0

CORRELATE_DIR := userspace/correlate
CORRELATE_OBJ := $(BUILD)/correlate
# Position-independent, so that the babeltrace2 plugin takes the same objects. Hidden symbols cannot be replaced by those of
# another library, which is what makes -fPIC slow: calls stay direct and functions can be inlined.
CORRELATE_CXXFLAGS := -std=c++20 -Wall -Wextra -Wpedantic -Wshadow -Wconversion $(WARNINGS) -MMD -MP \
	-fPIC -fvisibility=hidden -DLTTNG_GPU_VERSION='"$(LTTNG_GPU_VERSION)"'
FMT_LIBRARY ?= -lfmt
PROTOBUF_LIBRARY ?= -lprotobuf
CORRELATE_LIBS := -lbabeltrace2 $(FMT_LIBRARY) $(PROTOBUF_LIBRARY) -lzstd -lz

# What of Perfetto's format is read; protoc makes code of it.
PERFETTO_PROTO := $(CORRELATE_DIR)/trace/perfetto/perfetto.proto
PERFETTO_DIR := $(BUILD)/perfetto
PERFETTO_CODE := $(PERFETTO_DIR)/perfetto.pb.cc $(PERFETTO_DIR)/perfetto.pb.h
CORRELATE_CXXFLAGS += -isystem $(PERFETTO_DIR)

# Each file that registers an event family is found by the function that does it, see drivers/event_family.hpp.
FAMILIES_DIR := $(BUILD)/families
FAMILIES_LIST := $(FAMILIES_DIR)/event_families.inc
event_families := $(sort $(shell sed -nE 's/^EventFamily (\w+)\(\)$$/\1/p' $(wildcard $(CORRELATE_DIR)/drivers/*.cpp)))
CORRELATE_CXXFLAGS += -I$(FAMILIES_DIR)
# Written only when it changes, so that only then something is built.
$(shell mkdir -p $(FAMILIES_DIR); printf 'FAMILY(%s)\n' $(event_families) | cmp -s - $(FAMILIES_LIST) || printf 'FAMILY(%s)\n' $(event_families) > $(FAMILIES_LIST))

correlate_sources := $(sort $(wildcard $(CORRELATE_DIR)/*/*.cpp $(CORRELATE_DIR)/*/*/*.cpp $(CORRELATE_DIR)/*/*/*/*.cpp))
correlate_objects := $(correlate_sources:$(CORRELATE_DIR)/%.cpp=$(CORRELATE_OBJ)/%.o)
perfetto_object := $(CORRELATE_OBJ)/perfetto.pb.o

# What each event passes through: gcc 12 at -O2 joins stores of neighbours into one of 16 bytes, for which whoever loads one
# of them soon after has to wait (store forwarding).
$(CORRELATE_OBJ)/trace/ctf/%.o: HOT_CXXFLAGS := -fno-tree-slp-vectorize

$(CORRELATE_OBJ)/%.o: $(CORRELATE_DIR)/%.cpp $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CPPFLAGS) $(CORRELATE_CXXFLAGS) $(HOT_CXXFLAGS) $(CXXFLAGS) -c -o $@ $<

$(PERFETTO_CODE) &: $(PERFETTO_PROTO)
	@mkdir -p $(PERFETTO_DIR)
	@echo "  PROTOC  $<"
	$(Q)protoc --proto_path=$(<D) --cpp_out=$(PERFETTO_DIR) $<

# Only these include it; later their .d files know.
$(filter $(CORRELATE_OBJ)/trace/perfetto/%,$(correlate_objects)): | $(PERFETTO_CODE)

$(perfetto_object): $(PERFETTO_DIR)/perfetto.pb.cc $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CPPFLAGS) -std=c++20 -fPIC -fvisibility=hidden $(CXXFLAGS) -c -o $@ $<

# Made anew each time: an object whose source is gone must not stay inside. Thin: it names the objects, which are not copied.
$(BUILD)/liblttng-gpu-correlate.a: $(correlate_objects) $(perfetto_object)
	@rm -f $@
	$(Q)$(AR) rcs --thin $@ $^

-include $(correlate_objects:.o=.d)
