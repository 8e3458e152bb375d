# SPDX-License-Identifier: MIT
# The libraries that are loaded into programs; included by the Makefile at the top. Two for each API: the layer, which
# needs the C library only, and the LTTng provider that it loads where LTTng-UST is installed. An API is a folder with an
# api.mk, which sets API_registry (the argument of its generate.py) and API_registry_files; runtime/ is in every layer.

PRELOAD_DIR := userspace/preload
PRELOAD_OBJ := $(BUILD)/preload
apis := $(shell sed -n 's/^LTTNG_GPU_API.\([a-z]*\),.*/\1/p' userspace/apis.def)
include $(apis:%=$(PRELOAD_DIR)/%/api.mk)
preload_libraries := $(foreach api,$(apis),$(BUILD)/liblttng-gpu-$(api).so $(BUILD)/liblttng-gpu-$(api)-provider.so) \
    $(BUILD)/liblttng-gpu-descriptors.so

# Loaded into other people's programs: no C++ library, no exceptions, nothing visible but the doors.
# Their threads may have small stacks: no frame has a size that the program decides, and all frames of a call together
# stay below 4 KiB: else it is an error. (With sanitizers, frames are larger, and that is none.)
PRELOAD_FRAME_FLAGS := $(if $(findstring clang,$(CXX)),-Wframe-larger-than=2560 -Werror=frame-larger-than=,-Werror=frame-larger-than=2560)
PRELOAD_STACK_FLAGS := -Werror=vla -Werror=alloca $(if $(findstring -fsanitize,$(CXXFLAGS)),,$(PRELOAD_FRAME_FLAGS))
PRELOAD_FLAGS := -fPIC -fvisibility=hidden -fno-plt $(WARNINGS) $(PRELOAD_STACK_FLAGS) -I. -I$(PRELOAD_DIR) -MMD -MP
PRELOAD_CXXFLAGS := -std=c++17 -fno-exceptions -fno-rtti -fno-threadsafe-statics $(PRELOAD_FLAGS) -Wno-pedantic
# Never unloaded: its functions stand in other libraries' tables.
PRELOAD_LDFLAGS := -shared -Wl,-z,defs -Wl,-z,nodelete -Wl,-z,now -Wl,-O1 $(LDFLAGS)

