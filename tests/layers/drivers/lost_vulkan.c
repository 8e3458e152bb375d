/* SPDX-License-Identifier: MIT */
/*
 * A Vulkan driver (ICD) that loses its device: lavapipe does the work. $LOST_DRIVER is "FUNCTION NUMBER": that call of the function and
 * all later ones that can tell it return VK_ERROR_DEVICE_LOST, until the program makes another device. With vkGetQueryPoolResults
 * only that one does, since programs have no query of their own. $LOST_QUERIES=never: queries are then not ready, for ever.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <vulkan/vulkan.h>
#include <vulkan/vk_icd.h>

#define DOOR __attribute__((visibility("default")))

static int calls, is_lost, are_queries_lost;
static VkDevice newest;
static PFN_vkGetDeviceProcAddr real_device_address;

static void *driver(const char *name)
{
	static void *library;

	if (!library)
		library = dlopen("libvulkan_lvp.so", RTLD_NOW | RTLD_LOCAL);
	if (!library) {
		fprintf(stderr, "lost driver: %s\n", dlerror());
		_exit(3);
	}
	return dlsym(library, name);
}

/* Whether the device is lost when this is called. What lavapipe has it does first: the program may destroy it from then on. */
static int loses(const char *name)
{
	const char *const wanted = getenv("LOST_DRIVER");
	const size_t length = strlen(name);

	if (wanted && !strncmp(wanted, name, length) && wanted[length] == ' ' && ++calls == atoi(wanted + length)) {
		((PFN_vkDeviceWaitIdle)real_device_address(newest, "vkDeviceWaitIdle"))(newest);
		if (strcmp(name, "vkGetQueryPoolResults"))
			is_lost = 1;
		are_queries_lost = 1;
	}
	return is_lost;
}

#define LOSES(name, parameters, arguments)                                                             \
	static PFN_##name real_##name;                                                                 \
	static VKAPI_ATTR VkResult VKAPI_CALL lost_##name parameters                                   \
	{                                                                                              \
		return loses(#name) ? VK_ERROR_DEVICE_LOST : real_##name arguments;                    \
	}

LOSES(vkQueueSubmit, (VkQueue queue, uint32_t count, const VkSubmitInfo *batches, VkFence fence), (queue, count, batches, fence))
LOSES(vkQueueSubmit2, (VkQueue queue, uint32_t count, const VkSubmitInfo2 *batches, VkFence fence), (queue, count, batches, fence))
LOSES(vkQueueWaitIdle, (VkQueue queue), (queue))
LOSES(vkDeviceWaitIdle, (VkDevice device), (device))
LOSES(vkWaitForFences, (VkDevice device, uint32_t count, const VkFence *fences, VkBool32 all, uint64_t timeout),
      (device, count, fences, all, timeout))
LOSES(vkGetFenceStatus, (VkDevice device, VkFence fence), (device, fence))
LOSES(vkWaitSemaphores, (VkDevice device, const VkSemaphoreWaitInfo *info, uint64_t timeout), (device, info, timeout))
LOSES(vkGetSemaphoreCounterValue, (VkDevice device, VkSemaphore semaphore, uint64_t *value), (device, semaphore, value))

static PFN_vkGetQueryPoolResults real_vkGetQueryPoolResults;
static VKAPI_ATTR VkResult VKAPI_CALL lost_vkGetQueryPoolResults(VkDevice device, VkQueryPool pool, uint32_t first, uint32_t count,
								 size_t size, void *data, VkDeviceSize stride, VkQueryResultFlags flags)
{
	const char *const queries = getenv("LOST_QUERIES");

	loses("vkGetQueryPoolResults");
	if (are_queries_lost)
		return queries && !strcmp(queries, "never") ? VK_NOT_READY : VK_ERROR_DEVICE_LOST;
	return real_vkGetQueryPoolResults(device, pool, first, count, size, data, stride, flags);
}

/* It has no code for that; every command may give this one. */
static PFN_vkGetCalibratedTimestampsEXT real_vkGetCalibratedTimestampsEXT;
static VKAPI_ATTR VkResult VKAPI_CALL lost_vkGetCalibratedTimestampsEXT(VkDevice device, uint32_t count,
									const VkCalibratedTimestampInfoEXT *infos, uint64_t *times,
									uint64_t *deviation)
{
	return is_lost ? VK_ERROR_UNKNOWN : real_vkGetCalibratedTimestampsEXT(device, count, infos, times, deviation);
}

static PFN_vkCreateDevice real_vkCreateDevice;
static VKAPI_ATTR VkResult VKAPI_CALL lost_vkCreateDevice(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
							  const VkAllocationCallbacks *allocator, VkDevice *device)
{
	const VkResult result = real_vkCreateDevice(physical, info, allocator, device);

	is_lost = are_queries_lost = 0;
	newest = *device;
	return result;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_address(VkDevice device, const char *name)
{
	const PFN_vkVoidFunction function = real_device_address(device, name);

#define TAKE(taken)                                                                                    \
	if (function && !strcmp(name, #taken)) {                                                       \
		real_##taken = (PFN_##taken)function;                                                  \
		return (PFN_vkVoidFunction)lost_##taken;                                               \
	}
	TAKE(vkQueueSubmit)
	TAKE(vkQueueSubmit2)
	TAKE(vkQueueWaitIdle)
	TAKE(vkDeviceWaitIdle)
	TAKE(vkWaitForFences)
	TAKE(vkGetFenceStatus)
	TAKE(vkWaitSemaphores)
	TAKE(vkGetSemaphoreCounterValue)
	TAKE(vkGetQueryPoolResults)
	TAKE(vkGetCalibratedTimestampsEXT)
	return function;
}

static PFN_vkVoidFunction address_by(const char *door, VkInstance instance, const char *name)
{
	const PFN_vkGetInstanceProcAddr find = (PFN_vkGetInstanceProcAddr)driver(door);
	const PFN_vkVoidFunction function = find ? find(instance, name) : NULL;

	TAKE(vkCreateDevice)
	if (function && !strcmp(name, "vkGetDeviceProcAddr")) {
		real_device_address = (PFN_vkGetDeviceProcAddr)function;
		return (PFN_vkVoidFunction)device_address;
	}
	return function;
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
