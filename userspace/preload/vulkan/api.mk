# SPDX-License-Identifier: MIT
# What the Vulkan layer is generated from, and the manifest by which the loader finds it; included by preload.mk.

VULKAN_REGISTRY ?= /usr/share/vulkan/registry/vk.xml
vulkan_registry := $(VULKAN_REGISTRY)
vulkan_registry_files := $(VULKAN_REGISTRY)
# A program may find the layer by two manifests, of an installed one and of one in a build folder.
vulkan_provider_flags := -DLTTNG_GPU_ONE_COPY

# Below a folder that XDG_DATA_DIRS can name. The path in it is relative to the manifest.
vulkan_manifest_name := lttng_gpu_vulkan.json
vulkan_manifest := $(BUILD)/share/vulkan/implicit_layer.d/$(vulkan_manifest_name)

$(vulkan_manifest): $(PRELOAD_DIR)/vulkan/manifest.json
	@mkdir -p $(@D)
	@echo "  GEN  $@"
	$(Q)sed 's,@LIBRARY@,../../../liblttng-gpu-vulkan.so,' $< >$@

$(BUILD)/liblttng-gpu-vulkan.so: | $(vulkan_manifest)

# Where the loader looks without being told, with the library's full path.
install-vulkan-manifest:
	install -d $(DESTDIR)$(prefix)/share/vulkan/implicit_layer.d
	sed 's,@LIBRARY@,$(libdir)/lttng-gpu/liblttng-gpu-vulkan.so,' $(PRELOAD_DIR)/vulkan/manifest.json \
	    >$(DESTDIR)$(prefix)/share/vulkan/implicit_layer.d/$(vulkan_manifest_name)

.PHONY: install-vulkan-manifest
