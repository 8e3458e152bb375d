# SPDX-License-Identifier: MIT
#
# The correlator, to be included by the Makefile at the top of the tree; all
# paths are relative to it. Gives $(BUILD)/liblttng-gpu-correlate.a (everything
# but main) and $(BUILD)/lttng-gpu. The includer may add to WARNINGS, for example -Werror.

BUILD ?= build
CXXFLAGS ?= -O2 -g
LTTNG_GPU_VERSION ?= 0.1.0

CORRELATE_DIR := userspace/correlate
CORRELATE_OBJ := $(BUILD)/correlate
CORRELATE_CXXFLAGS := -std=c++20 -Wall -Wextra -Wpedantic -Wshadow -Wconversion $(WARNINGS) -MMD -MP \
	-DLTTNG_GPU_VERSION='"$(LTTNG_GPU_VERSION)"'
FMT_LIBRARY ?= -lfmt
CORRELATE_LIBS := -lbabeltrace2 $(FMT_LIBRARY) -lzstd -lz

correlate_sources := $(sort $(wildcard $(CORRELATE_DIR)/*/*.cpp $(CORRELATE_DIR)/*/*/*.cpp))
correlate_objects := $(correlate_sources:$(CORRELATE_DIR)/%.cpp=$(CORRELATE_OBJ)/%.o)
correlate_main := $(CORRELATE_OBJ)/main.o

$(CORRELATE_OBJ)/%.o: $(CORRELATE_DIR)/%.cpp
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CPPFLAGS) $(CORRELATE_CXXFLAGS) $(CXXFLAGS) -c -o $@ $<

# Made anew each time: an object whose source is gone must not stay inside.
$(BUILD)/liblttng-gpu-correlate.a: $(correlate_objects)
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

$(BUILD)/lttng-gpu: $(correlate_main) $(BUILD)/liblttng-gpu-correlate.a
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CXXFLAGS) $(LDFLAGS) -o $@ $^ $(CORRELATE_LIBS)

-include $(correlate_objects:.o=.d) $(correlate_main:.o=.d)
