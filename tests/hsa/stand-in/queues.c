/* SPDX-License-Identifier: MIT */
/*
 * Queues: a thread each that takes packets in order, as AQL says, and does what they say. With STAND_IN_LOG=FILE every
 * packet that ran is a line of that file: the queue's ring buffer, the packet's number in it, its type, when it started
 * and ended (ns of CLOCK_MONOTONIC), and whether the queue was profiled.
 */
#include "stand_in.h"

#include <fcntl.h>
#include <hsa/amd_hsa_queue.h>
#include <hsa/amd_hsa_signal.h>
#include <hsa/hsa.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

union packet {
	uint16_t header;
	hsa_kernel_dispatch_packet_t dispatch;
	hsa_barrier_and_packet_t barrier; /* of both kinds: they differ in nothing else */
};

struct queue {
	uint64_t doorbell; /* the greatest index; all bits: never rung */
	union packet *ring;
	uint64_t size;
	uint64_t *read_index;
	amd_queue_t *amd_queue;
	pthread_t thread;
	bool ends;
};

static void pause_ns(uint64_t ns)
{
	struct timespec rest = {(time_t)(ns / 1000000000), (long)(ns % 1000000000)};

	while (nanosleep(&rest, &rest) != 0)
		;
}

static bool ends(const struct queue *queue)
{
	return __atomic_load_n(&queue->ends, __ATOMIC_RELAXED);
}

static void write_line(const struct queue *queue, uint64_t index, unsigned type, uint64_t start, uint64_t end, bool is_profiled)
{
	static int file = -1;
	char line[160];
	const char *path = getenv("STAND_IN_LOG");
	int length;

	if (!path)
		return;
	if (file < 0)
		file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
	length = snprintf(line, sizeof(line), "%d %p %llu %u %llu %llu %d\n", getpid(), (void *)queue->ring,
			  (unsigned long long)index, type, (unsigned long long)start, (unsigned long long)end, is_profiled);
	if (write(file, line, (size_t)length) != length)
		abort();
}

/*
 * The runtime copies code to the device by kernels of its own, for addresses that are aligned and for others; in both,
 * source and destination come first, and their ends after the last phase (amd_blit_kernel.h).
 */
static void copy(const uint64_t *arguments)
{
	static const unsigned ends[] = {8, 4};

	for (unsigned i = 0; i < 2; ++i) {
		const uint64_t *const last = arguments + ends[i];

		if (last[0] >= arguments[0] && last[0] - arguments[0] == last[1] - arguments[1] &&
		    (i || (arguments[2] <= arguments[4] && arguments[4] <= arguments[6] && arguments[6] <= last[0]))) {
			memmove((void *)(uintptr_t)arguments[1], (void *)(uintptr_t)arguments[0], last[0] - arguments[0]);
			return;
		}
	}
}

static void run_kernel(const hsa_kernel_dispatch_packet_t *packet)
{
	const struct kernel_arguments *arguments = packet->kernarg_address;

	if (!arguments)
		return;
	if (arguments->magic != KERNEL_MAGIC) {
		copy(packet->kernarg_address);
		return;
	}
	if (arguments->duration_ns)
		pause_ns(arguments->duration_ns);
	if (arguments->counter)
		__atomic_fetch_add(arguments->counter,
				   (uint64_t)packet->grid_size_x * packet->grid_size_y * packet->grid_size_z, __ATOMIC_RELAXED);
}

/* False: the queue ended before. */
static bool wait_for_signals(const struct queue *queue, const hsa_barrier_and_packet_t *packet, bool needs_all)
{
	for (;;) {
		unsigned met = 0, count = 0;

		for (unsigned i = 0; i < 5; ++i) {
			const amd_signal_t *signal = (const amd_signal_t *)packet->dep_signal[i].handle;

			count += signal != NULL;
			met += signal && __atomic_load_n(&signal->value, __ATOMIC_ACQUIRE) == 0;
		}
		if (met == count || (!needs_all && met))
			return true;
		if (ends(queue))
			return false;
		pause_ns(50000);
	}
}

static void complete(hsa_signal_t handle, uint64_t start, uint64_t end, bool is_profiled)
{
	amd_signal_t *signal = (amd_signal_t *)handle.handle;
	uint32_t event;

	if (!signal)
		return;
	if (is_profiled) {
		signal->start_ts = device_ticks(start);
		__atomic_store_n(&signal->end_ts, device_ticks(end), __ATOMIC_RELEASE);
	}
	event = signal->event_mailbox_ptr ? signal->event_id : 0;
	__atomic_fetch_sub((int64_t *)&signal->value, 1, __ATOMIC_RELEASE); /* from here on it may be gone */
	set_event_of_signal(event);
}

