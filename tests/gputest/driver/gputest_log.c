// SPDX-License-Identifier: GPL-2.0-only
/*
 * The truth log's memory and its files in debugfs: gputest/jobs (one line of
 * CSV per job, in order of submission), gputest/overflow (jobs for which there
 * was no room) and gputest/reset (a write empties the log). A job's line can
 * be read at any time; readings that are still to come are 0.
 */
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/rwsem.h>
#include <linux/seq_file.h>
#include <linux/vmalloc.h>

#include "gputest.h"
#include "gputest_uapi.h"

static struct {
	struct gputest_record *records;
	unsigned int size;
	atomic_t taken;
	atomic_t overflow;
	atomic_t jobs;
	/* Read side: a submission. Write side: emptying the log. */
	struct rw_semaphore lock;
	struct dentry *debugfs;
} gputest_log;

void gputest_log_begin_submit(void)
{
	down_read(&gputest_log.lock);
}

void gputest_log_end_submit(void)
{
	up_read(&gputest_log.lock);
}

void gputest_log_job_begin(void)
{
	atomic_inc(&gputest_log.jobs);
}

void gputest_log_job_end(void)
{
	if (atomic_dec_and_test(&gputest_log.jobs))
		wake_up_all(&gputest_idle);
}

/* Return: a zeroed record, or NULL if the log is full. */
struct gputest_record *gputest_log_take(void)
{
	int index = atomic_fetch_add_unless(&gputest_log.taken, 1,
					    gputest_log.size);

	if (index >= gputest_log.size) {
		atomic_inc(&gputest_log.overflow);
		return NULL;
	}
	return &gputest_log.records[index];
}

/* From here on the line is seen in gputest/jobs. */
void gputest_log_publish(struct gputest_record *record)
{
	/* Pairs with gputest_jobs_show(): who sees it valid sees it filled. */
	smp_store_release(&record->valid, true);
}

static void *gputest_jobs_at(loff_t position)
{
	if (position == 0)
		return SEQ_START_TOKEN;
	if (position > atomic_read(&gputest_log.taken))
		return NULL;
	return &gputest_log.records[position - 1];
}

static void *gputest_jobs_start(struct seq_file *seq, loff_t *position)
{
	return gputest_jobs_at(*position);
}

static void *gputest_jobs_next(struct seq_file *seq, void *v, loff_t *position)
{
	++*position;
	return gputest_jobs_at(*position);
}

static void gputest_jobs_stop(struct seq_file *seq, void *v)
{
}

static void gputest_show_interval(struct seq_file *seq,
				  const struct gputest_interval *interval)
{
	seq_printf(seq, ",%llu,%llu", READ_ONCE(interval->lo),
		   READ_ONCE(interval->hi));
}

static int gputest_jobs_show(struct seq_file *seq, void *v)
{
	const struct gputest_record *record = v;

	if (v == SEQ_START_TOKEN) {
		seq_puts(seq, "device,ring,context,seqno,pid,tid,comm,exec_ns,queued_lo,queued_hi,submitted_lo,submitted_hi,started_lo,started_hi,completed_lo,completed_hi,dependencies\n");
		return 0;
	}
	/* Pairs with gputest_log_publish(). */
	if (!smp_load_acquire(&record->valid))
		return 0;

	seq_printf(seq, "%s.%u,%s,%llu,%llu,%d,%d,", gputest_driver_name,
		   record->device, gputest_rings[record->ring].name,
		   record->context, record->seqno, record->pid, record->tid);
	/* A thread can name itself with what would break the line. */
	seq_escape_str(seq, record->comm, ESCAPE_ANY | ESCAPE_NAP | ESCAPE_APPEND,
		       ",\"\n\r\\");
	seq_printf(seq, ",%llu", record->exec_ns);
	gputest_show_interval(seq, &record->queued);
	gputest_show_interval(seq, &record->submitted);
	gputest_show_interval(seq, &record->started);
	gputest_show_interval(seq, &record->completed);
	seq_printf(seq, ",%u\n", record->dependencies);
	return 0;
}

static const struct seq_operations gputest_jobs_sops = {
	.start = gputest_jobs_start,
	.next = gputest_jobs_next,
	.stop = gputest_jobs_stop,
	.show = gputest_jobs_show,
};
DEFINE_SEQ_ATTRIBUTE(gputest_jobs);

static bool gputest_log_try_reset(void)
{
	bool idle;

	down_write(&gputest_log.lock);
	idle = !atomic_read(&gputest_log.jobs);
	if (idle) {
		memset(gputest_log.records, 0,
		       array_size(gputest_log.size, sizeof(*gputest_log.records)));
		atomic_set(&gputest_log.taken, 0);
		atomic_set(&gputest_log.overflow, 0);
	}
	up_write(&gputest_log.lock);
	return idle;
}

/*
 * Only while no job can write to its record. Jobs are freed some time after
 * their waiters wake up, so let them; a busy device gives -EBUSY.
 */
static ssize_t gputest_reset_write(struct file *file, const char __user *data,
				   size_t size, loff_t *position)
{
	long left = wait_event_interruptible_timeout(gputest_idle,
						     !atomic_read(&gputest_log.jobs),
						     5 * HZ);

	if (left < 0)
		return left;
	return gputest_log_try_reset() ? size : -EBUSY;
}

static const struct file_operations gputest_reset_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = gputest_reset_write,
	.llseek = noop_llseek,
};

int gputest_log_init(unsigned int size)
{
	if (size < 1 || size > INT_MAX)
		return -EINVAL;

	gputest_log.records = vcalloc(size, sizeof(*gputest_log.records));
	if (!gputest_log.records)
		return -ENOMEM;
	gputest_log.size = size;
	init_rwsem(&gputest_log.lock);

	gputest_log.debugfs = debugfs_create_dir(GPUTEST_DRIVER_NAME, NULL);
	debugfs_create_file("jobs", 0444, gputest_log.debugfs, NULL,
			    &gputest_jobs_fops);
	debugfs_create_file("reset", 0200, gputest_log.debugfs, NULL,
			    &gputest_reset_fops);
	debugfs_create_atomic_t("overflow", 0444, gputest_log.debugfs,
				&gputest_log.overflow);
	return 0;
}

/* No job may be left. */
void gputest_log_fini(void)
{
	debugfs_remove_recursive(gputest_log.debugfs);
	vfree(gputest_log.records);
}
