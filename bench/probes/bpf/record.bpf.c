// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records the measured events as a libbpf tool would: raw tracepoints, fields found by CO-RE, one record of fixed size
 * in a ring buffer, with the time and the fields of our LTTng event of the same name. Nobody is woken.
 *
 * BPF cannot call fence->ops->get_driver_name(): the names of a fence are read where those of the GPU scheduler's
 * fences are, which is less work.
 */
#include <linux/bpf.h>
#include <linux/types.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#define NAME_BYTES 16

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)
typedef struct {
	int counter;
} atomic_t;

struct kobject {
	const char *name;
};

struct device {
	struct kobject kobj;
	const char *init_name;
};

struct dma_fence {
	__u64 context;
	__u64 seqno;
};

struct drm_gpu_scheduler {
	const char *name;
	struct device *dev;
	atomic_t credit_count;
	atomic_t hw_rq_count;
};

struct drm_sched_fence {
	struct dma_fence finished;
	struct drm_gpu_scheduler *sched;
	__u64 drm_client_id;
};

struct spsc_queue {
	atomic_t job_count;
};

struct drm_sched_entity {
	struct spsc_queue job_queue;
};

struct drm_sched_job {
	__u64 id;
	struct drm_gpu_scheduler *sched;
	struct drm_sched_fence *s_fence;
};

struct amdgpu_ring {
	struct drm_gpu_scheduler sched;
	char name[NAME_BYTES];
};

struct amdgpu_job {
	struct drm_sched_job base;
	__u32 num_ibs;
};

struct drm_minor {
	int index;
};

struct drm_device {
	struct device *dev;
	struct drm_minor *primary;
};

struct drm_i915_private {
	struct drm_device drm;
};

struct intel_engine_cs {
	__u16 uabi_class;
	__u16 uabi_instance;
};

struct i915_request {
	struct dma_fence fence;
	struct drm_i915_private *i915;
	struct intel_engine_cs *engine;
	__u32 tail;
};
#pragma clang attribute pop

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 24);
} records SEC(".maps");

char license_of_programs[] SEC("license") = "GPL";

#define record_begin(type)                                                                             \
	struct type *record = bpf_ringbuf_reserve(&records, sizeof(*record), 0);                       \
	if (!record)                                                                                   \
		return 0;                                                                              \
	record->time = bpf_ktime_get_ns()

#define record_end()                                                                                   \
	bpf_ringbuf_submit(record, BPF_RB_NO_WAKEUP);                                                  \
	return 0

static __always_inline void read_device_name(char *to, struct device *device)
{
	const char *name = BPF_CORE_READ(device, init_name);

	if (!name)
		name = BPF_CORE_READ(device, kobj.name);
	bpf_probe_read_kernel_str(to, NAME_BYTES, name);
}

struct job_record {
	__u64 time;
	__u64 entity;
	__u64 fence;
	__u64 id;
	__u64 fence_context;
	__u64 fence_seqno;
	__u32 job_count;
	__s32 hw_job_count;
	char name[NAME_BYTES];
	char dev[NAME_BYTES];
};

/* drm_sched_job (up to 6.16): the kernel has no client there that its event tells. */
SEC("raw_tp")
int drm_sched_job(struct bpf_raw_tracepoint_args *ctx)
{
	struct drm_sched_job *job = (void *)ctx->args[0];
	struct drm_sched_entity *entity = (void *)ctx->args[1];
	struct drm_gpu_scheduler *sched = BPF_CORE_READ(job, sched);
	struct drm_sched_fence *fence = BPF_CORE_READ(job, s_fence);

	record_begin(job_record);
	record->entity = (__u64)entity;
	record->fence = (__u64)&fence->finished;
	if (bpf_core_field_exists(job->id))
		record->id = BPF_CORE_READ(job, id);
	record->fence_context = BPF_CORE_READ(fence, finished.context);
	record->fence_seqno = BPF_CORE_READ(fence, finished.seqno);
	record->job_count = BPF_CORE_READ(entity, job_queue.job_count.counter);
	if (bpf_core_field_exists(sched->credit_count))
		record->hw_job_count = BPF_CORE_READ(sched, credit_count.counter);
	else
		record->hw_job_count = BPF_CORE_READ(sched, hw_rq_count.counter);
	bpf_probe_read_kernel_str(record->name, NAME_BYTES, BPF_CORE_READ(sched, name));
	read_device_name(record->dev, BPF_CORE_READ(sched, dev));
	record_end();
}

