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

# Made of what --help says, so that they have each command and option.
completions := $(BUILD)/completion/lttng-gpu.bash $(BUILD)/completion/_lttng-gpu
command_pages := $(BUILD)/man/pages

$(BUILD)/completion/lttng-gpu.bash: completed := bash
$(BUILD)/completion/_lttng-gpu: completed := zsh
$(completions): $(BUILD)/lttng-gpu scripts/completion scripts/cli_help.py
	@mkdir -p $(@D)
	@echo "  GEN  $@"
	$(Q)scripts/completion $(completed) $< >$@

# Remade as a whole: a command that is gone has no page.
$(command_pages): $(BUILD)/lttng-gpu scripts/command-pages scripts/cli_help.py $(wildcard docs/man/lttng-gpu-*.1)
	@echo "  GEN  $(@D)"
	$(Q)rm -rf $(@D) && scripts/command-pages $< docs/man $(@D) && touch $@

-include $(cli_objects:.o=.d) $(cli_main:.o=.d)
