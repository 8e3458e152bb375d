/* SPDX-License-Identifier: MIT */
/* lost_vulkan fences|timelines|leaves: a program whose device is lost (../drivers/lost_vulkan.c). It prints each result, tries
 * on for some rounds, frees all, and does the same with another device; `leaves` ends instead, with nothing freed. */
#include "../../vulkan/programs/work.h"

#define TELL(what, call) printf("%s: %d\n", what, call)

enum { ROUNDS = 12 };
static const uint64_t longest_ns = 20000000000;

static void use_fences(const struct gpu *gpu, const struct work *work)
{
	const VkFence fence = make_fence(gpu);
	const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &work->commands};

	for (int i = 0; i < ROUNDS; ++i) {
		TELL("submit", vkQueueSubmit(gpu->queue, 1, &info, VK_NULL_HANDLE));
		TELL("submit", vkQueueSubmit(gpu->queue, 1, &info, fence));
		TELL("wait", vkWaitForFences(gpu->device, 1, &fence, VK_TRUE, longest_ns));
		TELL("status", vkGetFenceStatus(gpu->device, fence));
		TELL("reset", vkResetFences(gpu->device, 1, &fence));
	}
	TELL("queue", vkQueueWaitIdle(gpu->queue));
	TELL("device", vkDeviceWaitIdle(gpu->device));
	vkDestroyFence(gpu->device, fence, NULL);
}

static void use_timelines(const struct gpu *gpu, const struct work *work)
{
	const VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO, .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
	const VkSemaphoreCreateInfo made = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type};
	const VkCommandBufferSubmitInfo commands = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, .commandBuffer = work->commands};
	VkSemaphore timeline;

	CHECK(vkCreateSemaphore(gpu->device, &made, NULL, &timeline));
	for (uint64_t i = 1; i <= ROUNDS; ++i) {
		const VkSemaphoreSubmitInfo signal = {
			.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, .semaphore = timeline, .value = i, .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
		const VkSubmitInfo2 info = {
			.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2, .commandBufferInfoCount = 1, .pCommandBufferInfos = &commands,
			.signalSemaphoreInfoCount = 1, .pSignalSemaphoreInfos = &signal};
		const VkSemaphoreWaitInfo wait = {
			.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO, .semaphoreCount = 1, .pSemaphores = &timeline, .pValues = &i};
		uint64_t value = 0;

		TELL("submit", vkQueueSubmit2(gpu->queue, 1, &info, VK_NULL_HANDLE));
		TELL("wait", vkWaitSemaphores(gpu->device, &wait, longest_ns));
		TELL("value", vkGetSemaphoreCounterValue(gpu->device, timeline, &value));
	}
	vkDestroySemaphore(gpu->device, timeline, NULL);
}

int main(int count, char **words)
{
	const char *const mode = count > 1 ? words[1] : "";
	const VkInstance instance = make_instance();

	for (int i = 0; i < 2; ++i) {
		struct gpu gpu;
		struct work work;

		make_gpu(&gpu, instance);
		make_work(&gpu, &work, 3);
		if (!strcmp(mode, "timelines"))
			use_timelines(&gpu, &work);
		else
			use_fences(&gpu, &work);
		if (!strcmp(mode, "leaves"))
			exit(7);
		if (i)
			printf("another device: %u wrong\n", wrong_values(&work, strcmp(mode, "timelines") ? 2 * ROUNDS : ROUNDS));
		free_work(&gpu, &work);
		free_gpu(&gpu);
	}
	vkDestroyInstance(instance, NULL);
	return 6;
}