static void run_packet(struct queue *queue, union packet *packet, uint64_t index)
{
	const unsigned type = packet->header >> HSA_PACKET_HEADER_TYPE & 0xff;
	const uint64_t start = monotonic_ns();
	const bool is_profiled = AMD_HSA_BITS_GET(queue->amd_queue->queue_properties, AMD_QUEUE_PROPERTIES_ENABLE_PROFILING);
	hsa_signal_t signal = {0};
	uint64_t end;

	if (type == HSA_PACKET_TYPE_KERNEL_DISPATCH) {
		run_kernel(&packet->dispatch);
		signal = packet->dispatch.completion_signal;
	} else if (type == HSA_PACKET_TYPE_BARRIER_AND || type == HSA_PACKET_TYPE_BARRIER_OR) {
		if (!wait_for_signals(queue, &packet->barrier, type == HSA_PACKET_TYPE_BARRIER_AND))
			return;
		signal = packet->barrier.completion_signal;
	} else if (type == HSA_PACKET_TYPE_VENDOR_SPECIFIC) { /* commands for the front end: caches, of which here are none */
		signal = packet->barrier.completion_signal;
	}
	end = monotonic_ns();
	write_line(queue, index, type, start, end, is_profiled);
	__atomic_store_n(&packet->header, HSA_PACKET_TYPE_INVALID << HSA_PACKET_HEADER_TYPE, __ATOMIC_RELEASE);
	__atomic_store_n(queue->read_index, index + 1, __ATOMIC_RELEASE);
	complete(signal, start, end, is_profiled);
}

static void *run(void *argument)
{
	struct queue *queue = argument;
	uint64_t index = 0;
	unsigned idle = 0;

	while (!ends(queue)) {
		union packet *packet = &queue->ring[index % queue->size];

		if (__atomic_load_n(&queue->doorbell, __ATOMIC_ACQUIRE) + 1 <= index ||
		    (__atomic_load_n(&packet->header, __ATOMIC_ACQUIRE) & 0xff) == HSA_PACKET_TYPE_INVALID) {
			pause_ns(++idle < 1000 ? 20000 : 1000000);
			continue;
		}
		idle = 0;
		run_packet(queue, packet, index++);
	}
	return NULL;
}

API HSAKMT_STATUS hsaKmtCreateQueue(HSAuint32 node, HSA_QUEUE_TYPE type, HSAuint32 percentage, HSA_QUEUE_PRIORITY priority,
				    void *ring, HSAuint64 bytes, HsaEvent *event, HsaQueueResource *resource)
{
	struct queue *queue;

	(void)percentage;
	(void)priority;
	(void)event;
	if (node != gpu_node || type != HSA_QUEUE_COMPUTE_AQL)
		return HSAKMT_STATUS_NOT_SUPPORTED;
	queue = calloc(1, sizeof(*queue));
	if (!queue)
		return HSAKMT_STATUS_NO_MEMORY;
	queue->doorbell = UINT64_MAX;
	queue->ring = ring;
	queue->size = bytes / sizeof(union packet);
	queue->read_index = resource->Queue_read_ptr_aql;
	queue->amd_queue = (amd_queue_t *)((char *)queue->read_index - offsetof(amd_queue_t, read_dispatch_id));
	if (pthread_create(&queue->thread, NULL, run, queue) != 0) {
		free(queue);
		return HSAKMT_STATUS_NO_MEMORY;
	}
	resource->QueueId = (uintptr_t)queue;
	resource->Queue_DoorBell_aql = &queue->doorbell;
	return HSAKMT_STATUS_SUCCESS;
}

API HSAKMT_STATUS hsaKmtDestroyQueue(HSA_QUEUEID id)
{
	struct queue *queue = (struct queue *)(uintptr_t)id;

	__atomic_store_n(&queue->ends, true, __ATOMIC_RELAXED);
	pthread_join(queue->thread, NULL);
	free(queue);
	return HSAKMT_STATUS_SUCCESS;
}

API HSAKMT_STATUS hsaKmtUpdateQueue(HSA_QUEUEID id, HSAuint32 percentage, HSA_QUEUE_PRIORITY priority, void *ring,
				    HSAuint64 bytes, HsaEvent *event)
{
	(void)id;
	(void)percentage;
	(void)priority;
	(void)ring;
	(void)bytes;
	(void)event;
	return HSAKMT_STATUS_SUCCESS;
}

API HSAKMT_STATUS hsaKmtSetQueueCUMask(HSA_QUEUEID id, HSAuint32 count, HSAuint32 *mask)
{
	(void)id;
	(void)count;
	(void)mask;
	return HSAKMT_STATUS_SUCCESS;
}

API HSAKMT_STATUS hsaKmtAllocQueueGWS(HSA_QUEUEID id, HSAuint32 count, HSAuint32 *first)
{
	(void)id;
	(void)count;
	(void)first;
	return HSAKMT_STATUS_NOT_SUPPORTED;
}

API HSAKMT_STATUS hsaKmtSetTrapHandler(HSAuint32 node, void *code, HSAuint64 code_bytes, void *buffer, HSAuint64 buffer_bytes)
{
	(void)node;
	(void)code;
	(void)code_bytes;
	(void)buffer;
	(void)buffer_bytes;
	return HSAKMT_STATUS_SUCCESS;
}
