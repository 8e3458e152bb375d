/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The truth log: what really happened to each job, in the clock of the traces
 * (ktime_get_mono_fast_ns(), which LTTng and ftrace's "mono" use). An instant
 * is kept as a pair of readings, one before and one after it, because a CPU
 * can be lost for milliseconds between any two instructions; the kernel's own
 * event of that instant lies between them. A reading of 0 did not happen.
 */
#ifndef GPUTEST_LOG_H
#define GPUTEST_LOG_H

#include <linux/sched.h>
#include <linux/timekeeping.h>
#include <linux/types.h>

struct gputest_interval {
	u64 lo;
	u64 hi;
};

struct gputest_record {
	u64 context;
	u64 seqno;
	u64 exec_ns;
	struct gputest_interval queued;
	struct gputest_interval submitted;
	struct gputest_interval started;
	struct gputest_interval completed;
	pid_t pid;
	pid_t tid;
	u32 dependencies;
	u8 device;
	u8 ring;
	bool valid;
	char comm[TASK_COMM_LEN];
};

static inline u64 gputest_now(void)
{
	return ktime_get_mono_fast_ns();
}

/* Jobs beyond the log's size have no record, hence the test of @reading. */
#define gputest_stamp(record, reading, ns) do {				\
	struct gputest_record *stamp_record = (record);			\
									\
	if (stamp_record)						\
		WRITE_ONCE(stamp_record->reading, (ns));		\
} while (0)

int gputest_log_init(unsigned int size);
void gputest_log_fini(void);

/* A submission, from before its record is taken until after its last use. */
void gputest_log_begin_submit(void);
void gputest_log_end_submit(void);

struct gputest_record *gputest_log_take(void);
void gputest_log_publish(struct gputest_record *record);

/* Jobs that may still write to their record; a reset waits for them. */
void gputest_log_job_begin(void);
void gputest_log_job_end(void);

#endif
