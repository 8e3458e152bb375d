# SPDX-License-Identifier: MIT
#
# The simulator of GPUs and drivers; included by the Makefile at the top of the
# tree after userspace/correlate/correlate.mk. Gives $(BUILD)/simulator-tests
# (property tests of the correlator, TAP) and $(BUILD)/simulate (a CTF trace and
# the truth about it).

SIMULATOR_DIR := tests/simulator
SIMULATOR_OBJ := $(BUILD)/simulator

simulator_sources := $(sort $(wildcard $(SIMULATOR_DIR)/*.cpp))
simulator_objects := $(simulator_sources:$(SIMULATOR_DIR)/%.cpp=$(SIMULATOR_OBJ)/%.o)
simulator_mains := $(SIMULATOR_OBJ)/main.o $(SIMULATOR_OBJ)/simulate.o
simulator_parts := $(filter-out $(simulator_mains),$(simulator_objects))

$(SIMULATOR_OBJ)/%.o: $(SIMULATOR_DIR)/%.cpp $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CPPFLAGS) -I$(CORRELATE_DIR) -Itests/unit $(CORRELATE_CXXFLAGS) $(CXXFLAGS) -c -o $@ $<

$(BUILD)/simulator-tests: $(SIMULATOR_OBJ)/main.o $(simulator_parts) $(BUILD)/liblttng-gpu-correlate.a
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CXXFLAGS) $(LDFLAGS) -o $@ $^ $(CORRELATE_LIBS)

$(BUILD)/simulate: $(SIMULATOR_OBJ)/simulate.o $(simulator_parts) $(UNIT_OBJ)/ctf_writer.o $(BUILD)/liblttng-gpu-correlate.a
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CXXFLAGS) $(LDFLAGS) -o $@ $^ $(CORRELATE_LIBS)

-include $(simulator_objects:.o=.d)
