# SPDX-License-Identifier: MIT
# lttng-gpu record; included by the Makefile at the top after userspace/doctor/doctor.mk, to the same library.

record_objects := $(patsubst userspace/record/%.cpp,$(BUILD)/record/%.o,$(wildcard userspace/record/*.cpp))
RECORD_CPPFLAGS = -DLTTNG_GPU_LIBDIR='"$(libdir)"' -DLTTNG_GPU_MULTIARCH='"$(shell $(CC) -print-multiarch)"'

$(BUILD)/record/%.o: userspace/record/%.cpp
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CPPFLAGS) $(RECORD_CPPFLAGS) $(CORRELATE_CXXFLAGS) $(CXXFLAGS) -c -o $@ $<

$(BUILD)/liblttng-gpu-correlate.a: $(record_objects)

-include $(record_objects:.o=.d)
