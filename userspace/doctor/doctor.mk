# SPDX-License-Identifier: MIT
# lttng-gpu doctor; included by the Makefile at the top after userspace/correlate/correlate.mk, whose library takes it in.

doctor_objects := $(patsubst userspace/doctor/%.cpp,$(BUILD)/doctor/%.o,$(wildcard userspace/doctor/*.cpp))

$(BUILD)/doctor/%.o: userspace/doctor/%.cpp $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CPPFLAGS) $(CORRELATE_CXXFLAGS) $(CXXFLAGS) -c -o $@ $<

$(BUILD)/liblttng-gpu-correlate.a: $(doctor_objects)
CORRELATE_LIBS += -ldl # loads libkmod

-include $(doctor_objects:.o=.d)
