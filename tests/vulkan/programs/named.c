/* SPDX-License-Identifier: MIT */
/* named: gives names to a queue and to a command buffer, and labels to what it submits. Prints the handles, which an event must have. */
#define INSTANCE_EXTENSION "VK_EXT_debug_utils"
#include "work.h"

static void name(const struct gpu *gpu, VkObjectType type, uint64_t object, const char *text)
{
	const PFN_vkSetDebugUtilsObjectNameEXT set = (PFN_vkSetDebugUtilsObjectNameEXT)vkGetInstanceProcAddr(gpu->instance, "vkSetDebugUtilsObjectNameEXT");
	const VkDebugUtilsObjectNameInfoEXT info = {
		.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT, .objectType = type, .objectHandle = object, .pObjectName = text};

	CHECK(set(gpu->device, &info));
	printf("%d %llu %s\n", type, (unsigned long long)object, text);
}

int main(void)
{
	const VkDebugUtilsLabelEXT outer = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, .pLabelName = "shadows"};
	const VkDebugUtilsLabelEXT point = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, .pLabelName = "half of them"};
	struct gpu gpu;
	struct work work;

	make_gpu(&gpu, make_instance());
	make_work(&gpu, &work, 2);
	const PFN_vkQueueBeginDebugUtilsLabelEXT begin = (PFN_vkQueueBeginDebugUtilsLabelEXT)vkGetInstanceProcAddr(gpu.instance, "vkQueueBeginDebugUtilsLabelEXT");
	const PFN_vkQueueEndDebugUtilsLabelEXT end = (PFN_vkQueueEndDebugUtilsLabelEXT)vkGetInstanceProcAddr(gpu.instance, "vkQueueEndDebugUtilsLabelEXT");
	const PFN_vkQueueInsertDebugUtilsLabelEXT insert =
		(PFN_vkQueueInsertDebugUtilsLabelEXT)vkGetInstanceProcAddr(gpu.instance, "vkQueueInsertDebugUtilsLabelEXT");

	name(&gpu, VK_OBJECT_TYPE_QUEUE, (uint64_t)gpu.queue, "transfers");
	name(&gpu, VK_OBJECT_TYPE_COMMAND_BUFFER, (uint64_t)work.commands, "upload of a map");
	name(&gpu, VK_OBJECT_TYPE_COMMAND_BUFFER, (uint64_t)work.commands, ""); // Mesa 22.3 has no memory for a null pointer
	begin(gpu.queue, &outer);
	submit(&gpu, &work, VK_NULL_HANDLE);
	insert(gpu.queue, &point);
	submit(&gpu, &work, VK_NULL_HANDLE);
	end(gpu.queue);
	CHECK(vkQueueWaitIdle(gpu.queue));
	printf("named: %u wrong\n", wrong_values(&work, 2));
	free_work(&gpu, &work);
	free_gpu(&gpu);
	vkDestroyInstance(gpu.instance, NULL);
	return 0;
}
