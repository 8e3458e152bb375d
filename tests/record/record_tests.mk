# SPDX-License-Identifier: MIT
# The OpenCL program that tests/record records; included by the Makefile at the top.

$(BUILD)/cl-commands: tests/record/cl_commands.cpp
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CXX_STANDARD) $(WARNINGS) $(CXXFLAGS) $(LDFLAGS) -o $@ $< -lOpenCL -pthread

# A program that dies while it writes an event.
DYING_DIR := tests/record/dying
DYING_OBJ := $(BUILD)/tests/record/dying

$(DYING_OBJ)/provider.o: $(DYING_DIR)/provider.c $(DYING_DIR)/provider.h
	@mkdir -p $(@D)
	@echo "  CC   $@"
	$(Q)$(CC) -O2 -g -I. -I$(DYING_DIR) -c -o $@ $<

$(BUILD)/dies-writing: $(DYING_DIR)/dies_writing.cpp $(DYING_OBJ)/provider.o
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CXX_STANDARD) $(CXXFLAGS) $(LDFLAGS) -I. -o $@ $^ -llttng-ust -ldl
