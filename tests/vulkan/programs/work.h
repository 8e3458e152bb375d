/* SPDX-License-Identifier: MIT */
/*
 * What the test programs have in common: an instance, a device with a compute queue, and a shader whose result is known
 * on the CPU, too.
 */
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <vulkan/vulkan.h>

#include "shader.h"

#define CHECK(call)                                                                                    \
	do {                                                                                           \
		VkResult result_ = (call);                                                             \
		if (result_ != VK_SUCCESS) {                                                           \
			printf("%s: %d\n", #call, result_);                                            \
			exit(3);                                                                       \
		}                                                                                      \
	} while (0)

enum { VALUES = 1024 };

struct gpu {
	VkInstance instance;
	VkPhysicalDevice physical;
	VkDevice device;
	VkQueue queue;
	uint32_t family;
	VkDescriptorSetLayout set_layout;
	VkPipelineLayout layout;
	VkPipeline pipeline;
	VkDescriptorPool descriptors;
	VkCommandPool commands;
};

/* One dispatch and what it works on. */
struct work {
	VkBuffer buffer;
	VkDeviceMemory memory;
	uint32_t *values;
	VkDescriptorSet set;
	VkCommandBuffer commands;
	uint32_t rounds;
};

static inline uint64_t now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static inline VkInstance make_instance(void)
{
	const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_3};
	VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application};
	VkInstance instance;
#ifdef INSTANCE_EXTENSION
	const char *const extension = INSTANCE_EXTENSION;

	info.enabledExtensionCount = 1;
	info.ppEnabledExtensionNames = &extension;
#endif

	CHECK(vkCreateInstance(&info, NULL, &instance));
	return instance;
}

static inline void make_device(struct gpu *gpu)
{
	const float priority = 1;
	const VkDeviceQueueCreateInfo queue = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueFamilyIndex = gpu->family, .queueCount = 1, .pQueuePriorities = &priority};
	VkPhysicalDeviceVulkan13Features features13 = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .synchronization2 = VK_TRUE};
	const VkPhysicalDeviceVulkan12Features features = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &features13, .timelineSemaphore = VK_TRUE};
	VkDeviceCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .pNext = &features, .queueCreateInfoCount = 1, .pQueueCreateInfos = &queue};
#ifdef GPU_EXTENSION /* what the program needs besides */
	const char *const extension = GPU_EXTENSION;

	info.enabledExtensionCount = 1;
	info.ppEnabledExtensionNames = &extension;
#endif

	CHECK(vkCreateDevice(gpu->physical, &info, NULL, &gpu->device));
	vkGetDeviceQueue(gpu->device, gpu->family, 0, &gpu->queue);
}

static inline void make_pipeline(struct gpu *gpu)
{
	const VkDescriptorSetLayoutBinding binding = {
		.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .descriptorCount = 1, .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
	const VkDescriptorSetLayoutCreateInfo set_info = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 1, .pBindings = &binding};
	const VkPushConstantRange range = {.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT, .size = sizeof(uint32_t)};
	const VkShaderModuleCreateInfo module_info = {
		.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = sizeof(shader_words), .pCode = shader_words};
	VkShaderModule module;

	CHECK(vkCreateDescriptorSetLayout(gpu->device, &set_info, NULL, &gpu->set_layout));
	const VkPipelineLayoutCreateInfo layout_info = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1, .pSetLayouts = &gpu->set_layout,
		.pushConstantRangeCount = 1, .pPushConstantRanges = &range};
	CHECK(vkCreatePipelineLayout(gpu->device, &layout_info, NULL, &gpu->layout));
	CHECK(vkCreateShaderModule(gpu->device, &module_info, NULL, &module));
	const VkComputePipelineCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
		.stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = VK_SHADER_STAGE_COMPUTE_BIT,
			  .module = module, .pName = "main"},
		.layout = gpu->layout};
	CHECK(vkCreateComputePipelines(gpu->device, VK_NULL_HANDLE, 1, &info, NULL, &gpu->pipeline));
	vkDestroyShaderModule(gpu->device, module, NULL);
	const VkDescriptorPoolSize size = {.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .descriptorCount = 64};
	const VkDescriptorPoolCreateInfo pool_info = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 64, .poolSizeCount = 1, .pPoolSizes = &size};
	CHECK(vkCreateDescriptorPool(gpu->device, &pool_info, NULL, &gpu->descriptors));
	const VkCommandPoolCreateInfo commands_info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
		.queueFamilyIndex = gpu->family};
	CHECK(vkCreateCommandPool(gpu->device, &commands_info, NULL, &gpu->commands));
}

/* The instance stays its owner's. */
static inline void make_gpu(struct gpu *gpu, VkInstance instance)
{
	VkQueueFamilyProperties families[16];
	uint32_t count = 1, families_count = 16;
	const VkResult found = vkEnumeratePhysicalDevices(instance, &count, &gpu->physical);

	gpu->instance = instance;
	if (count != 1 || (found != VK_SUCCESS && found != VK_INCOMPLETE)) {
		puts("no device");
		exit(4);
	}
	vkGetPhysicalDeviceQueueFamilyProperties(gpu->physical, &families_count, families);
	for (gpu->family = 0; gpu->family < families_count; ++gpu->family)
		if (families[gpu->family].queueFlags & VK_QUEUE_COMPUTE_BIT)
			break;
	make_device(gpu);
	make_pipeline(gpu);
}

