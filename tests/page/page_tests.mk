# SPDX-License-Identifier: MIT
#
# Included by the Makefile at the top after tests/unit/unit.mk. Gives $(BUILD)/page-frames-trace, which writes a trace for the
# tests of the page.

$(BUILD)/page-traces/frames_trace.o: tests/page/frames_trace.cpp $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CPPFLAGS) -I$(CORRELATE_DIR) -Itests/unit $(CORRELATE_CXXFLAGS) $(CXXFLAGS) -c -o $@ $<

$(BUILD)/page-frames-trace: $(BUILD)/page-traces/frames_trace.o $(UNIT_OBJ)/ctf_writer.o $(BUILD)/liblttng-gpu-correlate.a
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CXXFLAGS) $(LDFLAGS) -o $@ $^ $(CORRELATE_LIBS)

-include $(BUILD)/page-traces/frames_trace.d
