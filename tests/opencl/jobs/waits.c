/* SPDX-License-Identifier: MIT */
/*
 * Waits for queues and for events, and says for what: waits N does N rounds with three queues. "queue QUEUE LAST" is a
 * clFinish of that queue (0 to 2), whose last command is LAST; "events LAST OTHER" a clWaitForEvents for two commands
 * of two queues, of which LAST is the longer one as a rule. Commands are numbered from 1 in order of enqueueing.
 */
#define CL_TARGET_OPENCL_VERSION 200
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

#define ITEMS 64

static cl_command_queue queues[3];
static cl_kernel kernel;
static int commands;

static const char *source = "kernel void sum(global int *a, int n) { int i = get_global_id(0), s = 0;"
			    " for (int k = 0; k < n; k++) s += k ^ i ^ a[(k + i) % 64]; a[i] = s; }";

static void check(cl_int error, const char *what)
{
	if (error != CL_SUCCESS) {
		fprintf(stderr, "waits: %s: %d\n", what, error);
		exit(1);
	}
}

static int enqueue(int queue, cl_int length, cl_event *event)
{
	const size_t items = ITEMS;

	check(clSetKernelArg(kernel, 1, sizeof(length), &length), "clSetKernelArg");
	check(clEnqueueNDRangeKernel(queues[queue], kernel, 1, NULL, &items, NULL, 0, NULL, event), "clEnqueueNDRangeKernel");
	return ++commands;
}

static void finish(int queue, int last)
{
	check(clFinish(queues[queue]), "clFinish");
	printf("queue %d %d\n", queue, last);
}

int main(int argc, char **argv)
{
	const int rounds = argc > 1 ? atoi(argv[1]) : 1;
	cl_platform_id platform;
	cl_device_id device;
	cl_int error;

	check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
	check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
	cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
	check(error, "clCreateContext");
	for (int i = 0; i < 3; i++)
		queues[i] = clCreateCommandQueueWithProperties(context, device, NULL, &error);
	cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
	check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
	kernel = clCreateKernel(program, "sum", &error);
	check(error, "clCreateKernel");
	cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, ITEMS * sizeof(cl_int), NULL, &error);
	check(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer), "clSetKernelArg");
	for (int i = 0; i < rounds; i++) {
		const int longest = enqueue(0, 1000000, NULL); /* still under way when the others are waited for */

		enqueue(1, 10, NULL);
		finish(1, enqueue(1, 100, NULL));
		finish(0, longest);
		for (int first = 1; first < 3; first++) {
			cl_event events[2];
			const int one = enqueue(first, 400000, &events[0]), other = enqueue(3 - first, 10, &events[1]);

			check(clWaitForEvents(2, events), "clWaitForEvents");
			printf("events %d %d\n", one, other);
			clReleaseEvent(events[0]);
			clReleaseEvent(events[1]);
		}
	}
	clReleaseMemObject(buffer);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	for (int i = 0; i < 3; i++)
		clReleaseCommandQueue(queues[i]);
	clReleaseContext(context);
	return 0;
}
