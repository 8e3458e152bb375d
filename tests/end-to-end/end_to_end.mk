# SPDX-License-Identifier: MIT
#
# The program that damages traces, and those that a guest records; included by the Makefile at the top of the tree after
# userspace/correlate/correlate.mk.

$(BUILD)/damage-trace: tests/end-to-end/damage_trace.cpp $(BUILD)/liblttng-gpu-correlate.a
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CPPFLAGS) -I$(CORRELATE_DIR) -Iuserspace $(CORRELATE_CXXFLAGS) -MF $@.d $(CXXFLAGS) $(LDFLAGS) -o $@ $(filter %.cpp %.a,$^) $(CORRELATE_LIBS)

# Uses OpenCL and OpenGL at once, in a guest.
$(BUILD)/cl-and-gl: tests/end-to-end/guest/cl-and-gl.cpp $(addprefix tests/diagnose/guest/slow_triangle., cpp hpp)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CXX_STANDARD) $(WARNINGS) $(CXXFLAGS) -static-libstdc++ -static-libgcc $(LDFLAGS) -o $@ $(filter %.cpp,$^) -lOpenCL -ldl

# Draws in rounds, and knows which round a job of the kernel is of, in a guest. Some of its functions are for Mesa's libraries.
$(BUILD)/gl-rounds: $(addprefix tests/end-to-end/guest/, gl-rounds.cpp mesa_thread.cpp mesa_thread.hpp) $(addprefix tests/diagnose/guest/slow_triangle., cpp hpp)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CXX_STANDARD) $(WARNINGS) $(CXXFLAGS) -static-libstdc++ -static-libgcc $(LDFLAGS) -rdynamic -o $@ $(filter %.cpp,$^) -ldl

-include $(BUILD)/damage-trace.d
