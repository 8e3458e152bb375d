# SPDX-License-Identifier: MIT
# lttng-gpu export and merge; included by the Makefile at the top after userspace/correlate/correlate.mk, whose library takes
# them in.

export_objects := $(patsubst userspace/export/%.cpp,$(BUILD)/export/%.o,$(wildcard userspace/export/*.cpp userspace/export/*/*.cpp))

$(BUILD)/export/%.o: userspace/export/%.cpp $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CPPFLAGS) $(CORRELATE_CXXFLAGS) $(CXXFLAGS) -c -o $@ $<

$(BUILD)/liblttng-gpu-correlate.a: $(export_objects)
CORRELATE_LIBS += -lsqlite3

-include $(export_objects:.o=.d)
