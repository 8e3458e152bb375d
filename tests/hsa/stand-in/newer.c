/* SPDX-License-Identifier: MIT */
/*
 * What later runtimes ask libhsakmt for, up to 6.1.2 (Debian 13); the headers of 5.2.3 do not have all of it. The version that
 * hsaKmtGetVersion() tells is that of an older KFD, without events' ages.
 */
#include "stand_in.h"

API HSAKMT_STATUS hsaKmtWaitOnEvent_Ext(HsaEvent *event, HSAuint32 milliseconds, uint64_t *event_age)
{
	(void)event_age;
	return hsaKmtWaitOnEvent(event, milliseconds);
}

API HSAKMT_STATUS hsaKmtWaitOnMultipleEvents_Ext(HsaEvent *events[], HSAuint32 count, bool all, HSAuint32 milliseconds,
						 uint64_t *event_age)
{
	(void)event_age;
	return hsaKmtWaitOnMultipleEvents(events, count, all, milliseconds);
}

API HSAKMT_STATUS hsaKmtAvailableMemory(HSAuint32 node, HSAuint64 *bytes)
{
	(void)node;
	*bytes = 1ull << 30;
	return HSAKMT_STATUS_SUCCESS;
}

API HSAKMT_STATUS hsaKmtGetRuntimeCapabilities(HSAuint32 *capabilities)
{
	*capabilities = 0;
	return HSAKMT_STATUS_SUCCESS;
}

/* For libdrm's calls about virtual memory, which no test makes; it must not be NULL. */
API HSAKMT_STATUS hsaKmtGetAMDGPUDeviceHandle(HSAuint32 node, void **handle)
{
	static char device;

	(void)node;
	*handle = &device;
	return HSAKMT_STATUS_SUCCESS;
}

#define NOT_SUPPORTED(function, ...)                                                                   \
	API HSAKMT_STATUS function(__VA_ARGS__);                                                        \
	API HSAKMT_STATUS function(__VA_ARGS__)                                                         \
	{                                                                                              \
		return HSAKMT_STATUS_NOT_SUPPORTED;                                                    \
	}

#pragma GCC diagnostic ignored "-Wunused-parameter"
NOT_SUPPORTED(hsaKmtDbgDisable, void)
NOT_SUPPORTED(hsaKmtDbgEnable, void **information, HSAuint32 *size)
NOT_SUPPORTED(hsaKmtDbgGetDeviceData, void **data, HSAuint32 *count, HSAuint32 *size)
NOT_SUPPORTED(hsaKmtDbgGetQueueData, void **data, HSAuint32 *count, HSAuint32 *size, bool suspends)
NOT_SUPPORTED(hsaKmtExportDMABufHandle, void *address, HSAuint64 size, int *file, HSAuint64 *offset)
NOT_SUPPORTED(hsaKmtOpenSMI, HSAuint32 node, int *file)
NOT_SUPPORTED(hsaKmtReplaceAsanHeaderPage, void *address)
NOT_SUPPORTED(hsaKmtReturnAsanHeaderPage, void *address)
NOT_SUPPORTED(hsaKmtSPMAcquire, HSAuint32 node)
NOT_SUPPORTED(hsaKmtSPMRelease, HSAuint32 node)
NOT_SUPPORTED(hsaKmtSPMSetDestBuffer, HSAuint32 node, HSAuint32 size, HSAuint32 *timeout, HSAuint32 *copied, void *target, bool *is_lossy)
