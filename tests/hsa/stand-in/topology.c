/* SPDX-License-Identifier: MIT */
/* What is in the machine: a CPU and a gfx900, and their clocks. */
#define _GNU_SOURCE
#include "stand_in.h"

#include <dlfcn.h>
#include <string.h>
#include <time.h>

uint64_t monotonic_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* Since 5.3 or so the runtime reads the clock itself, that of the kernel's driver, and has functions that 5.2 has not. */
static int is_read_by_runtime(void)
{
	return dlsym(RTLD_DEFAULT, "hsa_amd_vmem_handle_create") != NULL;
}

uint64_t system_clock(uint64_t monotonic)
{
	struct timespec time;

	if (!is_read_by_runtime())
		return monotonic + 1000ull * 1000000000;
	clock_gettime(CLOCK_BOOTTIME, &time);
	return monotonic + ((uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec - monotonic_ns());
}

uint64_t device_ticks(uint64_t monotonic)
{
	return monotonic / 10 + 123456789;
}

API HSAKMT_STATUS hsaKmtOpenKFD(void)
{
	return HSAKMT_STATUS_SUCCESS;
}

API HSAKMT_STATUS hsaKmtCloseKFD(void)
{
	return HSAKMT_STATUS_SUCCESS;
}

API HSAKMT_STATUS hsaKmtGetVersion(HsaVersionInfo *version)
{
	version->KernelInterfaceMajorVersion = 1;
	version->KernelInterfaceMinorVersion = 6;
	return HSAKMT_STATUS_SUCCESS;
}

API HSAKMT_STATUS hsaKmtRuntimeEnable(void *debug, bool setup)
{
	(void)debug;
	(void)setup;
	return HSAKMT_STATUS_NOT_SUPPORTED; /* as the KFD before Linux 6.5 */
}

API HSAKMT_STATUS hsaKmtRuntimeDisable(void)
{
	return HSAKMT_STATUS_SUCCESS;
}

API HSAKMT_STATUS hsaKmtAcquireSystemProperties(HsaSystemProperties *properties)
{
	memset(properties, 0, sizeof(*properties));
	properties->NumNodes = nodes_count;
	return HSAKMT_STATUS_SUCCESS;
}

API HSAKMT_STATUS hsaKmtReleaseSystemProperties(void)
{
	return HSAKMT_STATUS_SUCCESS;
}

static void set_names(HsaNodeProperties *node, const char *name)
{
	strcpy((char *)node->AMDName, name);
	for (size_t i = 0; name[i]; ++i)
		node->MarketingName[i] = (HSAuint16)name[i];
}

API HSAKMT_STATUS hsaKmtGetNodeProperties(HSAuint32 number, HsaNodeProperties *node)
{
	memset(node, 0, sizeof(*node));
	node->NumIOLinks = 1;
	node->NumCaches = 1;
	if (number == cpu_node) {
		node->NumCPUCores = 2;
		node->NumMemoryBanks = 1;
		node->MaxEngineClockMhzCCompute = 2000;
		set_names(node, "stand-in CPU");
		return HSAKMT_STATUS_SUCCESS;
	}
	if (number != gpu_node)
		return HSAKMT_STATUS_INVALID_NODE_UNIT;
	node->NumFComputeCores = 256;
	node->NumSIMDPerCU = 4;
	node->NumMemoryBanks = 3;
	node->Capability.ui32.DoorbellType = 2;
	node->MaxWavesPerSIMD = 10;
	node->LDSSizeInKB = 64;
	node->WaveFrontSize = 64;
	node->NumShaderBanks = 4;
	/* NumXcc, how many dies it has, which the headers of 5.2.3 have no name for: later runtimes multiply by it. */
	memcpy(node->Reserved, &(HSAuint32){1}, sizeof(HSAuint32));
	node->NumArrays = 1;
	node->NumCUPerArray = 16;
	node->MaxSlotsScratchCU = 32;
	node->EngineId.ui32.Major = 9;
	node->VendorId = 0x1002;
	node->DeviceId = 0x6863;
	node->LocationId = 0x100;
	node->LocalMemSize = 1ull << 30;
	node->MaxEngineClockMhzFCompute = 1500;
	node->DrmRenderMinor = 128;
	node->NumCpQueues = 24;
	node->UniqueID = 0x5157414e44;
	set_names(node, "stand-in GPU");
	return HSAKMT_STATUS_SUCCESS;
}

static HsaMemoryProperties bank(HSA_HEAPTYPE type, HSAuint64 bytes, HSAuint64 base)
{
	HsaMemoryProperties properties;

	memset(&properties, 0, sizeof(properties));
	properties.HeapType = type;
	properties.SizeInBytes = bytes;
	properties.VirtualBaseAddress = base;
	properties.Width = 64;
	properties.MemoryClockMax = 1000;
	return properties;
}

API HSAKMT_STATUS hsaKmtGetNodeMemoryProperties(HSAuint32 number, HSAuint32 count, HsaMemoryProperties *banks)
{
	const HsaMemoryProperties cpu[] = {bank(HSA_HEAPTYPE_SYSTEM, 1ull << 31, 0)};
	const HsaMemoryProperties gpu[] = {bank(HSA_HEAPTYPE_FRAME_BUFFER_PUBLIC, 1ull << 30, 0),
					   bank(HSA_HEAPTYPE_GPU_LDS, 65536, 0x1000000000000),
					   bank(HSA_HEAPTYPE_GPU_SCRATCH, 1ull << 32, 0x2000000000000)};

	if (number == cpu_node)
		memcpy(banks, cpu, (count < 1 ? count : 1) * sizeof(*banks));
	else
		memcpy(banks, gpu, (count < 3 ? count : 3) * sizeof(*banks));
	return HSAKMT_STATUS_SUCCESS;
}

API HSAKMT_STATUS hsaKmtGetNodeCacheProperties(HSAuint32 node, HSAuint32 processor, HSAuint32 count,
					       HsaCacheProperties *caches)
{
	(void)processor;
	if (!count)
		return HSAKMT_STATUS_SUCCESS;
	memset(caches, 0, count * sizeof(*caches));
	caches->CacheLevel = 1;
	caches->CacheSize = 16;
	caches->CacheLineSize = 64;
	caches->CacheType.ui32.Data = 1;
	caches->CacheType.ui32.CPU = node == cpu_node;
	caches->CacheType.ui32.HSACU = node == gpu_node;
	return HSAKMT_STATUS_SUCCESS;
}

API HSAKMT_STATUS hsaKmtGetNodeIoLinkProperties(HSAuint32 node, HSAuint32 count, HsaIoLinkProperties *links)
{
	if (!count)
		return HSAKMT_STATUS_SUCCESS;
	memset(links, 0, count * sizeof(*links));
	links->IoLinkType = HSA_IOLINKTYPE_PCIEXPRESS;
	links->NodeFrom = node;
	links->NodeTo = node == cpu_node ? gpu_node : cpu_node;
	links->Weight = 20;
	return HSAKMT_STATUS_SUCCESS;
}

API HSAKMT_STATUS hsaKmtGetClockCounters(HSAuint32 node, HsaClockCounters *counters)
{
	const uint64_t now = monotonic_ns();

	counters->GPUClockCounter = node == gpu_node ? device_ticks(now) : 0;
	counters->CPUClockCounter = now;
	counters->SystemClockCounter = system_clock(now);
	counters->SystemClockFrequencyHz = 1000000000;
	return HSAKMT_STATUS_SUCCESS;
}

API HSAKMT_STATUS hsaKmtGetXNACKMode(HSAint32 *enable)
{
	*enable = 0;
	return HSAKMT_STATUS_SUCCESS;
}

API HSAKMT_STATUS hsaKmtSetXNACKMode(HSAint32 enable)
{
	(void)enable;
	return HSAKMT_STATUS_NOT_SUPPORTED;
}

API HSAKMT_STATUS hsaKmtGetTileConfig(HSAuint32 node, HsaGpuTileConfig *config)
{
	(void)node;
	(void)config;
	return HSAKMT_STATUS_NOT_SUPPORTED;
}
