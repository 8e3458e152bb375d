# SPDX-License-Identifier: MIT
#
# Planted causes for `lttng-gpu diagnose`; included by the Makefile at the top after tests/unit/unit.mk. Gives
# $(BUILD)/diagnose-tests (TAP; with --matrix the confusion matrix).

DIAGNOSE_DIR := tests/diagnose
DIAGNOSE_OBJ := $(BUILD)/diagnose

diagnose_objects := $(patsubst $(DIAGNOSE_DIR)/%.cpp,$(DIAGNOSE_OBJ)/%.o,$(sort $(wildcard $(DIAGNOSE_DIR)/*.cpp)))

$(DIAGNOSE_OBJ)/%.o: $(DIAGNOSE_DIR)/%.cpp $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CPPFLAGS) -I$(CORRELATE_DIR) -Itests/unit -Itests/simulator $(CORRELATE_CXXFLAGS) $(CXXFLAGS) -c -o $@ $<

$(BUILD)/diagnose-tests: $(diagnose_objects) $(UNIT_OBJ)/ctf_writer.o $(BUILD)/liblttng-gpu-correlate.a
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CXXFLAGS) $(LDFLAGS) -o $@ $^ $(CORRELATE_LIBS)

# Plants causes on the test GPU driver, in a guest; static, as gputest-load is.
plant-causes-sources := $(addprefix $(DIAGNOSE_DIR)/guest/, plant-causes.cpp partners.cpp)

$(BUILD)/plant-causes: $(plant-causes-sources) $(DIAGNOSE_DIR)/guest/partners.hpp \
	    $(addprefix tests/gputest/, driver/gputest_uapi.h client/device_file.hpp client/drm_uapi.hpp)
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) -std=c++20 -O2 -g -Wall -Wextra -Wpedantic -Wshadow $(CXXFLAGS) \
		-Itests/gputest/driver -Itests/gputest/client -static $(LDFLAGS) -o $@ $(plant-causes-sources)

bench-diagnose: $(BUILD)/diagnose-tests ## what diagnose finds of planted causes (INSTANCES=)
	@$< --matrix --instances $(or $(INSTANCES),50)

.PHONY: bench-diagnose

-include $(diagnose_objects:.o=.d)
