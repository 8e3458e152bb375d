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
plant-causes-headers := $(addprefix $(DIAGNOSE_DIR)/guest/, partners.hpp way.hpp) \
	    $(addprefix tests/gputest/, driver/gputest_uapi.h client/device_file.hpp client/drm_uapi.hpp)
plant-causes-flags := -std=c++20 -O2 -g -Wall -Wextra -Wpedantic -Wshadow -Itests/gputest/driver -Itests/gputest/client

$(BUILD)/plant-causes: $(plant-causes-sources) $(DIAGNOSE_DIR)/guest/way_ioctl.cpp $(plant-causes-headers)
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(plant-causes-flags) $(CXXFLAGS) -static $(LDFLAGS) -o $@ $(filter %.cpp,$^)

# The same by OpenCL, on the test driver's own OpenCL driver.
$(BUILD)/plant-causes-cl: $(plant-causes-sources) $(DIAGNOSE_DIR)/guest/way_opencl.cpp $(plant-causes-headers)
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(plant-causes-flags) $(CXXFLAGS) -static-libstdc++ -static-libgcc $(LDFLAGS) -o $@ $(filter %.cpp,$^) -lOpenCL

# Makes frames of an OpenGL program late, with a second OpenGL program that runs in the guest.
$(BUILD)/plant-frames: $(addprefix $(DIAGNOSE_DIR)/guest/, plant-frames.cpp partners.cpp) $(plant-causes-headers)
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(plant-causes-flags) $(CXXFLAGS) -static $(LDFLAGS) -o $@ $(filter %.cpp,$^)

$(BUILD)/gl-sharer: $(addprefix $(DIAGNOSE_DIR)/guest/, gl-sharer.cpp slow_triangle.cpp slow_triangle.hpp)
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(plant-causes-flags) $(CXXFLAGS) -static-libstdc++ -static-libgcc $(LDFLAGS) -o $@ $(filter %.cpp,$^) -ldl

bench-diagnose: $(BUILD)/diagnose-tests ## what diagnose finds of planted causes (INSTANCES=)
	@$< --matrix --instances $(or $(INSTANCES),50)

.PHONY: bench-diagnose

-include $(diagnose_objects:.o=.d)
