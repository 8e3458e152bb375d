# SPDX-License-Identifier: MIT
#
# What is preloaded into programs of any API to be hard on its layer; included by the Makefile at the top of the tree.

LAYERS_TESTS := $(BUILD)/tests/layers

$(LAYERS_TESTS)/refusal.so: tests/layers/programs/refusal.c $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CC   $@"
	$(Q)$(CC) -std=gnu11 $(filter-out -Wnon-virtual-dtor -Woverloaded-virtual,$(WARNINGS)) -Wno-pedantic $(CXXFLAGS) -fPIC -shared $(LDFLAGS) -o $@ $< -ldl

$(LAYERS_TESTS)/child_storm.so: tests/layers/programs/child_storm.cpp tests/layers/programs/fork_shapes.hpp $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CXX  $@"
	$(Q)$(CXX) $(WARNINGS) -std=c++17 $(CXXFLAGS) -fPIC -shared $(LDFLAGS) -o $@ $< -pthread

layers-test-programs: $(LAYERS_TESTS)/refusal.so $(LAYERS_TESTS)/child_storm.so gl-test-programs vulkan-test-programs hsa-test-programs
.PHONY: layers-test-programs
