// SPDX-License-Identifier: GPL-2.0-only
/*
 * LTTng probes of amdgpu.
 *
 * The kernel's own headers of these tracepoints are not installed, so the compiler cannot check the prototypes;
 * btf-layout has done so against the BTF of this kernel build and wrote <layout/amdgpu.h>.
 */
#include <linux/module.h>
#include <lttng/tracer.h>

#include <layout/amdgpu.h>
#include "amdgpu_job.h"
#include "amdgpu_memory.h"

#include "gpu_probe_guard.h"

#ifdef GPU_TRACEPOINT_amdgpu_cs
GPU_PROBE(amdgpu_cs, (struct amdgpu_cs_parser *parser, struct amdgpu_job *job, struct amdgpu_ib *ib),
	  (parser, job, ib))
#endif
#ifdef GPU_TRACEPOINT_amdgpu_cs_ioctl
GPU_PROBE(amdgpu_cs_ioctl, (struct amdgpu_job *job), (job))
#endif
#ifdef GPU_TRACEPOINT_amdgpu_sched_run_job
GPU_PROBE(amdgpu_sched_run_job, (struct amdgpu_job *job), (job))
#endif
#ifdef GPU_TRACEPOINT_amdgpu_ib_pipe_sync
GPU_PROBE(amdgpu_ib_pipe_sync, (struct amdgpu_job *job, struct dma_fence *fence), (job, fence))
#endif
#ifdef GPU_TRACEPOINT_amdgpu_cleaner_shader
GPU_PROBE(amdgpu_cleaner_shader, (struct amdgpu_ring *ring, struct dma_fence *fence), (ring, fence))
#endif
#ifdef GPU_TRACEPOINT_amdgpu_isolation
GPU_PROBE(amdgpu_isolation, (void *prev, void *next), (prev, next))
#endif
#ifdef GPU_TRACEPOINT_amdgpu_iv
GPU_PROBE(amdgpu_iv, (unsigned int ih, struct amdgpu_iv_entry *iv), (ih, iv))
#endif
#ifdef GPU_TRACEPOINT_amdgpu_bo_create
GPU_PROBE(amdgpu_bo_create, (struct amdgpu_bo *bo), (bo))
#endif
#ifdef GPU_TRACEPOINT_amdgpu_bo_move
GPU_PROBE(amdgpu_bo_move, (struct amdgpu_bo *bo, u32 new_placement, u32 old_placement),
	  (bo, new_placement, old_placement))
#endif
#ifdef GPU_TRACEPOINT_amdgpu_bo_list_set
GPU_PROBE(amdgpu_bo_list_set, (struct amdgpu_bo_list *list, struct amdgpu_bo *bo), (list, bo))
#endif
#ifdef GPU_TRACEPOINT_amdgpu_cs_bo_status
GPU_PROBE(amdgpu_cs_bo_status, (u64 total_bo, u64 total_size), (total_bo, total_size))
#endif
#ifdef GPU_TRACEPOINT_amdgpu_vm_grab_id
GPU_PROBE(amdgpu_vm_grab_id, (struct amdgpu_vm *vm, struct amdgpu_ring *ring, struct amdgpu_job *job),
	  (vm, ring, job))
#endif
#ifdef GPU_TRACEPOINT_amdgpu_vm_flush
GPU_PROBE(amdgpu_vm_flush, (struct amdgpu_ring *ring, unsigned int vmid, u64 pd_addr), (ring, vmid, pd_addr))
#endif
#if defined(GPU_TRACEPOINT_amdgpu_vm_bo_map) || defined(GPU_TRACEPOINT_amdgpu_vm_bo_unmap)
GPU_PROBE(amdgpu_vm_bo_va, (struct amdgpu_bo_va *bo_va, struct amdgpu_bo_va_mapping *mapping), (bo_va, mapping))
#endif
#if defined(GPU_TRACEPOINT_amdgpu_vm_bo_update) || defined(GPU_TRACEPOINT_amdgpu_vm_bo_mapping) ||     \
	defined(GPU_TRACEPOINT_amdgpu_vm_bo_cs)
GPU_PROBE(amdgpu_vm_mapping, (struct amdgpu_bo_va_mapping *mapping), (mapping))
#endif
#ifdef GPU_TRACEPOINT_amdgpu_vm_set_ptes
GPU_PROBE(amdgpu_vm_set_ptes, (u64 pe, u64 addr, unsigned int count, u32 incr, u64 flags, bool immediate),
	  (pe, addr, count, incr, flags, immediate))
#endif
#ifdef GPU_TRACEPOINT_amdgpu_vm_copy_ptes
GPU_PROBE(amdgpu_vm_copy_ptes, (u64 pe, u64 src, unsigned int count, bool immediate), (pe, src, count, immediate))
#endif
#ifdef GPU_TRACEPOINT_amdgpu_vm_update_ptes
GPU_PROBE(amdgpu_vm_update_ptes,
	  (struct amdgpu_vm_update_params *params, u64 start, u64 end, unsigned int nptes, u64 dst, u64 incr, u64 flags,
	   pid_t pid, u64 vm_ctx),
	  (params, start, end, nptes, dst, incr, flags, pid, vm_ctx))
#endif
#if defined(GPU_TRACEPOINT_amdgpu_pasid_allocated) || defined(GPU_TRACEPOINT_amdgpu_pasid_freed)
GPU_PROBE(amdgpu_pasid, (unsigned int pasid), (pasid))
#endif
#ifdef GPU_TRACEPOINT_amdgpu_reset_reg_dumps
GPU_PROBE(amdgpu_reset_reg_dumps, (u32 address, u32 value), (address, value))
#endif

#define LTTNG_PACKAGE_BUILD
#define CREATE_TRACE_POINTS
#define TRACE_INCLUDE_PATH instrumentation/events

#include <instrumentation/events/amdgpu.h>

GPU_PROBE_MODULE(amdgpu);

#define GPU_PROBE_SYMBOL lttng_probe_gpu_amdgpu_events
#include "gpu_module_info.h"
MODULE_DESCRIPTION("LTTng probes of amdgpu");
