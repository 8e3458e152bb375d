# SPDX-License-Identifier: MIT
# fire-plan, which turns recipes into plans for gpufire.ko.

fire_objects := $(patsubst tests/firing/plan/%.cpp,$(BUILD)/fire/%.o,$(wildcard tests/firing/plan/*.cpp))

$(BUILD)/fire/%.o: tests/firing/plan/%.cpp $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CXX_STANDARD) $(WARNINGS) $(CXXFLAGS) -MMD -c -o $@ $<

$(BUILD)/fire-plan: $(fire_objects) $(BUILD)/layout/btf_file.o
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CXXFLAGS) $(LDFLAGS) -o $@ $^ -lbpf -lfmt

-include $(fire_objects:.o=.d)
