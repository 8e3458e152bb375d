/* SPDX-License-Identifier: GPL-2.0-only */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM vpu

#if !defined(REBUILT_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define REBUILT_TRACE_H

#include <linux/tracepoint.h>

TRACE_EVENT(job,
	TP_PROTO(const char *event, struct ivpu_job *job),
	TP_ARGS(event, job),
	TP_STRUCT__entry(__field(u32, job_id)),
	TP_fast_assign(__entry->job_id = job->job_id;),
	TP_printk("%u", __entry->job_id)
);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE rebuilt_trace
#include <trace/define_trace.h>
