/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the amdgpu events say of buffers, their mappings and page tables. Every event fires while its caller holds a
 * reference to the buffer or the lock of the address space.
 */
#ifndef LTTNG_GPU_AMDGPU_MEMORY_H
#define LTTNG_GPU_AMDGPU_MEMORY_H

#include <linux/bits.h>
#include <linux/mm.h>
#include <linux/pfn.h>
#include <linux/uaccess.h>

#include "gpu_layout.h"

struct amdgpu_bo;
struct amdgpu_bo_list;
struct amdgpu_bo_va;
struct amdgpu_bo_va_mapping;
struct amdgpu_vm_update_params;
struct ttm_resource;

#define AMDGPU_NO_PLACEMENT U32_MAX

#if defined(GPU_OFFSET_amdgpu_bo_size)
static inline u64 amdgpu_bo_bytes(struct amdgpu_bo *bo)
{
	return gpu_field(bo, amdgpu_bo, size, size_t);
}
#endif

#if defined(GPU_TRACEPOINT_amdgpu_bo_create)
/*
 * Where the new buffer lies (TTM_PL_*). amdgpu_bo_create() has already unreserved it, so it may be evicted meanwhile:
 * ttm_resource_free() frees the resource at once and leaves bo->resource NULL, or pointing to the next one. The
 * kernel's event reads it nevertheless. We read it in a way that cannot fault, and a resource that went away in just
 * these few instructions can give a wrong type, nothing worse. The size does not need the resource:
 * ttm_resource_init() has it from the buffer.
 */
static inline u32 amdgpu_bo_placement(struct amdgpu_bo *bo)
{
	struct ttm_resource *resource = gpu_field(bo, amdgpu_bo, resource, struct ttm_resource *);
	u32 type;

	if (!resource || get_kernel_nofault(type, gpu_field_address(resource, ttm_resource, mem_type, u32)))
		return AMDGPU_NO_PLACEMENT;
	return type;
}
#endif

#if defined(GPU_OFFSET_amdgpu_bo_va_base_bo)
/* NULL for a mapping that amdgpu_vm_bo_clear_mappings() has split or removed. The buffer is not followed. */
static inline const void *amdgpu_mapped_bo(struct amdgpu_bo_va *bo_va)
{
	return bo_va ? gpu_field(bo_va, amdgpu_bo_va, base_bo, const void *) : NULL;
}
#endif

#if defined(GPU_OFFSET_amdgpu_bo_va_mapping_pte_flags)
static inline u64 amdgpu_mapping_flags(struct amdgpu_bo_va_mapping *mapping)
{
	return gpu_field(mapping, amdgpu_bo_va_mapping, pte_flags, u64);
}
#elif defined(GPU_OFFSET_amdgpu_bo_va_mapping_vm_page_flags)
static inline u64 amdgpu_mapping_flags(struct amdgpu_bo_va_mapping *mapping)
{
	return gpu_field(mapping, amdgpu_bo_va_mapping, vm_page_flags, u32);
}
#else
#define AMDGPU_MAPPING_FLAGS_UNKNOWN
#endif

#if defined(GPU_TRACEPOINT_amdgpu_vm_update_ptes)
/* NULL, or the DMA address of every page of the buffer, which is reserved and populated while its pages are mapped. */
static inline const dma_addr_t *amdgpu_page_addresses(struct amdgpu_vm_update_params *params)
{
	return gpu_field(params, amdgpu_vm_update_params, pages_addr, const dma_addr_t *);
}

/* What the page table entry will point to: as amdgpu_vm_map_gart() finds it for those who write the entry. */
static inline u64 amdgpu_pte_destination(const dma_addr_t *pages, u64 address)
{
	if (!pages)
		return address;
	return (pages[address >> PAGE_SHIFT] | offset_in_page(address)) & GENMASK_ULL(63, 12);
}
#endif

#endif
