/* SPDX-License-Identifier: MIT */
/* What the programs on the stand-in's device have in common. */
#pragma once

#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(call)                                                                                    \
	do {                                                                                           \
		const hsa_status_t check_status = (call);                                              \
		if (check_status != HSA_STATUS_SUCCESS) {                                              \
			fprintf(stderr, "%s: %#x\n", #call, check_status);                             \
			exit(1);                                                                       \
		}                                                                                      \
	} while (0)

#define KERNEL_MAGIC 0x6e692d646e617473

/* As the stand-in takes them (stand_in.h). */
struct kernel_arguments {
	uint64_t magic;
	uint64_t duration_ns;
	uint64_t *counter;
};

static hsa_status_t take_gpu(hsa_agent_t agent, void *found)
{
	hsa_device_type_t type;

	CHECK(hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type));
	if (type == HSA_DEVICE_TYPE_GPU)
		*(hsa_agent_t *)found = agent;
	return HSA_STATUS_SUCCESS;
}

static inline hsa_agent_t find_gpu(void)
{
	hsa_agent_t agent = {0};

	CHECK(hsa_iterate_agents(take_gpu, &agent));
	return agent;
}

static inline hsa_queue_t *make_queue(hsa_agent_t agent)
{
	hsa_queue_t *queue;

	CHECK(hsa_queue_create(agent, 64, HSA_QUEUE_TYPE_MULTI, NULL, NULL, UINT32_MAX, UINT32_MAX, &queue));
	return queue;
}

static inline hsa_signal_t make_signal(hsa_signal_value_t value)
{
	hsa_signal_t signal;

	CHECK(hsa_signal_create(value, 0, NULL, &signal));
	return signal;
}

static inline void *packet_at(hsa_queue_t *queue, uint64_t index)
{
	return (char *)queue->base_address + (index & (queue->size - 1)) * 64;
}

static inline void publish(void *packet, unsigned type)
{
	const uint16_t header = (uint16_t)(type << HSA_PACKET_HEADER_TYPE | HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE |
					   HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE);

	__atomic_store_n((uint16_t *)packet, header, __ATOMIC_RELEASE);
}

static inline void write_dispatch(hsa_queue_t *queue, uint64_t index, uint64_t kernel, struct kernel_arguments *arguments,
				  hsa_signal_t signal)
{
	hsa_kernel_dispatch_packet_t *packet = packet_at(queue, index);

	memset((char *)packet + 2, 0, 62);
	packet->setup = 2 << HSA_KERNEL_DISPATCH_PACKET_SETUP_DIMENSIONS;
	packet->grid_size_x = 64;
	packet->grid_size_y = 4;
	packet->grid_size_z = 1;
	packet->workgroup_size_x = 16;
	packet->workgroup_size_y = 2;
	packet->workgroup_size_z = 1;
	packet->kernel_object = kernel;
	packet->kernarg_address = arguments;
	packet->completion_signal = signal;
	publish(packet, HSA_PACKET_TYPE_KERNEL_DISPATCH);
}

static inline void wait_below(hsa_signal_t signal, hsa_signal_value_t value)
{
	while (hsa_signal_wait_scacquire(signal, HSA_SIGNAL_CONDITION_LT, value, UINT64_MAX, HSA_WAIT_STATE_BLOCKED) >= value)
		;
}
