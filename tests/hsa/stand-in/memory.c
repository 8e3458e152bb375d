/* SPDX-License-Identifier: MIT */
/* Memory: all of it is the host's, and the device sees it at the same address. */
#include "stand_in.h"

#include <string.h>
#include <sys/mman.h>

API HSAKMT_STATUS hsaKmtAllocMemory(HSAuint32 node, HSAuint64 bytes, HsaMemFlags flags, void **address)
{
	(void)node;
	(void)flags;
	*address = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (*address == MAP_FAILED) {
		*address = NULL;
		return HSAKMT_STATUS_NO_MEMORY;
	}
	return HSAKMT_STATUS_SUCCESS;
}

API HSAKMT_STATUS hsaKmtFreeMemory(void *address, HSAuint64 bytes)
{
	munmap(address, bytes);
	return HSAKMT_STATUS_SUCCESS;
}

API HSAKMT_STATUS hsaKmtMapMemoryToGPU(void *address, HSAuint64 bytes, HSAuint64 *alternate)
{
	(void)bytes;
	if (alternate)
		*alternate = (uintptr_t)address;
	return HSAKMT_STATUS_SUCCESS;
}

API HSAKMT_STATUS hsaKmtMapMemoryToGPUNodes(void *address, HSAuint64 bytes, HSAuint64 *alternate, HsaMemMapFlags flags,
					    HSAuint64 count, HSAuint32 *nodes)
{
	(void)flags;
	(void)count;
	(void)nodes;
	return hsaKmtMapMemoryToGPU(address, bytes, alternate);
}

API HSAKMT_STATUS hsaKmtUnmapMemoryToGPU(void *address)
{
	(void)address;
	return HSAKMT_STATUS_SUCCESS;
}

API HSAKMT_STATUS hsaKmtRegisterMemoryWithFlags(void *address, HSAuint64 bytes, HsaMemFlags flags)
{
	(void)address;
	(void)bytes;
	(void)flags;
	return HSAKMT_STATUS_SUCCESS;
}

API HSAKMT_STATUS hsaKmtDeregisterMemory(void *address)
{
	(void)address;
	return HSAKMT_STATUS_SUCCESS;
}

API HSAKMT_STATUS hsaKmtQueryPointerInfo(const void *pointer, HsaPointerInfo *info)
{
	(void)pointer;
	memset(info, 0, sizeof(*info));
	info->Type = HSA_POINTER_UNKNOWN;
	return HSAKMT_STATUS_ERROR;
}

API HSAKMT_STATUS hsaKmtSetMemoryUserData(const void *pointer, void *data)
{
	(void)pointer;
	(void)data;
	return HSAKMT_STATUS_NOT_SUPPORTED;
}

API HSAKMT_STATUS hsaKmtSetMemoryPolicy(HSAuint32 node, HSAuint32 usual, HSAuint32 other, void *address, HSAuint64 bytes)
{
	(void)node;
	(void)usual;
	(void)other;
	(void)address;
	(void)bytes;
	return HSAKMT_STATUS_SUCCESS;
}

/* Memory of other processes and of graphics, and pages that move. */

API HSAKMT_STATUS hsaKmtShareMemory(void *address, HSAuint64 bytes, HsaSharedMemoryHandle *handle)
{
	(void)address;
	(void)bytes;
	(void)handle;
	return HSAKMT_STATUS_NOT_SUPPORTED;
}

API HSAKMT_STATUS hsaKmtRegisterSharedHandle(const HsaSharedMemoryHandle *handle, void **address, HSAuint64 *bytes)
{
	(void)handle;
	(void)address;
	(void)bytes;
	return HSAKMT_STATUS_NOT_SUPPORTED;
}

API HSAKMT_STATUS hsaKmtRegisterSharedHandleToNodes(const HsaSharedMemoryHandle *handle, void **address, HSAuint64 *bytes,
						    HSAuint64 count, HSAuint32 *nodes)
{
	(void)count;
	(void)nodes;
	return hsaKmtRegisterSharedHandle(handle, address, bytes);
}

API HSAKMT_STATUS hsaKmtRegisterGraphicsHandleToNodes(HSAuint64 handle, HsaGraphicsResourceInfo *info, HSAuint64 count,
						      HSAuint32 *nodes)
{
	(void)handle;
	(void)info;
	(void)count;
	(void)nodes;
	return HSAKMT_STATUS_NOT_SUPPORTED;
}

API HSAKMT_STATUS hsaKmtSVMGetAttr(void *address, HSAuint64 bytes, unsigned int count, HSA_SVM_ATTRIBUTE *attributes)
{
	(void)address;
	(void)bytes;
	(void)count;
	(void)attributes;
	return HSAKMT_STATUS_NOT_SUPPORTED;
}

API HSAKMT_STATUS hsaKmtSVMSetAttr(void *address, HSAuint64 bytes, unsigned int count, HSA_SVM_ATTRIBUTE *attributes)
{
	return hsaKmtSVMGetAttr(address, bytes, count, attributes);
}
