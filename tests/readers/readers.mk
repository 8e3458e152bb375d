# SPDX-License-Identifier: MIT
#
# The comparison of our readers with babeltrace2 and the program whose sessions it reads; included by the Makefile at
# the top of the tree after tests/unit/unit.mk.

READERS_DIR := tests/readers
READERS_OBJ := $(BUILD)/readers

$(READERS_OBJ)/%.o: $(READERS_DIR)/%.cpp $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CPPFLAGS) -I$(CORRELATE_DIR) $(CORRELATE_CXXFLAGS) $(CXXFLAGS) -c -o $@ $<

$(BUILD)/compare-readers: $(addprefix $(READERS_OBJ)/,compare_readers.o canonical_lines.o passes.o) $(BUILD)/liblttng-gpu-correlate.a
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CXXFLAGS) $(LDFLAGS) -o $@ $^ $(CORRELATE_LIBS)

-include $(wildcard $(READERS_OBJ)/*.d)

$(READERS_OBJ)/ust_shapes_provider.o: $(READERS_DIR)/ust_shapes_provider.c $(READERS_DIR)/ust_shapes_provider.h $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CC  $@"
	$(Q)$(CC) -O2 -g -Wall -I. -c -o $@ $<

# LTTng-UST's macros do not convert as carefully as we do.
$(BUILD)/ust-shapes: $(READERS_DIR)/ust_shapes.cpp $(READERS_OBJ)/ust_shapes_provider.o
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CXX_STANDARD) $(WARNINGS) $(CXXFLAGS) -I. $(LDFLAGS) -o $@ $^ -llttng-ust -ldl -pthread
