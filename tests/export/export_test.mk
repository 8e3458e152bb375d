# SPDX-License-Identifier: MIT
# The program that tests/export records; included by the Makefile at the top.

$(BUILD)/tests/opencl-rounds: tests/export/opencl_rounds.cpp
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CXX_STANDARD) $(WARNINGS) $(CXXFLAGS) -o $@ $< -lOpenCL
