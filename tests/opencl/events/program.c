/* SPDX-License-Identifier: MIT */
/*
 * A program for test_events.py. What it did it says on its standard output, "name value" per line; the test looks for it
 * in the trace. program all | late | hang | exit | loop COUNT | platforms | fork
 */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MUST(call)                                                                                     \
	do {                                                                                           \
		cl_int result_ = (call);                                                               \
		if (result_ != CL_SUCCESS) {                                                           \
			fprintf(stderr, "%s: %d\n", #call, result_);                                   \
			exit(1);                                                                       \
		}                                                                                      \
	} while (0)

static cl_platform_id platform;
static cl_device_id device;
static cl_context context;
static cl_program program;
static cl_kernel kernel;
static cl_int result;

static void say(const char *name, unsigned long long value)
{
	printf("%s %llu\n", name, value);
	fflush(stdout);
}

static void say_handle(const char *name, void *value)
{
	say(name, (unsigned long long)value);
}

static void wait_for_line(const char *word)
{
	char line[16];

	puts(word);
	fflush(stdout);
	if (!fgets(line, sizeof(line), stdin))
		exit(1);
}

static void set_up(void)
{
	static const char *source = "__kernel void add(__global int *a) { a[get_global_id(0)] += 1; }\n"
				    "__kernel void nothing(void) { }\n";

	MUST(clGetPlatformIDs(1, &platform, NULL));
	MUST(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &result);
	MUST(result);
	program = clCreateProgramWithSource(context, 1, &source, NULL, &result);
	MUST(clBuildProgram(program, 1, &device, "", NULL, NULL));
	kernel = clCreateKernel(program, "add", NULL);
	say_handle("platform", platform);
	say_handle("device", device);
	say_handle("context", context);
	say_handle("program", program);
	say("source_bytes", strlen(source));
	say_handle("kernel", kernel);
}

static cl_command_queue make_queue(cl_command_queue_properties properties)
{
	cl_queue_properties list[] = { CL_QUEUE_PROPERTIES, properties, 0 };
	cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, list, &result);

	MUST(result);
	return queue;
}

static void tear_down(void)
{
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	clReleaseContext(context);
}

static void programs(void)
{
	size_t size;
	unsigned char *binary;
	cl_program other, linked;
	cl_kernel kernels[2], clone;
	cl_uint count;

	MUST(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, NULL));
	binary = malloc(size);
	MUST(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(binary), &binary, NULL));
	other = clCreateProgramWithBinary(context, 1, &device, &size, (const unsigned char **)&binary, NULL, &result);
	MUST(result);
	say_handle("binary_program", other);
	say("binary_bytes", size);
	free(binary);
	MUST(clBuildProgram(other, 1, &device, "", NULL, NULL));
	MUST(clCreateKernelsInProgram(other, 2, kernels, &count));
	say_handle("kernel_of_two", kernels[0]);
	clReleaseKernel(kernels[0]);
	clReleaseKernel(kernels[1]);
	clReleaseProgram(other);
	clone = clCloneKernel(kernel, &result);
	if (clone) {
		say_handle("clone", clone);
		clReleaseKernel(clone);
	}
	other = clCreateProgramWithSource(context, 1, (const char *[]){ "__kernel void l(void) { }" }, NULL, &result);
	MUST(clCompileProgram(other, 1, &device, "", 0, NULL, NULL, NULL, NULL));
	linked = clLinkProgram(context, 1, &device, "", 1, &other, NULL, NULL, &result);
	if (linked) {
		say_handle("linked_program", linked);
		clReleaseProgram(linked);
	}
	clReleaseProgram(other);
	other = clCreateProgramWithSource(context, 1, (const char *[]){ "this is no program" }, NULL, &result);
	say_handle("bad_program", other);
	say("bad_build", (unsigned)-clBuildProgram(other, 1, &device, "", NULL, NULL));
	clReleaseProgram(other);
}

/* Two user events of which the second command waits for both, in an out-of-order queue. */
static void dependencies(cl_mem buffer)
{
	cl_command_queue queue = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	cl_event user = clCreateUserEvent(context, &result), first, second, marker;
	cl_event both[2];
	char bytes[64] = { 0 };

	say_handle("unordered_queue", queue);
	say_handle("user_event", user);
	MUST(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, 64, bytes, 1, &user, &first));
	both[0] = user;
	both[1] = first;
	MUST(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, 32, bytes, 2, both, &second));
	MUST(clEnqueueMarkerWithWaitList(queue, 1, &second, &marker));
	say_handle("first_event", first);
	say_handle("second_event", second);
	MUST(clRetainEvent(first));
	MUST(clReleaseEvent(first));
	MUST(clSetUserEventStatus(user, CL_COMPLETE));
	MUST(clWaitForEvents(1, &marker));
	MUST(clFinish(queue));
	clReleaseEvent(user);
	clReleaseEvent(first);
	clReleaseEvent(second);
	clReleaseEvent(marker);
	clReleaseCommandQueue(queue);
}