runtime_objects := $(patsubst $(PRELOAD_DIR)/%.cpp,$(PRELOAD_OBJ)/%.o,$(wildcard $(PRELOAD_DIR)/runtime/*.cpp))

$(PRELOAD_OBJ)/runtime/%.o: $(PRELOAD_DIR)/runtime/%.cpp $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CPPFLAGS) $(PRELOAD_CXXFLAGS) $(CXXFLAGS) -c -o $@ $<

# $(1): the layer's name, $(2): that of its list of events. $(1)_names, if set, is what makes the names in it.
define provider_library
$(PRELOAD_OBJ)/$(1)/provider_library.o: $(PRELOAD_DIR)/runtime/ust_provider.c $$($(1)_names) $$(BUILD)/flags
	@mkdir -p $$(@D)
	@echo "  CC   $$@"
	$$(Q)$$(CC) $$(CPPFLAGS) -std=gnu11 -DLTTNG_GPU_PROVIDER=$(2) $$($(1)_provider_flags) $$(filter-out -Wpedantic -Wshadow,$$(PRELOAD_FLAGS)) \
	    $$($(1)_includes) $$(CXXFLAGS) -c -o $$@ $$<

$(BUILD)/liblttng-gpu-$(1)-provider.so: $(PRELOAD_OBJ)/$(1)/provider_library.o $(PRELOAD_DIR)/runtime/ust_provider.map
	@echo "  LD   $$@"
	$$(Q)$$(CC) $$(CXXFLAGS) $$(PRELOAD_LDFLAGS) -Wl,-soname,$$(@F) -Wl,--version-script=$(PRELOAD_DIR)/runtime/ust_provider.map -o $$@ $$< -llttng-ust -llttng-ust-common

-include $(PRELOAD_OBJ)/$(1)/provider_library.d
endef

# $(1): the API's name.
define api_layer
$(1)_generated := $(PRELOAD_OBJ)/$(1)/generated
$(1)_sources := $(wildcard $(PRELOAD_DIR)/$(1)/*.cpp)
$(1)_objects := $$($(1)_sources:$(PRELOAD_DIR)/%.cpp=$(PRELOAD_OBJ)/%.o) $$($(1)_generated)/wrappers.o $$($(1)_generated)/symbols.o
$(1)_includes := -I$(PRELOAD_DIR)/$(1) -I$$($(1)_generated)
$(1)_names := $$($(1)_generated)/stamp

$$($(1)_generated)/stamp: $(wildcard $(PRELOAD_DIR)/generate/*.py) $(PRELOAD_DIR)/$(1)/generate.py $(PRELOAD_DIR)/$(1)/functions.toml $$($(1)_registry_files)
	@mkdir -p $$(@D)
	@echo "  GEN  $$(@D)"
	$$(Q)python3 -B $(PRELOAD_DIR)/$(1)/generate.py $$($(1)_registry) $(PRELOAD_DIR)/$(1)/functions.toml $$(@D)
	@touch $$@
$$($(1)_generated)/wrappers.cpp $$($(1)_generated)/symbols.cpp $$($(1)_generated)/layer.map: $$($(1)_generated)/stamp ;

$(PRELOAD_OBJ)/$(1)/%.o: $(PRELOAD_DIR)/$(1)/%.cpp $$($(1)_generated)/stamp $$(BUILD)/flags
	@mkdir -p $$(@D)
	@echo "  CXX  $$@"
	$$(Q)$$(CXX) $$(CPPFLAGS) $$(PRELOAD_CXXFLAGS) $$($(1)_includes) $$(CXXFLAGS) -c -o $$@ $$<

$$($(1)_generated)/%.o: $$($(1)_generated)/%.cpp $$($(1)_generated)/stamp $$(BUILD)/flags
	@echo "  CXX  $$@"
	$$(Q)$$(CXX) $$(CPPFLAGS) $$(PRELOAD_CXXFLAGS) $$($(1)_includes) $$(CXXFLAGS) -c -o $$@ $$<

# By the C compiler: the C++ library is not needed, and a use of it is an error.
$(BUILD)/liblttng-gpu-$(1).so: $$($(1)_objects) $$(runtime_objects) $$($(1)_generated)/layer.map
	@echo "  LD   $$@"
	$$(Q)$$(CC) $$(CXXFLAGS) $$(PRELOAD_LDFLAGS) -Wl,-soname,$$(@F) -Wl,--version-script=$$($(1)_generated)/layer.map -o $$@ $$($(1)_objects) $$(runtime_objects)

-include $$($(1)_objects:.o=.d)
endef
$(foreach api,$(apis),$(eval $(call api_layer,$(api)))$(eval $(call provider_library,$(api),lttng_gpu_$(api))))

# Preloaded into recorded programs: keeps LTTng's descriptors open.
descriptors_objects := $(patsubst $(PRELOAD_DIR)/%.cpp,$(PRELOAD_OBJ)/%.o,$(wildcard $(PRELOAD_DIR)/descriptors/*.cpp))

$(PRELOAD_OBJ)/descriptors/%.o: $(PRELOAD_DIR)/descriptors/%.cpp $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(CPPFLAGS) $(PRELOAD_CXXFLAGS) $(CXXFLAGS) -c -o $@ $<

$(BUILD)/liblttng-gpu-descriptors.so: $(descriptors_objects)
	@echo "  LD   $@"
	$(Q)$(CC) $(CXXFLAGS) $(PRELOAD_LDFLAGS) -Wl,-soname,$(@F) -o $@ $^ -llttng-ust-common

include $(PRELOAD_DIR)/device/device.mk

preload: $(preload_libraries) $(instrument_program) ## the API layers (OpenCL), also as LD_PRELOAD, and their LTTng providers
.PHONY: preload

-include $(runtime_objects:.o=.d) $(descriptors_objects:.o=.d)