struct queue_record {
	__u64 time;
	__u64 fence_context;
	__u64 fence_seqno;
	__u64 client_id;
	__u32 job_count;
	__s32 hw_job_count;
	char name[NAME_BYTES];
	char dev[NAME_BYTES];
};

SEC("raw_tp")
int drm_sched_job_queue(struct bpf_raw_tracepoint_args *ctx)
{
	struct drm_sched_job *job = (void *)ctx->args[0];
	struct drm_sched_entity *entity = (void *)ctx->args[1];
	struct drm_gpu_scheduler *sched = BPF_CORE_READ(job, sched);
	struct drm_sched_fence *fence = BPF_CORE_READ(job, s_fence);

	record_begin(queue_record);
	record->fence_context = BPF_CORE_READ(fence, finished.context);
	record->fence_seqno = BPF_CORE_READ(fence, finished.seqno);
	if (bpf_core_field_exists(fence->drm_client_id))
		record->client_id = BPF_CORE_READ(fence, drm_client_id);
	record->job_count = BPF_CORE_READ(entity, job_queue.job_count.counter);
	if (bpf_core_field_exists(sched->credit_count))
		record->hw_job_count = BPF_CORE_READ(sched, credit_count.counter);
	bpf_probe_read_kernel_str(record->name, NAME_BYTES, BPF_CORE_READ(sched, name));
	read_device_name(record->dev, BPF_CORE_READ(sched, dev));
	record_end();
}

struct fence_record {
	__u64 time;
	__u64 context;
	__u64 seqno;
	char driver[NAME_BYTES];
	char timeline[NAME_BYTES];
};

const char drm_sched_name[NAME_BYTES] = "drm_sched";

SEC("raw_tp")
int dma_fence_signaled(struct bpf_raw_tracepoint_args *ctx)
{
	struct dma_fence *fence = (void *)ctx->args[0];
	struct drm_sched_fence *sched_fence =
		(void *)fence - bpf_core_field_offset(struct drm_sched_fence, finished);

	record_begin(fence_record);
	record->context = BPF_CORE_READ(fence, context);
	record->seqno = BPF_CORE_READ(fence, seqno);
	bpf_probe_read_kernel_str(record->driver, NAME_BYTES, drm_sched_name);
	bpf_probe_read_kernel_str(record->timeline, NAME_BYTES, BPF_CORE_READ(sched_fence, sched, name));
	record_end();
}

struct request_record {
	__u64 time;
	__u64 ctx;
	__u64 seqno;
	__u32 dev;
	__u16 class;
	__u16 instance;
	__u32 tail;
};

SEC("raw_tp")
int i915_request_add(struct bpf_raw_tracepoint_args *args)
{
	struct i915_request *rq = (void *)args->args[0];
	struct drm_i915_private *i915 = BPF_CORE_READ(rq, i915);
	struct intel_engine_cs *engine = BPF_CORE_READ(rq, engine);

	record_begin(request_record);
	record->ctx = BPF_CORE_READ(rq, fence.context);
	record->seqno = BPF_CORE_READ(rq, fence.seqno);
	record->dev = BPF_CORE_READ(i915, drm.primary, index);
	record->class = BPF_CORE_READ(engine, uabi_class);
	record->instance = BPF_CORE_READ(engine, uabi_instance);
	record->tail = BPF_CORE_READ(rq, tail);
	record_end();
}

struct submission_record {
	__u64 time;
	__u64 sched_job_id;
	__u64 context;
	__u64 seqno;
	__u32 num_ibs;
	char timeline[NAME_BYTES];
	char ring[NAME_BYTES];
};

SEC("raw_tp")
int amdgpu_cs_ioctl(struct bpf_raw_tracepoint_args *ctx)
{
	struct amdgpu_job *job = (void *)ctx->args[0];
	struct drm_gpu_scheduler *sched = BPF_CORE_READ(job, base.sched);
	struct drm_sched_fence *fence = BPF_CORE_READ(job, base.s_fence);
	struct amdgpu_ring *ring = (void *)sched - bpf_core_field_offset(struct amdgpu_ring, sched);

	record_begin(submission_record);
	if (bpf_core_field_exists(job->base.id))
		record->sched_job_id = BPF_CORE_READ(job, base.id);
	record->context = BPF_CORE_READ(fence, finished.context);
	record->seqno = BPF_CORE_READ(fence, finished.seqno);
	record->num_ibs = BPF_CORE_READ(job, num_ibs);
	bpf_probe_read_kernel_str(record->timeline, NAME_BYTES, BPF_CORE_READ(fence, sched, name));
	bpf_probe_read_kernel_str(record->ring, NAME_BYTES, ring->name);
	record_end();
}
