/* SPDX-License-Identifier: MIT */
/* A Vulkan driver (ICD) that ends by itself, see ending.h: lavapipe does the work. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <vulkan/vulkan.h>
#include <vulkan/vk_icd.h>

#include "ending.h"

#define DOOR __attribute__((visibility("default")))

static void *driver(const char *name)
{
	static void *library;

	if (!library)
		library = dlopen("libvulkan_lvp.so", RTLD_NOW | RTLD_LOCAL);
	if (!library) {
		fprintf(stderr, "ending driver: %s\n", dlerror());
		_exit(3);
	}
	return dlsym(library, name);
}

static PFN_vkGetDeviceProcAddr real_device_address;

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_address(VkDevice device, const char *name)
{
	return (PFN_vkVoidFunction)ending_stub(name, (void *)real_device_address(device, name));
}

static PFN_vkVoidFunction address_by(const char *door, VkInstance instance, const char *name)
{
	const PFN_vkGetInstanceProcAddr find = (PFN_vkGetInstanceProcAddr)driver(door);
	const PFN_vkVoidFunction function = find ? find(instance, name) : NULL;

	if (function && !strcmp(name, "vkGetDeviceProcAddr")) {
		real_device_address = (PFN_vkGetDeviceProcAddr)function;
		return (PFN_vkVoidFunction)device_address;
	}
	return (PFN_vkVoidFunction)ending_stub(name, (void *)function);
}

DOOR VKAPI_ATTR VkResult VKAPI_CALL vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *version);
DOOR VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vk_icdGetInstanceProcAddr(VkInstance instance, const char *name);
DOOR VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vk_icdGetPhysicalDeviceProcAddr(VkInstance instance, const char *name);

VkResult vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *version)
{
	const PFN_vkNegotiateLoaderICDInterfaceVersion real =
		(PFN_vkNegotiateLoaderICDInterfaceVersion)driver("vk_icdNegotiateLoaderICDInterfaceVersion");

	return real(version);
}

PFN_vkVoidFunction vk_icdGetInstanceProcAddr(VkInstance instance, const char *name)
{
	return address_by("vk_icdGetInstanceProcAddr", instance, name);
}

PFN_vkVoidFunction vk_icdGetPhysicalDeviceProcAddr(VkInstance instance, const char *name)
{
	return address_by("vk_icdGetPhysicalDeviceProcAddr", instance, name);
}
