/* SPDX-License-Identifier: MIT */
/*
 * made_up LAYER MODE: the layer above a next layer that is made up here, for what lavapipe cannot do. Prints what it did; each call
 * must have reached the next layer once.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

struct object {
	void *loader_data;
};
static struct object made_instance = {&made_instance}, made_device = {&made_device}, made_physical = {&made_instance}, made_queue = {&made_device},
		     made_commands = {&made_device};
static VkInstance instance;
static VkDevice device;
static const VkQueue queue = (VkQueue)&made_queue;
static const VkCommandBuffer commands = (VkCommandBuffer)&made_commands;
static VkNegotiateLayerInterface doors = {LAYER_NEGOTIATE_INTERFACE_STRUCT, NULL, 2, NULL, NULL, NULL};
static unsigned reached;

/* The next layer. */

static VkResult create_instance(const VkInstanceCreateInfo *info, const VkAllocationCallbacks *allocator, VkInstance *made)
{
	(void)info, (void)allocator;
	*made = (VkInstance)&made_instance;
	return VK_SUCCESS;
}

static VkResult create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo *info, const VkAllocationCallbacks *allocator, VkDevice *made)
{
	(void)physical, (void)info, (void)allocator;
	*made = (VkDevice)&made_device;
	return VK_SUCCESS;
}

static void destroy(void *object, const VkAllocationCallbacks *allocator)
{
	(void)object, (void)allocator;
}

static void tell_properties(VkPhysicalDevice physical, VkPhysicalDeviceProperties *told)
{
	(void)physical;
	memset(told, 0, sizeof(*told));
}

static void tell_families(VkPhysicalDevice physical, uint32_t *count, VkQueueFamilyProperties *told)
{
	(void)physical;
	*count = 1;
	if (told)
		memset(told, 0, sizeof(*told));
}

static void give_queue(VkDevice owner, uint32_t family, uint32_t index, VkQueue *given)
{
	(void)owner, (void)family, (void)index;
	*given = queue;
}

/* Stands for all others: their arguments are in registers or on the stack, and are nobody's. */
static VkResult do_nothing(void)
{
	__atomic_add_fetch(&reached, 1, __ATOMIC_RELAXED);
	return VK_SUCCESS;
}

static PFN_vkVoidFunction next_address(void *object, const char *name)
{
	(void)object;
	if (!strcmp(name, "vkCreateInstance"))
		return (PFN_vkVoidFunction)create_instance;
	if (!strcmp(name, "vkCreateDevice"))
		return (PFN_vkVoidFunction)create_device;
	if (!strcmp(name, "vkDestroyInstance") || !strcmp(name, "vkDestroyDevice"))
		return (PFN_vkVoidFunction)destroy;
	if (!strcmp(name, "vkGetPhysicalDeviceProperties"))
		return (PFN_vkVoidFunction)tell_properties;
	if (!strcmp(name, "vkGetPhysicalDeviceQueueFamilyProperties"))
		return (PFN_vkVoidFunction)tell_families;
	if (!strcmp(name, "vkGetDeviceQueue"))
		return (PFN_vkVoidFunction)give_queue;
	return (PFN_vkVoidFunction)do_nothing;
}

/* The program. */

#define FUNCTION(name) ((PFN_##name)doors.pfnGetDeviceProcAddr(device, #name))

static void open_layer(const char *path)
{
	PFN_vkNegotiateLoaderLayerInterfaceVersion negotiate;
	void *const layer = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	VkLayerInstanceLink link = {.pfnNextGetInstanceProcAddr = (PFN_vkGetInstanceProcAddr)next_address};
	VkLayerInstanceCreateInfo chain = {.sType = VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO, .function = VK_LAYER_LINK_INFO, .u.pLayerInfo = &link};
	const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pNext = &chain};
	VkLayerDeviceLink device_link = {.pfnNextGetInstanceProcAddr = (PFN_vkGetInstanceProcAddr)next_address,
					 .pfnNextGetDeviceProcAddr = (PFN_vkGetDeviceProcAddr)next_address};
	VkLayerDeviceCreateInfo device_chain = {
		.sType = VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO, .function = VK_LAYER_LINK_INFO, .u.pLayerInfo = &device_link};
	const VkDeviceCreateInfo device_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .pNext = &device_chain};
	VkQueue given;

	*(void **)&negotiate = layer ? dlsym(layer, "vkNegotiateLoaderLayerInterfaceVersion") : NULL;
	if (!negotiate || negotiate(&doors) != VK_SUCCESS)
		exit(3);
	if (((PFN_vkCreateInstance)doors.pfnGetInstanceProcAddr(NULL, "vkCreateInstance"))(&info, NULL, &instance) != VK_SUCCESS ||
	    ((PFN_vkCreateDevice)doors.pfnGetInstanceProcAddr(instance, "vkCreateDevice"))((VkPhysicalDevice)&made_physical, &device_info, NULL, &device) !=
		    VK_SUCCESS)
		exit(4);
	FUNCTION(vkGetDeviceQueue)(device, 0, 0, &given);
}

