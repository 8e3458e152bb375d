/* SPDX-License-Identifier: MIT */
/* Starts the runtime, prints the devices that it finds, a line each, and ends it. */
#include "packets.h"

static hsa_status_t print_agent(hsa_agent_t agent, void *count)
{
	char name[64];
	hsa_device_type_t type;

	CHECK(hsa_agent_get_info(agent, HSA_AGENT_INFO_NAME, name));
	CHECK(hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type));
	printf("agent: %s: %s\n", type == HSA_DEVICE_TYPE_CPU ? "CPU" : type == HSA_DEVICE_TYPE_GPU ? "GPU" : "other", name);
	++*(unsigned *)count;
	return HSA_STATUS_SUCCESS;
}

int main(void)
{
	unsigned count = 0;

	CHECK(hsa_init());
	CHECK(hsa_iterate_agents(print_agent, &count));
	CHECK(hsa_shut_down());
	printf("%u agents\n", count);
	return count == 0;
}
