// SPDX-License-Identifier: MIT
//
// calls: what HSA calls cost in this process, with whatever layer it runs, on the stand-in's device. Reads names of
// measurements from standard input, one a line, and answers each with nanoseconds per call (the least of many short measurements): the
// benchmark drives several such processes in turn, so that all see the same machine.
//
//   info     hsa_agent_get_info, which is recorded
//   signal   hsa_signal_create and hsa_signal_destroy, both together
//   load     hsa_signal_load_relaxed, which is not recorded
//   add      hsa_queue_load_write_index_relaxed, which is not recorded
//   dispatch per packet: its place, the packet, a doorbell, and the wait for the last of 32
#include "tests/hsa/programs/packets.h"

#include <time.h>

enum { CALLS = 1000, PACKETS = 32, TIMES = 40 };

struct program {
	hsa_agent_t gpu;
	hsa_queue_t *queue;
	hsa_signal_t signal;
	struct kernel_arguments *arguments;
	uint64_t kernel;
};

static uint64_t now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void dispatch(struct program *program)
{
	hsa_signal_store_relaxed(program->signal, PACKETS);
	for (unsigned i = 0; i < PACKETS; ++i) {
		const uint64_t index = hsa_queue_add_write_index_relaxed(program->queue, 1);

		write_dispatch(program->queue, index, program->kernel, program->arguments, program->signal);
		hsa_signal_store_screlease(program->queue->doorbell_signal, (hsa_signal_value_t)index);
	}
	wait_below(program->signal, 1);
}

static double measure(struct program *program, const char *what)
{
	const uint64_t start = now_ns();
	unsigned calls = CALLS;

	if (!strcmp(what, "info")) {
		hsa_device_type_t type;

		for (unsigned i = 0; i < calls; ++i)
			hsa_agent_get_info(program->gpu, HSA_AGENT_INFO_DEVICE, &type);
	} else if (!strcmp(what, "signal")) {
		for (unsigned i = 0; i < calls; ++i)
			hsa_signal_destroy(make_signal(1));
	} else if (!strcmp(what, "load")) {
		for (unsigned i = 0; i < calls; ++i)
			hsa_signal_load_relaxed(program->signal);
	} else if (!strcmp(what, "add")) {
		for (unsigned i = 0; i < calls; ++i)
			hsa_queue_load_write_index_relaxed(program->queue);
	} else if (!strcmp(what, "dispatch")) {
		calls = PACKETS;
		dispatch(program);
	} else {
		exit(2);
	}
	return (double)(now_ns() - start) / calls;
}

int main(void)
{
	static uint64_t counter;
	static struct kernel_arguments arguments = {KERNEL_MAGIC, 0, &counter};
	struct program program = {.arguments = &arguments, .kernel = (uintptr_t)&arguments};
	char line[64];

	CHECK(hsa_init());
	program.gpu = find_gpu();
	program.queue = make_queue(program.gpu);
	program.signal = make_signal(0);
	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = 0;
		double least = 0;

		for (int i = 0; i < TIMES; ++i) {
			const double cost = measure(&program, line);

			least = i == 0 || cost < least ? cost : least;
		}
		printf("%.2f\n", least);
		fflush(stdout);
	}
	return 0;
}
