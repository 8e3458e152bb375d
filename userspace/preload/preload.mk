# SPDX-License-Identifier: MIT
# The libraries that are loaded into programs; included by the Makefile at the top. Two for OpenCL: the layer, which needs
# the C library only, and the LTTng provider that it loads where LTTng-UST is installed.

PRELOAD_DIR := userspace/preload
PRELOAD_OBJ := $(BUILD)/preload
OPENCL_HEADERS ?= /usr/include/CL
opencl_layer := $(BUILD)/liblttng-gpu-opencl.so
opencl_provider := $(BUILD)/liblttng-gpu-opencl-provider.so
preload_libraries := $(opencl_layer) $(opencl_provider)

opencl_generator := $(wildcard $(PRELOAD_DIR)/generate/*.py) $(PRELOAD_DIR)/opencl/functions.toml
opencl_generated := $(PRELOAD_OBJ)/generated
opencl_sources := $(wildcard $(PRELOAD_DIR)/opencl/*.cpp)
opencl_objects := $(opencl_sources:$(PRELOAD_DIR)/%.cpp=$(PRELOAD_OBJ)/%.o) $(opencl_generated)/wrappers.o $(opencl_generated)/symbols.o
# Loaded into other people's programs: no C++ library, no exceptions, nothing visible but the doors.
PRELOAD_FLAGS := -fPIC -fvisibility=hidden -fno-plt $(WARNINGS) -I. -I$(PRELOAD_DIR)/opencl -I$(opencl_generated) -MMD -MP
PRELOAD_CXXFLAGS := -std=c++17 -fno-exceptions -fno-rtti -fno-threadsafe-statics $(PRELOAD_FLAGS) -Wno-pedantic
# Never unloaded: its functions stand in other libraries' tables.
PRELOAD_LDFLAGS := -shared -Wl,-z,defs -Wl,-z,nodelete -Wl,-z,now -Wl,-O1 $(LDFLAGS)

$(opencl_generated)/stamp: $(opencl_generator) $(wildcard $(OPENCL_HEADERS)/*.h)
	@mkdir -p $(@D)
	@echo "  GEN  $(@D)"
	$(Q)python3 -B $(PRELOAD_DIR)/generate/generate_opencl.py $(OPENCL_HEADERS) $(PRELOAD_DIR)/opencl/functions.toml $(@D)
	@touch $@
$(opencl_generated)/wrappers.cpp $(opencl_generated)/symbols.cpp $(opencl_generated)/layer.map: $(opencl_generated)/stamp ;

$(PRELOAD_OBJ)/%.o: $(PRELOAD_DIR)/%.cpp $(opencl_generated)/stamp $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CPPFLAGS) $(PRELOAD_CXXFLAGS) $(CXXFLAGS) -c -o $@ $<

$(opencl_generated)/%.o: $(opencl_generated)/%.cpp $(opencl_generated)/stamp $(BUILD)/flags
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CPPFLAGS) $(PRELOAD_CXXFLAGS) $(CXXFLAGS) -c -o $@ $<

$(PRELOAD_OBJ)/opencl/ust_provider.o: $(PRELOAD_DIR)/opencl/ust_provider.c instrumentation/events/lttng_gpu_opencl.h $(opencl_generated)/stamp $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CC   $@"
	$(Q)$(CC) $(CPPFLAGS) -std=gnu11 $(filter-out -Wpedantic -Wshadow,$(PRELOAD_FLAGS)) $(CXXFLAGS) -c -o $@ $<

# By the C compiler: the C++ library is not needed, and a use of it is an error.
$(opencl_layer): $(opencl_objects) $(opencl_generated)/layer.map
	@echo "  LD   $@"
	$(Q)$(CC) $(CXXFLAGS) $(PRELOAD_LDFLAGS) -Wl,-soname,$(@F) -Wl,--version-script=$(opencl_generated)/layer.map -o $@ $(opencl_objects)

$(opencl_provider): $(PRELOAD_OBJ)/opencl/ust_provider.o $(PRELOAD_DIR)/opencl/ust_provider.map
	@echo "  LD   $@"
	$(Q)$(CC) $(CXXFLAGS) $(PRELOAD_LDFLAGS) -Wl,-soname,$(@F) -Wl,--version-script=$(PRELOAD_DIR)/opencl/ust_provider.map -o $@ $< -llttng-ust -llttng-ust-common

preload: $(preload_libraries) ## the OpenCL layer, also as LD_PRELOAD, and its LTTng provider
.PHONY: preload

-include $(opencl_objects:.o=.d) $(PRELOAD_OBJ)/opencl/ust_provider.d
