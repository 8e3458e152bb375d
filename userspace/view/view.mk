# SPDX-License-Identifier: MIT
# The page: its program is bundled from userspace/page by esbuild, which npm gets. Where that cannot be had, the build goes on
# without the page and says so. Included by the Makefile at the top after userspace/correlate/correlate.mk, whose library takes
# the objects in.

PAGE_DIR := userspace/page
PAGE_BUILD := $(BUILD)/page
PAGE_BUNDLE := $(PAGE_BUILD)/page.html

view_objects := $(patsubst userspace/view/%.cpp,$(BUILD)/view/%.o,$(wildcard userspace/view/*.cpp))
# The server of `lttng-gpu view`, where the headers of its library are there; the library is loaded when it is needed.
VIEW_HTTP := $(shell echo '\#include <microhttpd.h>' | $(CXX) -E -x c++ - >/dev/null 2>&1 && echo yes)

$(PAGE_BUNDLE): $(wildcard $(PAGE_DIR)/src/*) $(PAGE_DIR)/package-lock.json $(PAGE_DIR)/bundle
	@mkdir -p $(@D)
	@echo "  PAGE $@"
	$(Q)$(PAGE_DIR)/bundle $(PAGE_BUILD)

$(BUILD)/view/%.o: userspace/view/%.cpp $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CPPFLAGS) $(CORRELATE_CXXFLAGS) $(if $(VIEW_HTTP),-DLTTNG_GPU_HTTP) -DLTTNG_GPU_PAGE='"$(PAGE_BUNDLE)"' $(CXXFLAGS) -c -o $@ $<

$(BUILD)/view/page_bundle.o: $(PAGE_BUNDLE)

$(BUILD)/liblttng-gpu-correlate.a: $(view_objects)

-include $(view_objects:.o=.d)
