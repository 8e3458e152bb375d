# SPDX-License-Identifier: MIT
# The correlator as a babeltrace2 plugin; included by the Makefile at the top after
# userspace/correlate/correlate.mk, whose library gives it everything but its components.

PLUGIN_DIR := userspace/babeltrace2-plugin
PLUGIN_OBJ := $(BUILD)/babeltrace2-plugin
plugin := $(BUILD)/babeltrace2-plugin-gpu.so

plugin_objects := $(patsubst $(PLUGIN_DIR)/%.cpp,$(PLUGIN_OBJ)/%.o,$(wildcard $(PLUGIN_DIR)/*.cpp))

# babeltrace2 looks up what its macros define; plugin.map hides the rest.
$(PLUGIN_OBJ)/%.o: $(PLUGIN_DIR)/%.cpp $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CPPFLAGS) $(CORRELATE_CXXFLAGS) -fvisibility=default $(CXXFLAGS) -c -o $@ $<

$(plugin): $(plugin_objects) $(PLUGIN_DIR)/plugin.map $(BUILD)/liblttng-gpu-correlate.a
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CXXFLAGS) -shared $(LDFLAGS) -Wl,-z,defs -Wl,--version-script=$(PLUGIN_DIR)/plugin.map -o $@ \
		$(plugin_objects) $(BUILD)/liblttng-gpu-correlate.a -lbabeltrace2 $(FMT_LIBRARY)

-include $(plugin_objects:.o=.d)
