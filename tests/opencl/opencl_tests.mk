# SPDX-License-Identifier: MIT
#
# Programs that use OpenCL as applications do, to be run with and without the layer; included by the Makefile at the
# top of the tree.

OPENCL_TESTS := $(BUILD)/tests/opencl
opencl_test_flags := $(WARNINGS) -std=c++17 $(CXXFLAGS) -MMD -MP -I$(OPENCL_TESTS)
conformance_objects = $(patsubst tests/opencl/conformance/%.cpp,$(OPENCL_TESTS)/conformance/%.o,$(wildcard tests/opencl/conformance/*.cpp))

# The entries of the dispatch table, in order, from the header that defines it.
$(OPENCL_TESTS)/dispatch_entries.inc: /usr/include/CL/cl_icd.h
	@mkdir -p $(@D)
	@echo "  GEN  $@"
	$(Q)sed -n '/^typedef struct _cl_icd_dispatch/,/^}/p' $< | grep -oE 'cl_api_\w+' | sed 's/cl_api_\(.*\)/"\1",/' >$@

$(OPENCL_TESTS)/conformance/%.o: tests/opencl/conformance/%.cpp $(OPENCL_TESTS)/dispatch_entries.inc $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(opencl_test_flags) -c -o $@ $<

$(OPENCL_TESTS)/conformance/conformance: $(conformance_objects)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CXXFLAGS) $(LDFLAGS) -o $@ $^ -lOpenCL -pthread

$(OPENCL_TESTS)/%: tests/opencl/programs/%.cpp
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(opencl_test_flags) $(LDFLAGS) -o $@ $< $(if $(filter %/reload %/unloads %/leaves,$@),-ldl,-lOpenCL) -pthread

# A libOpenCL.so.1 that is the driver: one exported function per entry that jumps through the driver's table.
$(OPENCL_TESTS)/driver_entries.inc: $(OPENCL_TESTS)/dispatch_entries.inc
	$(Q)sed 's/"\(.*\)",/\1/' $< | awk '{ printf "        entry %s, %d\n", $$1, 8 * (NR - 1) }' >$@

$(OPENCL_TESTS)/whole-driver/libOpenCL.so.1: tests/opencl/driver/whole_driver.cpp $(OPENCL_TESTS)/driver_entries.inc
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(WARNINGS) -std=c++17 $(CXXFLAGS) -fPIC -shared -Wa,-I$(OPENCL_TESTS) -Wl,-soname,libOpenCL.so.1 $(LDFLAGS) -o $@ $< -ldl

$(OPENCL_TESTS)/libending-driver.so: tests/opencl/driver/ending_driver.cpp tests/opencl/driver/wrapped_pocl.hpp $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(WARNINGS) -std=c++17 $(CXXFLAGS) -fPIC -shared -fvisibility=hidden $(LDFLAGS) -o $@ $< -ldl

-include $(wildcard $(OPENCL_TESTS)/*.d $(OPENCL_TESTS)/conformance/*.d)

opencl_test_programs := $(patsubst tests/opencl/programs/%.cpp,$(OPENCL_TESTS)/%,$(wildcard tests/opencl/programs/*.cpp))

$(OPENCL_TESTS)/pocl/stamp: tests/opencl/build-pocl-programs
	@echo "  GEN  $(@D)"
	$(Q)$< $(@D)
	@touch $@

opencl-test-programs: $(OPENCL_TESTS)/pocl/stamp $(OPENCL_TESTS)/conformance/conformance $(opencl_test_programs) $(OPENCL_TESTS)/whole-driver/libOpenCL.so.1 \
    $(OPENCL_TESTS)/libending-driver.so

.PHONY: opencl-test-programs
