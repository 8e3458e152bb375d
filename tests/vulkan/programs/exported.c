/* SPDX-License-Identifier: MIT */
/*
 * exported COUNT: submissions, each with a fence whose SYNC_FD is taken out of the driver and waited for, one after the other, as
 * compositors do it. A driver of a virtual GPU makes a fence of the kernel's for each.
 */
#define GPU_EXTENSION "VK_KHR_external_fence_fd"
#include "work.h"

#include <poll.h>
#include <unistd.h>

static VkFence make_exportable_fence(const struct gpu *gpu)
{
	const VkExportFenceCreateInfo exported = {
		.sType = VK_STRUCTURE_TYPE_EXPORT_FENCE_CREATE_INFO, .handleTypes = VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT};
	const VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, .pNext = &exported};
	VkFence fence;

	CHECK(vkCreateFence(gpu->device, &info, NULL, &fence));
	return fence;
}

static void wait_outside(const struct gpu *gpu, PFN_vkGetFenceFdKHR get, VkFence fence)
{
	const VkFenceGetFdInfoKHR info = {
		.sType = VK_STRUCTURE_TYPE_FENCE_GET_FD_INFO_KHR, .fence = fence, .handleType = VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT};
	struct pollfd file = {.events = POLLIN};

	/* The fence is as if it was reset then. */
	CHECK(get(gpu->device, &info, &file.fd));
	if (file.fd < 0) /* it was signaled already */
		return;
	while (poll(&file, 1, -1) != 1)
		;
	close(file.fd);
}

int main(int count, char **words)
{
	const unsigned submissions = count > 1 ? (unsigned)atoi(words[1]) : 20;
	struct gpu gpu;
	struct work work;
	VkFence fence;

	make_gpu(&gpu, make_instance());
	const PFN_vkGetFenceFdKHR get = (PFN_vkGetFenceFdKHR)vkGetDeviceProcAddr(gpu.device, "vkGetFenceFdKHR");
	make_work(&gpu, &work, 3);
	fence = make_exportable_fence(&gpu);
	for (unsigned i = 0; i < submissions; ++i) {
		submit(&gpu, &work, fence);
		wait_outside(&gpu, get, fence);
	}
	CHECK(vkQueueWaitIdle(gpu.queue));
	printf("exported: %u submissions, %u wrong\n", submissions, wrong_values(&work, submissions));
	vkDestroyFence(gpu.device, fence, NULL);
	free_work(&gpu, &work);
	free_gpu(&gpu);
	vkDestroyInstance(gpu.instance, NULL);
	return 0;
}
