// SPDX-License-Identifier: MIT
/* A stand-in for a kernel, compiled with BTF only: what a probe could rely on, and ways in which it may have changed. */
typedef unsigned int u32;
typedef unsigned long long u64;
typedef struct {
	int counter;
} atomic_t;

struct device;

enum ring_kind { RING_GFX = 3, RING_COMPUTE = -2 } a_kind;

struct job {
	int padding;
	struct {
		u32 credits;
	};
	struct device *device;
	struct {
		char lock;
		atomic_t count;
	} queue;
	unsigned int flag : 1;
} a_job;

typedef struct {
	u32 reg;
} register_t;
register_t a_register;

typedef void (*btf_trace_job_queue)(void *, struct job *, u32);
typedef void (*btf_trace_job_run)(void *, struct job *, u32);
typedef void (*btf_trace_job_done)(void *, struct job *, const char *);
btf_trace_job_queue a_queue;
btf_trace_job_run a_run;
btf_trace_job_done a_done;

/* A register goes by value, under the name of its typedef. */
typedef void (*btf_trace_job_register)(void *, _Bool, register_t, u64, const u32 *, enum ring_kind);
btf_trace_job_register a_register_access;

const char *job_name(struct job *job)
{
	return job ? "job" : 0;
}

/* What a kprobe hooks when a tracepoint is compiled out. */
static __attribute__((noinline)) int submit_notify(struct job *job, enum ring_kind kind)
{
	return job->padding + kind;
}

int submit(struct job *job)
{
	return submit_notify(job, RING_GFX);
}
