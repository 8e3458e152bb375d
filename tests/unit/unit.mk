# SPDX-License-Identifier: MIT
#
# The correlator's unit tests; included by the Makefile at the top of the tree
# after userspace/correlate/correlate.mk. Gives $(BUILD)/unit-tests, which needs
# neither root nor a GPU nor a running tracer.

UNIT_DIR := tests/unit
UNIT_OBJ := $(BUILD)/unit
UNIT_CXXFLAGS ?= $(CXXFLAGS)

unit_sources := $(sort $(wildcard $(UNIT_DIR)/*.cpp))
unit_objects := $(unit_sources:$(UNIT_DIR)/%.cpp=$(UNIT_OBJ)/%.o)

$(UNIT_OBJ)/%.o: $(UNIT_DIR)/%.cpp
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CPPFLAGS) -I$(CORRELATE_DIR) -Iuserspace $(CORRELATE_CXXFLAGS) $(UNIT_CXXFLAGS) -c -o $@ $<

$(filter $(UNIT_OBJ)/perfetto_%,$(unit_objects)): | $(PERFETTO_CODE)

$(BUILD)/unit-tests: $(unit_objects) $(BUILD)/liblttng-gpu-correlate.a
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CXXFLAGS) $(LDFLAGS) -o $@ $^ $(CORRELATE_LIBS)

-include $(unit_objects:.o=.d)
