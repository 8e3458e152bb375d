/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * virtio_gpu events: drivers/gpu/drm/virtio/virtgpu_trace.h. seqno is the place of the command in its
 * virtqueue's order (virtio_gpu_vbuffer::seqno); kernels that do not have it have no such field here either.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM virtio_gpu

#if !defined(LTTNG_GPU_TRACE_VIRTIO_GPU_H) || defined(TRACE_HEADER_MULTI_READ)
#define LTTNG_GPU_TRACE_VIRTIO_GPU_H

#include <lttng/tracepoint-event.h>

#if GPU_TRACEPOINT_virtio_gpu_cmd_queue == 1
#define LTTNG_GPU_VIRTIO_PROTO TP_PROTO(struct virtqueue *vq, struct virtio_gpu_ctrl_hdr *hdr, u32 seqno)
#define LTTNG_GPU_VIRTIO_ARGS TP_ARGS(vq, hdr, seqno)
#define LTTNG_GPU_VIRTIO_SEQNO ctf_integer(u32, seqno, seqno)
#else
#define LTTNG_GPU_VIRTIO_PROTO TP_PROTO(struct virtqueue *vq, struct virtio_gpu_ctrl_hdr *hdr)
#define LTTNG_GPU_VIRTIO_ARGS TP_ARGS(vq, hdr)
#define LTTNG_GPU_VIRTIO_SEQNO
#endif

LTTNG_TRACEPOINT_EVENT_CLASS(virtio_gpu_cmd,

	LTTNG_GPU_VIRTIO_PROTO,

	LTTNG_GPU_VIRTIO_ARGS,

	TP_FIELDS(
		ctf_integer(int, dev, vq->vdev->index)
		ctf_integer(unsigned int, vq, vq->index)
		ctf_string(name, vq->name)
		ctf_integer_hex(u32, type, le32_to_cpu(hdr->type))
		ctf_integer_hex(u32, flags, le32_to_cpu(hdr->flags))
		ctf_integer(u64, fence_id, le64_to_cpu(hdr->fence_id))
		ctf_integer(u32, ctx_id, le32_to_cpu(hdr->ctx_id))
		ctf_integer(u32, num_free, vq->num_free)
		LTTNG_GPU_VIRTIO_SEQNO
	)
)

/* virtio_gpu_queue_ctrl_sgs(), virtio_gpu_queue_cursor(): the command is in the virtqueue. */
LTTNG_TRACEPOINT_EVENT_INSTANCE(virtio_gpu_cmd,

	virtio_gpu_cmd_queue,

	LTTNG_GPU_VIRTIO_PROTO,

	LTTNG_GPU_VIRTIO_ARGS
)

/* virtio_gpu_dequeue_ctrl_func(): the host has answered; for a fenced command, executed it. */
LTTNG_TRACEPOINT_EVENT_INSTANCE(virtio_gpu_cmd,

	virtio_gpu_cmd_response,

	LTTNG_GPU_VIRTIO_PROTO,

	LTTNG_GPU_VIRTIO_ARGS
)

#endif /* LTTNG_GPU_TRACE_VIRTIO_GPU_H */

/* This part must be outside protection */
#include <lttng/define_trace.h>
