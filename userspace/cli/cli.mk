# SPDX-License-Identifier: MIT
# The command line: the program $(BUILD)/lttng-gpu; included by the Makefile at the top after userspace/correlate/correlate.mk,
# whose library takes in everything but main.

CLI_OBJ := $(BUILD)/cli
cli_main := $(CLI_OBJ)/main.o
cli_objects := $(filter-out $(cli_main),$(patsubst userspace/cli/%.cpp,$(CLI_OBJ)/%.o,$(wildcard userspace/cli/*.cpp)))

$(CLI_OBJ)/%.o: userspace/cli/%.cpp $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CPPFLAGS) $(CORRELATE_CXXFLAGS) $(CXXFLAGS) -c -o $@ $<

$(BUILD)/liblttng-gpu-correlate.a: $(cli_objects)

$(BUILD)/lttng-gpu: $(cli_main) $(BUILD)/liblttng-gpu-correlate.a
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CXXFLAGS) $(LDFLAGS) -o $@ $^ $(CORRELATE_LIBS)

-include $(cli_objects:.o=.d) $(cli_main:.o=.d)
