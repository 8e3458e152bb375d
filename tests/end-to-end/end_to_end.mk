# SPDX-License-Identifier: MIT
#
# The program that damages traces; included by the Makefile at the top of the tree after
# userspace/correlate/correlate.mk.

$(BUILD)/damage-trace: tests/end-to-end/damage_trace.cpp $(BUILD)/liblttng-gpu-correlate.a
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CPPFLAGS) -I$(CORRELATE_DIR) -Iuserspace $(CORRELATE_CXXFLAGS) -MF $@.d $(CXXFLAGS) $(LDFLAGS) -o $@ $(filter %.cpp %.a,$^) $(CORRELATE_LIBS)

-include $(BUILD)/damage-trace.d
