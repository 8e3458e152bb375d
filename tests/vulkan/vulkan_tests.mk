# SPDX-License-Identifier: MIT
#
# Programs that use Vulkan as applications do, to be run with and without the layer; included by the Makefile at the top of
# the tree.

VULKAN_TESTS := $(BUILD)/tests/vulkan
vulkan_test_programs := $(VULKAN_TESTS)/work $(VULKAN_TESTS)/exported $(VULKAN_TESTS)/named $(VULKAN_TESTS)/made_up $(VULKAN_TESTS)/calibrated $(VULKAN_TESTS)/presented.so

$(VULKAN_TESTS)/%: tests/vulkan/programs/%.c $(wildcard tests/vulkan/programs/*.h) tests/layers/programs/hardship.h
	@mkdir -p $(@D)
	@echo "  CC   $@"
	$(Q)$(CC) -std=gnu11 -Wall -Wextra $(if $(CI),-Werror) -Wno-unused-result $(CXXFLAGS) $(LDFLAGS) -o $@ $< -lvulkan -pthread -ldl

# Preloaded.
$(VULKAN_TESTS)/%.so: tests/vulkan/programs/%.c
	@mkdir -p $(@D)
	@echo "  CC   $@"
	$(Q)$(CC) -std=gnu11 $(WARNINGS) -Wno-pedantic $(CXXFLAGS) -fPIC -shared $(LDFLAGS) -o $@ $< -ldl

vulkan-test-programs: $(vulkan_test_programs)

.PHONY: vulkan-test-programs
