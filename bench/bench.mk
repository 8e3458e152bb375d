# SPDX-License-Identifier: MIT
# Programs that the benchmarks run; included by the Makefile at the top after tests/unit/unit.mk.

$(BUILD)/make_trace: bench/make_trace.cpp $(UNIT_OBJ)/ctf_writer.o
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CORRELATE_CXXFLAGS) $(CXXFLAGS) $(LDFLAGS) -o $@ $^
