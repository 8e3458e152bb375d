/* SPDX-License-Identifier: MIT */
/*
 * Enqueues commands in every way that the correlator tells apart, and says what it knows of them: commands N [in-order
 * only], one line each: "sample BEFORE RAW AFTER" of the clocks, where RAW is the clock that PoCL's devices have, and
 * "command LABEL QUEUE BEGIN END QUEUED SUBMIT START COMPLETE WAITS..." in order of enqueueing; WAITS are numbers of
 * earlier commands, from 1.
 */
#define CL_TARGET_OPENCL_VERSION 200
#include <CL/cl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST 20000
#define ITEMS 4096

struct command {
	const char *label;
	int queue, waits[4], waits_count;
	uint64_t begin, end;
	cl_event event;
};

static struct command commands[MOST];
static int count;

static const char *source = "kernel void sum(global int *a, int n) { int i = get_global_id(0), s = 0;"
			    " for (int k = 0; k < n; k++) s += k ^ i; a[i] = s; }"
			    "kernel void copy(global int *a, int n) { a[get_global_id(0)] += n; }";

static uint64_t now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void check(cl_int error, const char *what)
{
	if (error != CL_SUCCESS) {
		fprintf(stderr, "commands: %s: %d\n", what, error);
		exit(1);
	}
}

/* Of ten tries the one that took least. */
static void sample(void)
{
	uint64_t best[3] = { 0, 0, UINT64_MAX };

	for (int i = 0; i < 10; i++) {
		uint64_t before = now(CLOCK_MONOTONIC), raw = now(CLOCK_MONOTONIC_RAW), after = now(CLOCK_MONOTONIC);

		if (best[2] - best[0] > after - before) {
			best[0] = before;
			best[1] = raw;
			best[2] = after;
		}
	}
	printf("sample %lu %lu %lu\n", best[0], best[1], best[2]);
}

static struct command *begin(const char *label, int queue)
{
	struct command *command = &commands[count++];

	if (count == MOST) {
		fprintf(stderr, "commands: too many\n");
		exit(2);
	}
	command->label = label;
	command->queue = queue;
	command->begin = now(CLOCK_MONOTONIC);
	return command;
}

static void end(struct command *command, cl_int error)
{
	command->end = now(CLOCK_MONOTONIC);
	check(error, command->label);
}

static void report(const struct command *command)
{
	static const cl_profiling_info infos[4] = { CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT,
						    CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END };
	cl_ulong times[4];

	for (int i = 0; i < 4; i++)
		check(clGetEventProfilingInfo(command->event, infos[i], sizeof(times[i]), &times[i], NULL), "profiling");
	printf("command %s %d %lu %lu %lu %lu %lu %lu", command->label, command->queue, command->begin, command->end,
	       times[0], times[1], times[2], times[3]);
	for (int i = 0; i < command->waits_count; i++)
		printf(" %d", command->waits[i]);
	printf("\n");
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 10;
	cl_int error, work = 20, data[ITEMS];
	cl_platform_id platform;
	cl_device_id device;
	cl_queue_properties in_order[] = { CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0 };
	cl_queue_properties any_order[] = { CL_QUEUE_PROPERTIES,
					    CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0 };
	size_t items = ITEMS;

	check(clGetPlatformIDs(1, &platform, NULL), "platform");
	check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device");
	cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
	check(error, "context");
	cl_command_queue queues[2] = { clCreateCommandQueueWithProperties(context, device, in_order, &error),
				       clCreateCommandQueueWithProperties(context, device, any_order, &error) };
	check(error, "queue");
	cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
	check(clBuildProgram(program, 1, &device, "", NULL, NULL), "build");
	cl_kernel sum = clCreateKernel(program, "sum", &error), copy = clCreateKernel(program, "copy", &error);
	cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(data), NULL, &error);
	check(error, "buffer");
	memset(data, 0, sizeof(data));
	for (int k = 0; k < 2; k++) {
		check(clSetKernelArg(k ? copy : sum, 0, sizeof(memory), &memory), "argument");
		check(clSetKernelArg(k ? copy : sum, 1, sizeof(work), &work), "argument");
	}
	sample();
	for (int round = 0; round < rounds; round++) {
		struct command *made, *first, *second;

		made = begin("clEnqueueWriteBuffer", 0);
		end(made, clEnqueueWriteBuffer(queues[0], memory, CL_FALSE, 0, sizeof(data), data, 0, NULL, &made->event));
		made = begin("clEnqueueNDRangeKernel(sum)", 0);
		end(made, clEnqueueNDRangeKernel(queues[0], sum, 1, NULL, &items, NULL, 0, NULL, &made->event));
		made = begin("clEnqueueReadBuffer", 0);
		end(made, clEnqueueReadBuffer(queues[0], memory, CL_TRUE, 0, sizeof(data), data, 0, NULL, &made->event));

		first = begin("clEnqueueNDRangeKernel(sum)", 1);
		end(first, clEnqueueNDRangeKernel(queues[1], sum, 1, NULL, &items, NULL, 0, NULL, &first->event));
		second = begin("clEnqueueNDRangeKernel(copy)", 1);
		end(second, clEnqueueNDRangeKernel(queues[1], copy, 1, NULL, &items, NULL, 1, &first->event, &second->event));
		second->waits_count = 1;
		second->waits[0] = (int)(first - commands) + 1;
		made = begin("clEnqueueMarkerWithWaitList", 1);
		cl_event both[2] = { first->event, second->event };
		end(made, clEnqueueMarkerWithWaitList(queues[1], 2, both, &made->event));
		made->waits_count = 2;
		made->waits[0] = (int)(first - commands) + 1;
		made->waits[1] = (int)(second - commands) + 1;
		check(clFlush(queues[1]), "flush");
		check(round % 2 ? clFinish(queues[1]) : clWaitForEvents(1, &made->event), "finish");
		sample();
	}
	check(clFinish(queues[0]), "finish");
	sample();
	for (int i = 0; i < count; i++)
		report(&commands[i]);
	for (int i = 0; i < count; i++)
		clReleaseEvent(commands[i].event);
	clReleaseMemObject(memory);
	clReleaseKernel(sum);
	clReleaseKernel(copy);
	clReleaseProgram(program);
	for (int i = 0; i < 2; i++)
		clReleaseCommandQueue(queues[i]);
	clReleaseContext(context);
	return 0;
}
