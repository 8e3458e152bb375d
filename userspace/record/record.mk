# SPDX-License-Identifier: MIT
# lttng-gpu record; included by the Makefile at the top after userspace/doctor/doctor.mk, to the same library.

# Where the libraries are looked for is compiled into one file.
RECORD_CPPFLAGS := -DLTTNG_GPU_LIBDIR='"$(libdir)"' -DLTTNG_GPU_MULTIARCH='"$(shell $(CC) -print-multiarch)"'
ifneq ($(strip $(file <$(BUILD)/record/flags)),$(RECORD_CPPFLAGS))
$(shell mkdir -p $(BUILD)/record)$(file >$(BUILD)/record/flags,$(RECORD_CPPFLAGS))
endif

record_objects := $(patsubst userspace/record/%.cpp,$(BUILD)/record/%.o,$(wildcard userspace/record/*.cpp))

$(BUILD)/record/%.o: userspace/record/%.cpp $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CPPFLAGS) $(FILE_CPPFLAGS) $(CORRELATE_CXXFLAGS) $(CXXFLAGS) -c -o $@ $<

$(BUILD)/record/api_layers.o: FILE_CPPFLAGS = $(RECORD_CPPFLAGS)
$(BUILD)/record/api_layers.o: $(BUILD)/record/flags

$(BUILD)/liblttng-gpu-correlate.a: $(record_objects)

-include $(record_objects:.o=.d)