/* A command that waits for an event that fails. */
static void failure(cl_mem buffer)
{
	cl_command_queue queue = make_queue(0);
	cl_event user = clCreateUserEvent(context, &result), event;
	char bytes[64] = { 0 };

	say_handle("failing_queue", queue);
	MUST(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, 64, bytes, 1, &user, &event));
	MUST(clFlush(queue));
	MUST(clSetUserEventStatus(user, -77));
	clWaitForEvents(1, &event);
	clReleaseEvent(event);
	clReleaseEvent(user);
	say("bad_enqueue", (unsigned)-clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 1 << 20, 64, bytes, 0, NULL, NULL));
	clReleaseCommandQueue(queue);
}

static void transfers(cl_command_queue queue, cl_mem buffer)
{
	cl_buffer_region part = { 128, 256 };
	cl_mem sub = clCreateSubBuffer(buffer, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &part, &result);
	size_t origin[3] = { 0, 0, 0 }, region[3] = { 8, 4, 1 };
	char bytes[4096] = { 0 };
	void *mapped;

	MUST(result);
	say_handle("sub_buffer", sub);
	MUST(clEnqueueFillBuffer(queue, sub, bytes, 4, 0, 256, 0, NULL, NULL));
	MUST(clEnqueueCopyBuffer(queue, buffer, sub, 0, 0, 100, 0, NULL, NULL));
	MUST(clEnqueueReadBufferRect(queue, buffer, CL_TRUE, origin, origin, region, 16, 0, 16, 0, bytes, 0, NULL, NULL));
	mapped = clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, 512, 0, NULL, NULL, &result);
	MUST(result);
	MUST(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
	MUST(clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL));
	MUST(clEnqueueMigrateMemObjects(queue, 1, &buffer, 0, 0, NULL, NULL));
	MUST(clFlush(queue));
	MUST(clFinish(queue));
	clReleaseMemObject(sub);
}

static void images(cl_command_queue queue)
{
	cl_image_format format = { CL_RGBA, CL_UNSIGNED_INT8 };
	cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 32, .image_height = 16 };
	cl_mem image = clCreateImage(context, CL_MEM_READ_WRITE, &format, &desc, NULL, &result);
	size_t origin[3] = { 0, 0, 0 }, region[3] = { 8, 4, 1 };
	cl_sampler sampler;
	char bytes[4096] = { 0 };

	MUST(result);
	say_handle("image", image);
	MUST(clEnqueueWriteImage(queue, image, CL_TRUE, origin, region, 0, 0, bytes, 0, NULL, NULL));
	clReleaseMemObject(image);
	sampler = clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &result);
	say_handle("sampler", sampler);
	clReleaseSampler(sampler);
}

static void shared_memory(cl_command_queue queue)
{
	void *memory = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0);

	if (!memory)
		return;
	say_handle("svm", memory);
	MUST(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, memory, 4096, 0, NULL, NULL));
	MUST(clEnqueueSVMUnmap(queue, memory, 0, NULL, NULL));
	MUST(clFinish(queue));
	clSVMFree(context, memory);
}

/* Two commands that are enqueued as one. Null: the driver has no command buffers. */
static cl_command_buffer_khr fill_command_buffer(cl_command_queue queue, cl_mem buffer)
{
#define FIND(name) name##_fn name##_ = (name##_fn)clGetExtensionFunctionAddressForPlatform(platform, #name)
	FIND(clCreateCommandBufferKHR);
	FIND(clCommandFillBufferKHR);
	FIND(clFinalizeCommandBufferKHR);
	cl_command_buffer_khr commands;
	cl_uint zero = 0;
	cl_sync_point_khr filled;

	if (!clCreateCommandBufferKHR_)
		return NULL;
	commands = clCreateCommandBufferKHR_(1, &queue, NULL, &result);
	MUST(result);
	MUST(clCommandFillBufferKHR_(commands, NULL, buffer, &zero, 4, 0, 64, 0, NULL, &filled, NULL));
	MUST(clCommandFillBufferKHR_(commands, NULL, buffer, &zero, 4, 64, 64, 1, &filled, NULL, NULL));
	/* Is not put into it. */
	say("bad_fill", (unsigned)-clCommandFillBufferKHR_(commands, NULL, buffer, &zero, 4, 4096, 64, 0, NULL, NULL, NULL));
	MUST(clFinalizeCommandBufferKHR_(commands));
	say_handle("command_buffer", commands);
	return commands;
}

static void run_command_buffer(cl_command_queue queue, cl_command_buffer_khr commands)
{
	FIND(clEnqueueCommandBufferKHR);

	MUST(clEnqueueCommandBufferKHR_(0, NULL, commands, 0, NULL, NULL));
	MUST(clFinish(queue));
}

