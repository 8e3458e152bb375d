// SPDX-License-Identifier: MIT
//
// work MODE: uses Vulkan as programs do, and prints the same in every run.
#include "../../layers/programs/hardship.h"
#include "work.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static void wait_for(const struct gpu *gpu, VkFence fence)
{
	CHECK(vkWaitForFences(gpu->device, 1, &fence, VK_TRUE, UINT64_MAX));
	CHECK(vkGetFenceStatus(gpu->device, fence));
	CHECK(vkResetFences(gpu->device, 1, &fence));
}

static void use_fences(struct gpu *gpu)
{
	struct work work;
	VkFence fence = make_fence(gpu);

	make_work(gpu, &work, 3);
	printf("not signaled: %d\n", vkWaitForFences(gpu->device, 1, &fence, VK_TRUE, 1000));
	for (int i = 0; i < 20; ++i) {
		submit(gpu, &work, fence);
		wait_for(gpu, fence);
	}
	printf("fences: %u wrong\n", wrong_values(&work, 20));
	CHECK(vkQueueSubmit(gpu->queue, 0, NULL, fence)); // only the fence
	wait_for(gpu, fence);
	submit(gpu, &work, VK_NULL_HANDLE);
	CHECK(vkQueueWaitIdle(gpu->queue));
	CHECK(vkResetCommandBuffer(work.commands, 0));
	record_work(gpu, &work);
	submit(gpu, &work, VK_NULL_HANDLE);
	CHECK(vkDeviceWaitIdle(gpu->device));
	printf("idle: %u wrong\n", wrong_values(&work, 22));
	vkDestroyFence(gpu->device, fence, NULL);
	free_work(gpu, &work);
}

static void submit_at(const struct gpu *gpu, const struct work *work, VkSemaphore timeline, uint64_t after)
{
	const VkSemaphoreSubmitInfo wait = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, .semaphore = timeline, .value = after, .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
	VkSemaphoreSubmitInfo signal = wait;
	const VkCommandBufferSubmitInfo commands = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, .commandBuffer = work->commands};
	const VkSubmitInfo2 info = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2, .waitSemaphoreInfoCount = 1, .pWaitSemaphoreInfos = &wait,
		.commandBufferInfoCount = 1, .pCommandBufferInfos = &commands, .signalSemaphoreInfoCount = 1, .pSignalSemaphoreInfos = &signal};

	signal.value = after + 1;
	CHECK(vkQueueSubmit2(gpu->queue, 1, &info, VK_NULL_HANDLE));
}

static void use_timelines(struct gpu *gpu)
{
	const VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO, .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
	const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type};
	struct work work;
	VkSemaphore timeline;
	uint64_t value = 0;

	make_work(gpu, &work, 2);
	CHECK(vkCreateSemaphore(gpu->device, &info, NULL, &timeline));
	for (uint64_t i = 0; i < 10; ++i) {
		const uint64_t end = 2 * i + 2;
		const VkSemaphoreWaitInfo wait = {
			.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO, .semaphoreCount = 1, .pSemaphores = &timeline, .pValues = &end};
		const VkSemaphoreSignalInfo signal = {
			.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = timeline, .value = 2 * i + 1};

		submit_at(gpu, &work, timeline, 2 * i + 1);
		CHECK(vkSignalSemaphore(gpu->device, &signal));
		CHECK(vkWaitSemaphores(gpu->device, &wait, UINT64_MAX));
	}
	CHECK(vkGetSemaphoreCounterValue(gpu->device, timeline, &value));
	printf("timeline: at %u, %u wrong\n", (unsigned)value, wrong_values(&work, 10));
	vkDestroySemaphore(gpu->device, timeline, NULL);
	free_work(gpu, &work);
}

static void use_one_device(void (*use)(struct gpu *))
{
	struct gpu gpu;

	make_gpu(&gpu, make_instance());
	use(&gpu);
	free_gpu(&gpu);
	vkDestroyInstance(gpu.instance, NULL);
}

static void *use_in_thread(void *unused)
{
	(void)unused;
	use_one_device(use_fences);
	return NULL;
}

/* Each with an instance and a device of its own; what they print is the same. */
static void use_threads(unsigned count, size_t stack_bytes)
{
	run_threads(count, stack_bytes, use_in_thread, NULL);
}

static void *use_device_in_thread(void *instance)
{
	struct gpu gpu;

	make_gpu(&gpu, *(VkInstance *)instance);
	use_fences(&gpu);
	free_gpu(&gpu);
	return NULL;
}

/* Each with a device of its own. */
static void use_many_threads(void)
{
	VkInstance instance = make_instance();
	void *arguments[64];

	for (int i = 0; i < 64; ++i)
		arguments[i] = &instance;
	run_threads(64, 0, use_device_in_thread, arguments);
	vkDestroyInstance(instance, NULL);
}

static struct gpu handlers_gpu;
static volatile sig_atomic_t handled, wrong;

/* Lavapipe takes no lock for these: what hangs is not the driver. */
static void call_vulkan(int number)
{
	VkQueue queue = VK_NULL_HANDLE;

	(void)number;
	vkGetDeviceQueue(handlers_gpu.device, handlers_gpu.family, 0, &queue);
	wrong |= queue != handlers_gpu.queue;
	vkDestroyFence(handlers_gpu.device, VK_NULL_HANDLE, NULL);
	handled = 1;
}

