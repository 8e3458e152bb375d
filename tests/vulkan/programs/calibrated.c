/* SPDX-License-Identifier: MIT */
/*
 * calibrated COUNT: submissions with timestamps of the program's own in the command buffer, and readings of the device's clock together with
 * the host's before and after each. Prints a line for each: its number; host's ns when it was about to be submitted; the device's ns at
 * its begin and end; host's ns when the program knew of the end; the two readings (device, host); the larger of what the driver says that
 * they may be wrong by.
 */
#define GPU_EXTENSION "VK_EXT_calibrated_timestamps"
#include "work.h"

struct reading {
	uint64_t device, host, deviation;
};

static PFN_vkGetCalibratedTimestampsEXT get;
static double period;
static uint64_t mask;

static struct reading read_clocks(const struct gpu *gpu)
{
	const VkCalibratedTimestampInfoEXT domains[2] = {
		{.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT, .timeDomain = VK_TIME_DOMAIN_DEVICE_EXT},
		{.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT, .timeDomain = VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT}};
	struct reading reading;
	uint64_t values[2];

	CHECK(get(gpu->device, 2, domains, values, &reading.deviation));
	reading.device = (uint64_t)((double)(values[0] & mask) * period);
	reading.host = values[1];
	return reading;
}

/* The work's command buffer again, between two timestamps. */
static void record_timed(const struct gpu *gpu, const struct work *work, VkQueryPool queries)
{
	const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};

	CHECK(vkBeginCommandBuffer(work->commands, &begin));
	vkCmdResetQueryPool(work->commands, queries, 0, 2);
	vkCmdWriteTimestamp(work->commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, queries, 0);
	vkCmdBindPipeline(work->commands, VK_PIPELINE_BIND_POINT_COMPUTE, gpu->pipeline);
	vkCmdBindDescriptorSets(work->commands, VK_PIPELINE_BIND_POINT_COMPUTE, gpu->layout, 0, 1, &work->set, 0, NULL);
	vkCmdPushConstants(work->commands, gpu->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(work->rounds), &work->rounds);
	vkCmdDispatch(work->commands, VALUES / 64, 1, 1);
	vkCmdWriteTimestamp(work->commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, 1);
	CHECK(vkEndCommandBuffer(work->commands));
}

int main(int count, char **words)
{
	const unsigned submissions = count > 1 ? (unsigned)atoi(words[1]) : 1000;
	const VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryType = VK_QUERY_TYPE_TIMESTAMP, .queryCount = 2};
	VkQueueFamilyProperties families[16];
	VkPhysicalDeviceProperties properties;
	uint32_t families_count = 16;
	struct gpu gpu;
	struct work work;
	VkQueryPool queries;

	make_gpu(&gpu, make_instance());
	get = (PFN_vkGetCalibratedTimestampsEXT)vkGetDeviceProcAddr(gpu.device, "vkGetCalibratedTimestampsEXT");
	vkGetPhysicalDeviceProperties(gpu.physical, &properties);
	period = (double)properties.limits.timestampPeriod;
	vkGetPhysicalDeviceQueueFamilyProperties(gpu.physical, &families_count, families);
	mask = ~UINT64_C(0) >> (64 - families[gpu.family].timestampValidBits);
	make_work(&gpu, &work, 20);
	CHECK(vkCreateQueryPool(gpu.device, &info, NULL, &queries));
	record_timed(&gpu, &work, queries);
	const VkFence fence = make_fence(&gpu);

	for (unsigned i = 1; i <= submissions; ++i) {
		const struct reading before = read_clocks(&gpu);
		const uint64_t begin = now_ns();
		uint64_t times[2];

		submit(&gpu, &work, fence);
		CHECK(vkWaitForFences(gpu.device, 1, &fence, VK_TRUE, UINT64_MAX));
		const uint64_t end = now_ns();
		const struct reading after = read_clocks(&gpu);

		CHECK(vkResetFences(gpu.device, 1, &fence));
		CHECK(vkGetQueryPoolResults(gpu.device, queries, 0, 2, sizeof(times), times, sizeof(times[0]), VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
		printf("%u %llu %llu %llu %llu %llu %llu %llu %llu %llu\n", i, (unsigned long long)begin,
		       (unsigned long long)((double)(times[0] & mask) * period), (unsigned long long)((double)(times[1] & mask) * period),
		       (unsigned long long)end, (unsigned long long)before.device, (unsigned long long)before.host, (unsigned long long)after.device,
		       (unsigned long long)after.host, (unsigned long long)(before.deviation > after.deviation ? before.deviation : after.deviation));
	}
	printf("calibrated: %u wrong\n", wrong_values(&work, submissions));
	vkDestroyFence(gpu.device, fence, NULL);
	vkDestroyQueryPool(gpu.device, queries, NULL);
	free_work(&gpu, &work);
	free_gpu(&gpu);
	vkDestroyInstance(gpu.instance, NULL);
	return 0;
}