static inline uint32_t find_memory(const struct gpu *gpu, uint32_t types)
{
	const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
	VkPhysicalDeviceMemoryProperties known;

	vkGetPhysicalDeviceMemoryProperties(gpu->physical, &known);
	for (uint32_t i = 0; i < known.memoryTypeCount; ++i)
		if ((types >> i & 1) && (known.memoryTypes[i].propertyFlags & wanted) == wanted)
			return i;
	puts("no memory");
	exit(4);
}

static inline void record_work(const struct gpu *gpu, struct work *work)
{
	const VkCommandBufferBeginInfo begin = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, .flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT}; // it may be submitted while it is executed

	CHECK(vkBeginCommandBuffer(work->commands, &begin));
	vkCmdBindPipeline(work->commands, VK_PIPELINE_BIND_POINT_COMPUTE, gpu->pipeline);
	vkCmdBindDescriptorSets(work->commands, VK_PIPELINE_BIND_POINT_COMPUTE, gpu->layout, 0, 1, &work->set, 0, NULL);
	vkCmdPushConstants(work->commands, gpu->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(work->rounds), &work->rounds);
	vkCmdDispatch(work->commands, VALUES / 64, 1, 1);
	const VkMemoryBarrier barrier = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
		.dstAccessMask = VK_ACCESS_HOST_READ_BIT | VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT};
	vkCmdPipelineBarrier(work->commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
			     VK_PIPELINE_STAGE_HOST_BIT | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
	CHECK(vkEndCommandBuffer(work->commands));
}

static inline void make_work(const struct gpu *gpu, struct work *work, uint32_t rounds)
{
	const VkBufferCreateInfo buffer = {
		.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = VALUES * sizeof(uint32_t), .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
	VkMemoryRequirements needs;

	work->rounds = rounds;
	CHECK(vkCreateBuffer(gpu->device, &buffer, NULL, &work->buffer));
	vkGetBufferMemoryRequirements(gpu->device, work->buffer, &needs);
	const VkMemoryAllocateInfo memory = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = needs.size, .memoryTypeIndex = find_memory(gpu, needs.memoryTypeBits)};
	CHECK(vkAllocateMemory(gpu->device, &memory, NULL, &work->memory));
	CHECK(vkBindBufferMemory(gpu->device, work->buffer, work->memory, 0));
	CHECK(vkMapMemory(gpu->device, work->memory, 0, VK_WHOLE_SIZE, 0, (void **)&work->values));
	for (uint32_t i = 0; i < VALUES; ++i)
		work->values[i] = i + 1;
	const VkDescriptorSetAllocateInfo set = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, .descriptorPool = gpu->descriptors, .descriptorSetCount = 1,
		.pSetLayouts = &gpu->set_layout};
	CHECK(vkAllocateDescriptorSets(gpu->device, &set, &work->set));
	const VkDescriptorBufferInfo range = {.buffer = work->buffer, .range = VK_WHOLE_SIZE};
	const VkWriteDescriptorSet write = {
		.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstSet = work->set, .descriptorCount = 1,
		.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .pBufferInfo = &range};
	vkUpdateDescriptorSets(gpu->device, 1, &write, 0, NULL);
	const VkCommandBufferAllocateInfo commands = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = gpu->commands, .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
		.commandBufferCount = 1};
	CHECK(vkAllocateCommandBuffers(gpu->device, &commands, &work->commands));
	record_work(gpu, work);
}

/* How many values are not what `times` dispatches make of them. */
static inline unsigned wrong_values(const struct work *work, unsigned times)
{
	unsigned wrong = 0;

	for (uint32_t i = 0; i < VALUES; ++i) {
		uint32_t value = i + 1;

		for (unsigned j = 0; j < times * work->rounds; ++j)
			value = value * 1664525u + i;
		wrong += work->values[i] != value;
	}
	return wrong;
}

static inline void free_work(const struct gpu *gpu, const struct work *work)
{
	vkFreeCommandBuffers(gpu->device, gpu->commands, 1, &work->commands);
	vkDestroyBuffer(gpu->device, work->buffer, NULL);
	vkFreeMemory(gpu->device, work->memory, NULL);
}

static inline void free_gpu(const struct gpu *gpu)
{
	vkDestroyCommandPool(gpu->device, gpu->commands, NULL);
	vkDestroyDescriptorPool(gpu->device, gpu->descriptors, NULL);
	vkDestroyPipeline(gpu->device, gpu->pipeline, NULL);
	vkDestroyPipelineLayout(gpu->device, gpu->layout, NULL);
	vkDestroyDescriptorSetLayout(gpu->device, gpu->set_layout, NULL);
	vkDestroyDevice(gpu->device, NULL);
}

static inline VkFence make_fence(const struct gpu *gpu)
{
	const VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
	VkFence fence;

	CHECK(vkCreateFence(gpu->device, &info, NULL, &fence));
	return fence;
}

static inline void submit(const struct gpu *gpu, const struct work *work, VkFence fence)
{
	const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &work->commands};

	CHECK(vkQueueSubmit(gpu->queue, 1, &info, fence));
}
