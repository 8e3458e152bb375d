# SPDX-License-Identifier: MIT
#
# The program that damages traces, and one that a guest records; included by the Makefile at the top of the tree after
# userspace/correlate/correlate.mk.

$(BUILD)/damage-trace: tests/end-to-end/damage_trace.cpp $(BUILD)/liblttng-gpu-correlate.a
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CPPFLAGS) -I$(CORRELATE_DIR) -Iuserspace $(CORRELATE_CXXFLAGS) -MF $@.d $(CXXFLAGS) $(LDFLAGS) -o $@ $(filter %.cpp %.a,$^) $(CORRELATE_LIBS)

# Uses OpenCL and OpenGL at once, in a guest.
$(BUILD)/cl-and-gl: tests/end-to-end/guest/cl-and-gl.cpp $(addprefix tests/diagnose/guest/slow_triangle., cpp hpp)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CXX_STANDARD) $(WARNINGS) $(CXXFLAGS) -static-libstdc++ -static-libgcc $(LDFLAGS) -o $@ $(filter %.cpp,$^) -lOpenCL -ldl

-include $(BUILD)/damage-trace.d
