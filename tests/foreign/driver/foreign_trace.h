/* SPDX-License-Identifier: GPL-2.0-only */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM amd_sched

#if !defined(FOREIGN_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define FOREIGN_TRACE_H

#include <linux/tracepoint.h>

DECLARE_EVENT_CLASS(foreign,
	TP_PROTO(unsigned long first, unsigned long second, unsigned long third, unsigned long fourth),
	TP_ARGS(first, second, third, fourth),
	TP_STRUCT__entry(__field(unsigned long, first)),
	TP_fast_assign(__entry->first = first;),
	TP_printk("%lx", __entry->first)
);

#define FOREIGN_EVENT(name)                                                                            \
	DEFINE_EVENT(foreign, name,                                                                    \
		TP_PROTO(unsigned long first, unsigned long second, unsigned long third, unsigned long fourth), \
		TP_ARGS(first, second, third, fourth))

FOREIGN_EVENT(drm_sched_job);
FOREIGN_EVENT(drm_run_job);
FOREIGN_EVENT(drm_sched_process_job);
FOREIGN_EVENT(drm_sched_job_queue);
FOREIGN_EVENT(drm_sched_job_run);
FOREIGN_EVENT(drm_sched_job_done);
FOREIGN_EVENT(dma_fence_wait_start);
FOREIGN_EVENT(virtio_gpu_cmd_queue);
FOREIGN_EVENT(job);
FOREIGN_EVENT(jsm);
FOREIGN_EVENT(pm);
FOREIGN_EVENT(mbox_set_tail);
FOREIGN_EVENT(mbox_set_head);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE foreign_trace
#include <trace/define_trace.h>
