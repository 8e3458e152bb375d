# SPDX-License-Identifier: MIT
#
# The program that degrades recordings as captures in bug reports are, and what judges how they are read; included by
# the Makefile at the top of the tree after tests/simulator/simulator.mk. Gives $(BUILD)/degrade-capture.

CAPTURES_DIR := tests/captures
CAPTURES_OBJ := $(BUILD)/captures

captures_sources := $(sort $(wildcard $(CAPTURES_DIR)/*.cpp))
captures_objects := $(captures_sources:$(CAPTURES_DIR)/%.cpp=$(CAPTURES_OBJ)/%.o)

$(CAPTURES_OBJ)/%.o: $(CAPTURES_DIR)/%.cpp $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CPPFLAGS) -I$(CORRELATE_DIR) -Itests/unit -Itests/simulator $(CORRELATE_CXXFLAGS) $(CXXFLAGS) -c -o $@ $<

$(BUILD)/degrade-capture: $(captures_objects) $(UNIT_OBJ)/ctf_writer.o $(BUILD)/liblttng-gpu-correlate.a
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CXXFLAGS) $(LDFLAGS) -o $@ $^ $(CORRELATE_LIBS)

-include $(captures_objects:.o=.d)

bench-captures: ## how captures with gaps, cuts and other damage are read, compared with the truth (all recordings)
	@scripts/install-dependencies
	@$(MAKE) $(PARALLEL) --no-print-directory programs $(BUILD)/simulate $(BUILD)/degrade-capture
	@tests/captures/matrix.py

.PHONY: bench-captures
