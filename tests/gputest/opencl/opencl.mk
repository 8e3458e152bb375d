# SPDX-License-Identifier: MIT
# An OpenCL driver on the test GPU driver and a program for it. The C++ runtime is inside, so that both run in any guest.
# Included by the top Makefile; paths are relative to its folder and BUILD is set there.

gputest_opencl_dir := tests/gputest/opencl
gputest_opencl_flags := -std=c++20 -O2 -g -Wall -Wextra -Wpedantic -Wshadow $(CXXFLAGS) -Itests/gputest/driver \
	-static-libstdc++ -static-libgcc -pthread
gputest_opencl_sources := $(addprefix $(gputest_opencl_dir)/, driver.cpp object_functions.cpp commands.cpp submitter.cpp objects.cpp device_times.cpp)

$(BUILD)/libgputest-opencl.so: $(gputest_opencl_sources) $(wildcard $(gputest_opencl_dir)/*.hpp) tests/gputest/client/device_file.hpp
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(gputest_opencl_flags) -shared -fPIC -fvisibility=hidden -Wl,--exclude-libs,ALL $(LDFLAGS) -o $@ $(gputest_opencl_sources)

$(BUILD)/gputest-cl: $(gputest_opencl_dir)/gputest-cl.cpp
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(gputest_opencl_flags) $(LDFLAGS) -o $@ $< -lOpenCL