static void close_layer(void)
{
	FUNCTION(vkDestroyDevice)(device, NULL);
	((PFN_vkDestroyInstance)doors.pfnGetInstanceProcAddr(instance, "vkDestroyInstance"))(instance, NULL);
}

static void present(uint32_t swapchains)
{
	const VkSwapchainKHR presented[2] = {(VkSwapchainKHR)0x5a1, (VkSwapchainKHR)0x5a2};
	const uint32_t images[2] = {0, 0};
	const VkPresentInfoKHR info = {
		.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR, .swapchainCount = swapchains, .pSwapchains = presented, .pImageIndices = images};

	FUNCTION(vkQueuePresentKHR)(queue, &info);
}

enum { THREADS = 20, DRAWS_OF_THREAD = 1000 };

static void *draw_in_thread(void *unused)
{
	const PFN_vkCmdDraw draw = FUNCTION(vkCmdDraw);

	(void)unused;
	for (int i = 0; i < DRAWS_OF_THREAD; ++i)
		draw(commands, 3, 1, 0, 0);
	return NULL;
}

/* In frames of one swapchain: 5 draw calls and 2 dispatches; none; of 20 threads 20000; and of two at once, 1. */
static void use_draws(void)
{
	pthread_t threads[THREADS];

	FUNCTION(vkCmdDraw)(commands, 3, 1, 0, 0);
	FUNCTION(vkCmdDrawIndexed)(commands, 3, 1, 0, 0, 0);
	FUNCTION(vkCmdDrawIndirect)(commands, (VkBuffer)1, 0, 9, 0);
	FUNCTION(vkCmdDrawIndexedIndirectCountKHR)(commands, (VkBuffer)1, 0, (VkBuffer)1, 0, 9, 0);
	FUNCTION(vkCmdDrawMeshTasksEXT)(commands, 1, 1, 1);
	FUNCTION(vkCmdDispatch)(commands, 1, 1, 1);
	FUNCTION(vkCmdDispatchIndirect)(commands, (VkBuffer)1, 0);
	present(1);
	present(1);
	for (int i = 0; i < THREADS; ++i)
		if (pthread_create(&threads[i], NULL, draw_in_thread, NULL) != 0)
			exit(5);
	for (int i = 0; i < THREADS; ++i)
		pthread_join(threads[i], NULL);
	present(1);
	FUNCTION(vkCmdDraw)(commands, 3, 1, 0, 0);
	present(2);
}

static void use_sparse(void)
{
	const VkSemaphore semaphores[3] = {(VkSemaphore)1, (VkSemaphore)2, (VkSemaphore)3};
	const VkBindSparseInfo batches[2] = {
		{.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO, .waitSemaphoreCount = 1, .pWaitSemaphores = semaphores},
		{.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO, .waitSemaphoreCount = 2, .pWaitSemaphores = semaphores, .signalSemaphoreCount = 3,
		 .pSignalSemaphores = semaphores}};

	FUNCTION(vkQueueBindSparse)(queue, 2, batches, (VkFence)0xfe);
	FUNCTION(vkQueueBindSparse)(queue, 0, NULL, VK_NULL_HANDLE);
}

static void use_files(void)
{
	const VkFenceGetFdInfoKHR fence = {.sType = VK_STRUCTURE_TYPE_FENCE_GET_FD_INFO_KHR};
	const VkImportFenceFdInfoKHR other_fence = {.sType = VK_STRUCTURE_TYPE_IMPORT_FENCE_FD_INFO_KHR};
	const VkSemaphoreGetFdInfoKHR semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR};
	const VkImportSemaphoreFdInfoKHR other_semaphore = {.sType = VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR};
	int file = -1;

	FUNCTION(vkGetFenceFdKHR)(device, &fence, &file);
	FUNCTION(vkImportFenceFdKHR)(device, &other_fence);
	FUNCTION(vkGetSemaphoreFdKHR)(device, &semaphore, &file);
	FUNCTION(vkImportSemaphoreFdKHR)(device, &other_semaphore);
}

int main(int count, char **words)
{
	const char *const mode = count > 2 ? words[2] : "";

	if (count < 3)
		return 2;
	open_layer(words[1]);
	if (!strcmp(mode, "draws"))
		use_draws();
	else if (!strcmp(mode, "sparse"))
		use_sparse();
	else if (!strcmp(mode, "files"))
		use_files();
	else
		return 2;
	printf("%s: %u calls; draw calls are %s\n", mode, reached,
	       doors.pfnGetDeviceProcAddr(device, "vkCmdDraw") == (PFN_vkVoidFunction)do_nothing ? "the next layer's" : "wrapped");
	close_layer();
	return 0;
}
