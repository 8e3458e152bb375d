// SPDX-License-Identifier: MIT
//
// calls: what Vulkan calls cost in this process, with whatever layer it runs. Reads names of measurements from standard
// input, one a line, and answers each with nanoseconds per call (the least of many short measurements): the benchmark drives several such processes in turn, so
// that all see the same machine.
//
//   submit   vkQueueSubmit of nothing, without a fence: the shortest submission
//   status   vkGetFenceStatus
//   record   vkBeginCommandBuffer and vkEndCommandBuffer of one buffer, both together
//   draw     vkCmdDispatch, which the layer does not wrap
//   work     vkQueueSubmit of one command buffer and the wait for it
#include "tests/vulkan/programs/work.h"

/* The least of many short measurements: what other programs do to the machine is not in it. */
enum { CALLS = 500, WORKS = 10, TIMES = 40 };

static double measure(const struct gpu *gpu, const struct work *work, VkFence fence, const char *what)
{
	const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
	uint64_t start;
	unsigned calls = CALLS;

	start = now_ns();
	if (!strcmp(what, "submit")) {
		for (unsigned i = 0; i < calls; ++i)
			vkQueueSubmit(gpu->queue, 0, NULL, VK_NULL_HANDLE);
	} else if (!strcmp(what, "status")) {
		for (unsigned i = 0; i < calls; ++i)
			vkGetFenceStatus(gpu->device, fence);
	} else if (!strcmp(what, "record")) {
		for (unsigned i = 0; i < calls; ++i) {
			vkBeginCommandBuffer(work[1].commands, &begin);
			vkEndCommandBuffer(work[1].commands);
		}
	} else if (!strcmp(what, "draw")) {
		vkBeginCommandBuffer(work[1].commands, &begin);
		vkCmdBindPipeline(work[1].commands, VK_PIPELINE_BIND_POINT_COMPUTE, gpu->pipeline);
		start = now_ns();
		for (unsigned i = 0; i < calls; ++i)
			vkCmdDispatch(work[1].commands, 1, 1, 1);
		const double cost = (double)(now_ns() - start) / calls;

		vkEndCommandBuffer(work[1].commands);
		return cost;
	} else if (!strcmp(what, "work")) {
		calls = WORKS;
		for (unsigned i = 0; i < calls; ++i) {
			submit(gpu, &work[0], fence);
			vkWaitForFences(gpu->device, 1, &fence, VK_TRUE, UINT64_MAX);
			vkResetFences(gpu->device, 1, &fence);
		}
	} else {
		exit(2);
	}
	return (double)(now_ns() - start) / calls;
}

int main(void)
{
	struct gpu gpu;
	struct work work[2];
	char line[64];

	make_gpu(&gpu, make_instance());
	make_work(&gpu, &work[0], 1);
	make_work(&gpu, &work[1], 1);
	const VkFence fence = make_fence(&gpu);
	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = 0;
		double least = 0;

		for (int i = 0; i < TIMES; ++i) {
			const double cost = measure(&gpu, work, fence, line);

			least = i == 0 || cost < least ? cost : least;
		}
		printf("%.2f\n", least);
		fflush(stdout);
	}
	return 0;
}
