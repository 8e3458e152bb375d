# SPDX-License-Identifier: MIT
# The OpenCL program that tests/record records; included by the Makefile at the top.

$(BUILD)/cl-commands: tests/record/cl_commands.cpp
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CXX_STANDARD) $(WARNINGS) $(CXXFLAGS) $(LDFLAGS) -o $@ $< -lOpenCL -pthread
