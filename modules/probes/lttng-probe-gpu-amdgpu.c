// SPDX-License-Identifier: GPL-2.0-only
/*
 * LTTng probes of amdgpu.
 *
 * The kernel's own headers of these tracepoints are not installed, so the compiler cannot check the prototypes;
 * btf-layout has done so against the BTF of this kernel build and wrote <layout/amdgpu.h>.
 */
#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/device.h>
#include <linux/dma-fence.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/pfn.h>
#include <linux/uaccess.h>
#include <lttng/tracer.h>

#include <layout/amdgpu.h>

#include "gpu_layout.h"

/*
 * What the amdgpu events say of a job and its ring. Schedulers are parts of rings, rings of the device, and the device
 * outlives the jobs and open files that the events fire for.
 */

struct amdgpu_bo_list;
struct amdgpu_cs_parser;
struct amdgpu_ib;
struct amdgpu_iv_entry;
struct amdgpu_job;
struct amdgpu_ring;
struct amdgpu_ring_funcs;
struct amdgpu_vm;
struct drm_gpu_scheduler;
struct drm_sched_entity;
struct drm_sched_fence;
struct drm_sched_rq;

#define AMDGPU_NO_RING U32_MAX

static inline const struct amdgpu_ring *amdgpu_ring_of(struct drm_gpu_scheduler *sched)
{
	return (const struct amdgpu_ring *)((const char *)sched - GPU_OFFSET_amdgpu_ring_sched);
}

static inline const char *amdgpu_ring_name(const struct amdgpu_ring *ring)
{
	return gpu_field_address(ring, amdgpu_ring, name, const char);
}

#if defined(GPU_OFFSET_amdgpu_ring_vm_hub)
static inline u32 amdgpu_ring_vm_hub(const struct amdgpu_ring *ring)
{
	return gpu_field(ring, amdgpu_ring, vm_hub, unsigned int);
}
#elif defined(GPU_OFFSET_amdgpu_ring_funcs) && defined(GPU_OFFSET_amdgpu_ring_funcs_vmhub)
/* The functions of a ring are constants of amdgpu.ko, set before the ring is used. */
static inline u32 amdgpu_ring_vm_hub(const struct amdgpu_ring *ring)
{
	const struct amdgpu_ring_funcs *functions =
		gpu_field(ring, amdgpu_ring, funcs, const struct amdgpu_ring_funcs *);

	return gpu_field(functions, amdgpu_ring_funcs, vmhub, unsigned int);
}
#else
#define AMDGPU_VM_HUB_UNKNOWN
#endif

#if defined(GPU_TRACEPOINT_amdgpu_cs)
/*
 * The ring that amdgpu_cs_ioctl() would give the job to at this moment. drm_sched_job_arm() comes later and may still
 * choose another, so this is not job->base.sched. drm_sched_entity_select_rq() leaves an entity without run queue when
 * the hardware of all its schedulers has died. The parser holds the context that the entity is part of; a run queue
 * lives as long as its scheduler.
 */
static inline const struct amdgpu_ring *amdgpu_ring_before_arm(struct amdgpu_job *job)
{
	struct drm_sched_entity *entity = gpu_field(job, amdgpu_job, base_entity, struct drm_sched_entity *);
	struct drm_sched_rq *rq = gpu_field(entity, drm_sched_entity, rq, struct drm_sched_rq *);

	return rq ? amdgpu_ring_of(gpu_field(rq, drm_sched_rq, sched, struct drm_gpu_scheduler *)) : NULL;
}

static inline u32 amdgpu_ring_index(const struct amdgpu_ring *ring)
{
	return ring ? gpu_field(ring, amdgpu_ring, idx, u32) : AMDGPU_NO_RING;
}

/* Those not yet seen to be signalled, as amdgpu_fence_count_emitted() counts them. */
static inline u32 amdgpu_ring_fences(const struct amdgpu_ring *ring)
{
	if (!ring)
		return 0;
	return gpu_field(ring, amdgpu_ring, fence_drv_sync_seq, u32) -
	       (u32)atomic_read(gpu_field_address(ring, amdgpu_ring, fence_drv_last_seq, const atomic_t));
}
#endif

#if defined(GPU_OFFSET_amdgpu_job_base_sched)
static inline struct drm_gpu_scheduler *amdgpu_job_scheduler(struct amdgpu_job *job)
{
	return gpu_field(job, amdgpu_job, base_sched, struct drm_gpu_scheduler *);
}

static inline const char *amdgpu_scheduler_name(struct drm_gpu_scheduler *sched)
{
	return gpu_field(sched, drm_gpu_scheduler, name, const char *);
}
#endif

#if defined(GPU_TRACEPOINT_amdgpu_cs_ioctl) || defined(GPU_TRACEPOINT_amdgpu_sched_run_job)
struct amdgpu_job_facts {
	const char *timeline;
	const char *ring;
	const struct dma_fence *finished;
	u32 num_ibs;
};

/*
 * For jobs between drm_sched_job_arm(), which sets job->sched and job->s_fence, and free_job(). The job holds a
 * reference to its fence until drm_sched_job_cleanup(). Its scheduler calls run_job() and free_job() from one thread
 * (drm_sched_main(), 6.1) or ordered workqueue (6.12, 7.2), so the job stays while it is being run.
 *
 * The kernel's events call fence->ops->get_timeline_name(). We do not: amdgpu_job_stop_all_jobs_on_sched() signals
 * the finished fences of jobs that run_job() has already begun with, and signalling clears fence->ops since "dma-buf:
 * detach fence ops on signal" (541c8f2468b9). drm_sched_fence_get_timeline_name() gives the name of the fence's
 * scheduler; it is read here where that function reads it.
 */
static inline struct amdgpu_job_facts amdgpu_job_facts(struct amdgpu_job *job)
{
	struct drm_gpu_scheduler *sched = amdgpu_job_scheduler(job);
	struct drm_sched_fence *fence = gpu_field(job, amdgpu_job, base_s_fence, struct drm_sched_fence *);

	return (struct amdgpu_job_facts){
		.timeline = amdgpu_scheduler_name(
			gpu_field(fence, drm_sched_fence, sched, struct drm_gpu_scheduler *)),
		.ring = amdgpu_ring_name(amdgpu_ring_of(sched)),
		.finished = gpu_field_address(fence, drm_sched_fence, finished, const struct dma_fence),
		.num_ibs = gpu_field(job, amdgpu_job, num_ibs, u32),
	};
}

static inline const char *amdgpu_job_device_name(struct amdgpu_job *job)
{
	struct device *device = gpu_field(amdgpu_job_scheduler(job), drm_gpu_scheduler, dev, struct device *);

	return device ? dev_name(device) : "";
}
#endif

/*
 * What the amdgpu events say of buffers, their mappings and page tables. Every event fires while its caller holds a
 * reference to the buffer or the lock of the address space.
 */

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

#define GPU_PROBE_EVENTS <instrumentation/events/amdgpu.h>
#include "gpu_probe_events.h"

GPU_PROBE_MODULE(amdgpu);

#define GPU_PROBE_SYMBOL lttng_probe_gpu_amdgpu_events
#include "gpu_module_info.h"
MODULE_DESCRIPTION("LTTng probes of amdgpu");
