# SPDX-License-Identifier: MIT
# The correlator as a babeltrace2 plugin; included by the Makefile at the top after
# userspace/correlate/correlate.mk. Its objects are the plugin's own, because position-independent ones
# would cost the program time.

PLUGIN_DIR := userspace/babeltrace2-plugin
PLUGIN_OBJ := $(BUILD)/babeltrace2-plugin
plugin := $(BUILD)/babeltrace2-plugin-gpu.so

plugin_layers := $(foreach layer,base model report,$(wildcard $(CORRELATE_DIR)/$(layer)/*.cpp $(CORRELATE_DIR)/$(layer)/*/*.cpp))
plugin_pieces := cli/conclusion cli/correlation_pass cli/time_option trace/bt2/leaves trace/bt2/message_reader trace/bt2/plan trace/bt2/mip
plugin_sources := $(wildcard $(PLUGIN_DIR)/*.cpp) $(plugin_layers) $(plugin_pieces:%=$(CORRELATE_DIR)/%.cpp)
plugin_objects := $(plugin_sources:userspace/%.cpp=$(PLUGIN_OBJ)/%.o)

$(PLUGIN_OBJ)/%.o: userspace/%.cpp
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CPPFLAGS) $(CORRELATE_CXXFLAGS) -fPIC $(CXXFLAGS) -c -o $@ $<

$(plugin): $(plugin_objects) $(PLUGIN_DIR)/plugin.map
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CXXFLAGS) -shared $(LDFLAGS) -Wl,-z,defs -Wl,--version-script=$(PLUGIN_DIR)/plugin.map -o $@ \
		$(plugin_objects) -lbabeltrace2 $(FMT_LIBRARY)

-include $(plugin_objects:.o=.d)