static void command_buffers(cl_command_queue queue, cl_mem buffer)
{
	FIND(clRetainCommandBufferKHR);
	FIND(clReleaseCommandBufferKHR);
	cl_command_buffer_khr commands = fill_command_buffer(queue, buffer);

	if (!commands)
		return;
	run_command_buffer(queue, commands);
	MUST(clRetainCommandBufferKHR_(commands));
	MUST(clReleaseCommandBufferKHR_(commands));
	run_command_buffer(queue, commands);
	MUST(clReleaseCommandBufferKHR_(commands));
}

static void all(void)
{
	cl_command_queue queue = make_queue(0), profiled = make_queue(CL_QUEUE_PROFILING_ENABLE);
	size_t offset[2] = { 8, 0 }, global[2] = { 16, 4 }, local[2] = { 4, 2 }, one = 64;
	cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &result);
	cl_event event;

	say_handle("queue", queue);
	say_handle("profiled_queue", profiled);
	say_handle("buffer", buffer);
	MUST(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
	MUST(clEnqueueNDRangeKernel(queue, kernel, 2, offset, global, local, 0, NULL, &event));
	say_handle("kernel_event", event);
	MUST(clEnqueueNDRangeKernel(profiled, kernel, 1, NULL, &one, NULL, 1, &event, NULL));
	MUST(clFinish(queue));
	MUST(clFinish(profiled));
	clReleaseEvent(event);
	transfers(queue, buffer);
	images(queue);
	shared_memory(queue);
	command_buffers(queue, buffer);
	dependencies(buffer);
	failure(buffer);
	programs();
	clReleaseMemObject(buffer);
	clReleaseCommandQueue(profiled);
	clReleaseCommandQueue(queue);
}

/* A queue that is older than the session. */
static void late(void)
{
	cl_command_queue queue = make_queue(0);
	cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &result);
	cl_command_buffer_khr commands = fill_command_buffer(queue, buffer);
	size_t one = 1;

	say_handle("queue", queue);
	clReleaseKernel(kernel);
	kernel = clCreateKernel(program, "nothing", NULL);
	MUST(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
	MUST(clFinish(queue));
	wait_for_line("ready");
	for (int i = 0; i < 5; ++i)
		MUST(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
	MUST(clFinish(queue));
	if (commands)
		run_command_buffer(queue, commands);
	clReleaseCommandQueue(queue);
}

static void hang(void)
{
	cl_event user = clCreateUserEvent(context, &result);
	cl_command_queue queue = make_queue(0);

	MUST(clEnqueueMarkerWithWaitList(queue, 1, &user, NULL));
	puts("hangs");
	fflush(stdout);
	clFinish(queue);
}

/* Ends with commands that are complete but were never waited for, and one that cannot be. */
static void leave(void)
{
	cl_command_queue queue = make_queue(0), other = make_queue(0);
	cl_event event, user = clCreateUserEvent(context, &result);
	cl_int status = CL_QUEUED;
	size_t one = 1;

	kernel = clCreateKernel(program, "nothing", NULL);
	say_handle("queue", queue);
	say_handle("other_queue", other);
	for (int i = 0; i < 9; ++i)
		MUST(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
	MUST(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, &event));
	MUST(clFlush(queue));
	while (status != CL_COMPLETE)
		MUST(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL));
	MUST(clEnqueueNDRangeKernel(other, kernel, 1, NULL, &one, NULL, 1, &user, NULL));
	exit(0);
}

/* Many commands, half of them with an event, that nothing on the host waits for until the end. */
static void loop(int count)
{
	cl_command_queue queue = make_queue(0);
	size_t one = 1;
	cl_event event;

	kernel = clCreateKernel(program, "nothing", NULL);
	say_handle("queue", queue);
	for (int i = 0; i < count; ++i) {
		MUST(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, i % 2 ? &event : NULL));
		if (i % 2)
			clReleaseEvent(event);
	}
	MUST(clFinish(queue));
	clReleaseCommandQueue(queue);
}

/* As programs do that start a process for each device. */
static int fork_early(void)
{
	pid_t child;

	MUST(clGetPlatformIDs(1, &platform, NULL));
	child = fork();
	if (!child) {
		set_up();
		_exit(0);
	}
	return child < 0 || waitpid(child, NULL, 0) != child;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "all";

	if (!strcmp(what, "platforms"))
		return clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
	if (!strcmp(what, "fork"))
		return fork_early();
	set_up();
	if (!strcmp(what, "late"))
		late();
	else if (!strcmp(what, "hang"))
		hang();
	else if (!strcmp(what, "exit"))
		leave();
	else if (!strcmp(what, "loop"))
		loop(atoi(argv[2]));
	else
		all();
	tear_down();
	return 0;
}
