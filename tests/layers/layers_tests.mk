# SPDX-License-Identifier: MIT
#
# What is preloaded into programs of any API to be hard on its layer, and drivers that end before it or lose their device; included by the Makefile at
# the top of the tree.

LAYERS_TESTS := $(BUILD)/tests/layers

$(LAYERS_TESTS)/refusal.so $(LAYERS_TESTS)/restricted.so: $(LAYERS_TESTS)/%.so: tests/layers/programs/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CC   $@"
	$(Q)$(CC) -std=gnu11 $(filter-out -Wnon-virtual-dtor -Woverloaded-virtual,$(WARNINGS)) -Wno-pedantic $(CXXFLAGS) -fPIC -shared $(LDFLAGS) -o $@ $< -ldl

$(LAYERS_TESTS)/child_storm.so: tests/layers/programs/child_storm.cpp tests/layers/programs/fork_shapes.hpp $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(WARNINGS) -std=c++17 $(CXXFLAGS) -fPIC -shared $(LDFLAGS) -o $@ $< -pthread

layers_c_flags = -std=gnu11 $(filter-out -Wnon-virtual-dtor -Woverloaded-virtual,$(WARNINGS)) -Wno-pedantic
$(LAYERS_TESTS)/ending_hsa.so: tests/layers/drivers/ending_hsa.cpp
$(LAYERS_TESTS)/ending_vulkan.so $(LAYERS_TESTS)/ending_gl.so: $(LAYERS_TESTS)/%.so: tests/layers/drivers/%.c
$(LAYERS_TESTS)/ending_%.so: tests/layers/drivers/ending.h $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CC   $@"
	$(Q)$(if $(filter %.cpp,$^),$(CXX) $(WARNINGS) -std=gnu++17,$(CC) $(layers_c_flags)) -Wno-pedantic $(CXXFLAGS) -fPIC -shared -fvisibility=hidden $(LDFLAGS) \
	    -o $@ $(filter %.c %.cpp,$^) -ldl -pthread

# Their device or context is lost, and the programs to which that happens.
$(LAYERS_TESTS)/lost_vulkan.so $(LAYERS_TESTS)/lost_gl.so: $(LAYERS_TESTS)/%.so: tests/layers/drivers/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CC   $@"
	$(Q)$(CC) $(layers_c_flags) $(CXXFLAGS) -fPIC -shared -fvisibility=hidden $(LDFLAGS) -o $@ $< -ldl

$(LAYERS_TESTS)/lost_vulkan: private layers_libraries := -lvulkan
$(LAYERS_TESTS)/lost_vulkan: $(wildcard tests/vulkan/programs/*.h)
$(LAYERS_TESTS)/lost_gl: private layers_libraries := -lEGL -lGLESv2
$(LAYERS_TESTS)/lost_vulkan $(LAYERS_TESTS)/lost_gl: $(LAYERS_TESTS)/%: tests/layers/programs/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CC   $@"
	$(Q)$(CC) $(layers_c_flags) $(CXXFLAGS) $(LDFLAGS) -o $@ $< $(layers_libraries)

# How the APIs' loaders find them.
$(foreach name,ending lost,$(LAYERS_TESTS)/$(name)_vulkan.json $(LAYERS_TESTS)/$(name)_gl.json): %.json: %.so
	@echo "  GEN  $@"
	$(Q)echo '{"file_format_version": "1.0.0", "ICD": {"library_path": "$(abspath $<)", "api_version": "1.3.0"}}' >$@

layers-test-programs: $(LAYERS_TESTS)/refusal.so $(LAYERS_TESTS)/restricted.so $(LAYERS_TESTS)/child_storm.so $(LAYERS_TESTS)/ending_hsa.so \
    $(foreach name,ending lost,$(LAYERS_TESTS)/$(name)_vulkan.json $(LAYERS_TESTS)/$(name)_gl.json) \
    $(LAYERS_TESTS)/lost_vulkan $(LAYERS_TESTS)/lost_gl gl-test-programs vulkan-test-programs hsa-test-programs

# The long forms: every shape of children, every allocation of a layer, a million commands of each kind, and Mesa's OpenCL driver, which is unpacked
# in the build folder. As root with a session daemon of their own.
own_place := $(if $(filter 0,$(shell id -u)),tests/in-own-place)
check-reliability: check-reliability-layers
check-reliability-layers: ## what programs, drivers and machines do to the layers of the APIs, in all its forms
	@scripts/install-dependencies
	@$(MAKE) $(PARALLEL) --no-print-directory programs $(preload_libraries) opencl-test-programs layers-test-programs
	@LONG=1 $(own_place) tests/layers/test_layers.py
	@LONG=1 $(own_place) tests/opencl/test_layer.py
	@$(if $(own_place),tests/opencl/with-rusticl $(BUILD)/rusticl $(own_place) tests/opencl/test_layer.py rusticl)

.PHONY: layers-test-programs check-reliability-layers
