# SPDX-License-Identifier: MIT
# btf-layout, the generator of the probes' layout headers.

layout_objects := $(patsubst modules/layout/%.cpp,$(BUILD)/layout/%.o,$(wildcard modules/layout/*.cpp))

$(BUILD)/layout/%.o: modules/layout/%.cpp $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CXX_STANDARD) $(WARNINGS) $(CXXFLAGS) -MMD -c -o $@ $<

$(BUILD)/btf-layout: $(layout_objects)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CXXFLAGS) $(LDFLAGS) -o $@ $^ -lbpf -lelf $(FMT_LIBRARY)

-include $(layout_objects:.o=.d)