static void use_in_signals(struct gpu *gpu)
{
	use_fences(gpu); // what a driver does once is done
	handlers_gpu = *gpu;
	storm_of_signals(call_vulkan, 20);
	for (int i = 0; i < 30; ++i)
		use_timelines(gpu);
	for (int i = 0; i < 100000; ++i)
		vkDestroyFence(gpu->device, VK_NULL_HANDLE, NULL);
	storm_of_signals(call_vulkan, 0);
	printf("%s: %d wrong\n", handled ? "handled" : "none came", wrong);
}

static void use_fork_storm(struct gpu *gpu)
{
	use_fences(gpu);
	have_children();
	use_timelines(gpu);
}

static void use_two_devices(void)
{
	struct gpu first, second, third;

	make_gpu(&first, make_instance());
	make_gpu(&second, first.instance);
	make_gpu(&third, make_instance());
	use_fences(&first);
	use_timelines(&third);
	use_timelines(&second);
	free_gpu(&first); // the older one of an instance goes first
	use_fences(&second);
	free_gpu(&second);
	vkDestroyInstance(first.instance, NULL); // the older instance, too
	use_fences(&third);
	free_gpu(&third);
	vkDestroyInstance(third.instance, NULL);
	vkDestroyDevice(VK_NULL_HANDLE, NULL);
	vkDestroyInstance(VK_NULL_HANDLE, NULL);
}

/* More than any table of the layer has room for at first. */
static void use_many_devices(void)
{
	struct gpu gpus[40];
	const VkInstance instance = make_instance();

	for (int round = 0; round < 2; ++round) {
		for (int i = 0; i < 40; ++i)
			make_gpu(&gpus[i], instance);
		use_timelines(&gpus[39]);
		for (int i = 0; i < 40; i += 2)
			free_gpu(&gpus[i]);
		use_timelines(&gpus[1]);
		for (int i = 1; i < 40; i += 2)
			free_gpu(&gpus[i]);
	}
	vkDestroyInstance(instance, NULL);
}

static void use_forks(struct gpu *gpu)
{
	for (int i = 0; i < 3; ++i) {
		int ended = 0;
		pid_t child;

		use_timelines(gpu);
		fflush(stdout);
		child = fork();
		if (child == 0) {
			vkDestroyFence(gpu->device, make_fence(gpu), NULL); // a driver's own threads are not here
			exit(20 + i);
		}
		waitpid(child, &ended, 0);
		printf("child: %d\n", WIFEXITED(ended) ? WEXITSTATUS(ended) : 1000 + WTERMSIG(ended));
	}
}

static struct gpu waiting_gpu;

static void *wait_for_ever(void *arrived)
{
	const VkFence fence = make_fence(&waiting_gpu);

	write(*(int *)arrived, "", 1);
	vkWaitForFences(waiting_gpu.device, 1, &fence, VK_TRUE, UINT64_MAX);
	return NULL;
}

/* The program ends while a thread is in a call, and nothing was destroyed. */
static void leave_in_call(void)
{
	pthread_t thread;
	int ends[2];
	char byte;

	make_gpu(&waiting_gpu, make_instance());
	use_fences(&waiting_gpu);
	if (pipe(ends) != 0 || pthread_create(&thread, NULL, wait_for_ever, &ends[1]) != 0)
		exit(5);
	if (read(ends[0], &byte, 1) != 1)
		exit(5);
	exit(7);
}

static void leave_undestroyed(void)
{
	struct gpu gpu;
	struct work work;

	make_gpu(&gpu, make_instance());
	make_work(&gpu, &work, 5);
	for (int i = 0; i < 5; ++i)
		submit(&gpu, &work, VK_NULL_HANDLE);
	CHECK(vkQueueWaitIdle(gpu.queue));
	printf("undestroyed: %u wrong\n", wrong_values(&work, 5));
	exit(8);
}

/* The same, and nobody has asked about the last work, though it is done. */
static void leave_unasked(void)
{
	struct gpu gpu;
	struct work work;

	make_gpu(&gpu, make_instance());
	make_work(&gpu, &work, 5);
	for (int i = 0; i < 5; ++i)
		submit(&gpu, &work, VK_NULL_HANDLE);
	CHECK(vkQueueWaitIdle(gpu.queue));
	for (int i = 0; i < 4; ++i)
		submit(&gpu, &work, VK_NULL_HANDLE);
	while (wrong_values(&work, 9))
		usleep(1000);
	puts("unasked");
	exit(8);
}

int main(int count, char **words)
{
	const char *const mode = count > 1 ? words[1] : "";

	if (!strcmp(mode, "fences"))
		use_one_device(use_fences);
	else if (!strcmp(mode, "timelines"))
		use_one_device(use_timelines);
	else if (!strcmp(mode, "threads"))
		use_threads(4, 0);
	else if (!strcmp(mode, "small-stacks"))
		use_threads(4, 128 * 1024);
	else if (!strcmp(mode, "many-threads"))
		use_many_threads();
	else if (!strcmp(mode, "signals"))
		use_one_device(use_in_signals);
	else if (!strcmp(mode, "fork-storm"))
		use_one_device(use_fork_storm);
	else if (!strcmp(mode, "devices"))
		use_two_devices();
	else if (!strcmp(mode, "many-devices"))
		use_many_devices();
	else if (!strcmp(mode, "forks"))
		use_one_device(use_forks);
	else if (!strcmp(mode, "in-call"))
		leave_in_call();
	else if (!strcmp(mode, "undestroyed"))
		leave_undestroyed();
	else if (!strcmp(mode, "unasked"))
		leave_unasked();
	else
		return 2;
	return 0;
}
