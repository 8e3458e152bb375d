# SPDX-License-Identifier: MIT
# gputest-load, the client of the test GPU driver. Static, so that it runs in
# any guest. Included by the top Makefile; paths are relative to its folder and
# BUILD is set there.

gputest-load-sources := $(addprefix tests/gputest/client/, gputest-load.cpp options.cpp)
gputest-load-headers := $(addprefix tests/gputest/, driver/gputest_uapi.h \
	client/device_file.hpp client/drm_uapi.hpp client/options.hpp)

$(BUILD)/gputest-load: $(gputest-load-sources) $(gputest-load-headers)
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) -std=c++20 -O2 -g -Wall -Wextra -Wpedantic -Wshadow $(CXXFLAGS) \
		-Itests/gputest/driver -static -pthread $(LDFLAGS) -o $@ $(gputest-load-sources)
