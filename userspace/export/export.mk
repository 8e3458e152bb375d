# SPDX-License-Identifier: MIT
# lttng-gpu export and merge; included by the Makefile at the top after userspace/correlate/correlate.mk, whose library takes them in.
# What the babeltrace2 plugin has and these need, too, is compiled once more, as the program's own.

export_sources := $(wildcard userspace/export/*.cpp) userspace/babeltrace2-plugin/message_clock.cpp
export_objects := $(export_sources:userspace/%.cpp=$(BUILD)/export/%.o)

$(BUILD)/export/%.o: userspace/%.cpp
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CPPFLAGS) $(CORRELATE_CXXFLAGS) $(CXXFLAGS) -c -o $@ $<

$(BUILD)/liblttng-gpu-correlate.a: $(export_objects)

-include $(export_objects:.o=.d)
