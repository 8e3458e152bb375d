/* SPDX-License-Identifier: MIT */
/*
 * A stand-in for libhsakmt.so.1 (version node HSAKMT_1), for machines without a GPU of AMD's: the unmodified HSA runtime
 * finds a CPU and a gfx900 on it. Packets run on threads of this library: a kernel-dispatch packet takes the time that
 * its kernel arguments say, and no code of a kernel is executed.
 *
 * Clocks: HSA's system clock is CLOCK_MONOTONIC and 1000 s; the device counts 100 MHz from some other origin. So no time
 * of the device is one of the host's by chance. A runtime that reads the system clock itself, and not through libhsakmt, has
 * the one that the kernel's driver tells, CLOCK_BOOTTIME: another one here would be two clocks in one trace.
 */
#pragma once

#include <hsakmt.h>
#include <stddef.h>
#include <stdint.h>

#define API __attribute__((visibility("default")))

enum { cpu_node, gpu_node, nodes_count };

/*
 * What a kernel of the stand-in is given: it takes that long, then adds the number of its work items to *counter. Arguments
 * that begin otherwise are of the runtime's own kernels.
 */
#define KERNEL_MAGIC 0x6e692d646e617473
struct kernel_arguments {
	uint64_t magic;
	uint64_t duration_ns;
	uint64_t *counter;
};

uint64_t monotonic_ns(void);
uint64_t system_clock(uint64_t monotonic);
uint64_t device_ticks(uint64_t monotonic);

/* As the device does it: by the number that a signal has. */
void set_event_of_signal(uint32_t event_id);
