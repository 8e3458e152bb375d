// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls those functions of the real i915 at which lttng-probe-gpu-i915 recreates events, with engines and requests made
 * up by the layout of this kernel, and looks which events come. No hardware is needed: the made-up engines have an
 * empty status buffer, or a GuC that refuses all messages, so the functions return early, and where a case needs the
 * hardware to have done something, a hook of this module makes it so just before the probe's own handler runs.
 *
 * Loading it runs the cases; parameter tap has the result. For a throw-away guest.
 */
#include <linux/device.h>
#include <linux/dma-fence.h>
#include <linux/interrupt.h>
#include <linux/kprobes.h>
#include <linux/kref.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/tracepoint.h>

#include <layout/i915.h>
#include "gpu_layout.h"

struct i915_request;
struct intel_context;
struct intel_engine_cs;
struct intel_guc;

/* Larger than any structure of i915 up to the last field that is set here or read by the functions called. */
#define OBJECT_SIZE (256 << 10)
#define REQUESTS 3

static struct device parent = { .init_name = "i915calls" };
static void *device, *minor, *engine, *sched_engine, *other_engine, *other_sched_engine, *gt, *guc, *context;
static struct i915_request *requests[REQUESTS];
static u32 status_page[1024];
static u32 csb_write;
static void *no_ops[64];
static u32 seqnos_reached[REQUESTS];

static char tap[4096];
module_param_string(tap, tap, sizeof(tap), 0444);
static unsigned int cases;

/* What the probe's tracepoints said since the last case, such as "in:2@1 out:0". */
static char seen[256];

static void see(const char *event, struct i915_request *rq, int number)
{
	size_t length = strlen(seen);
	int i;

	for (i = 0; i < REQUESTS && requests[i] != rq; i++)
		;
	length += scnprintf(seen + length, sizeof(seen) - length, "%s%s:%d", length ? " " : "", event, i);
	if (number >= 0)
		scnprintf(seen + length, sizeof(seen) - length, "@%d", number);
}

static void see_execute(void *unused, struct i915_request *rq) { see("execute", rq, -1); }
static void see_in(void *unused, struct i915_request *rq, unsigned int port) { see("in", rq, port); }
static void see_out(void *unused, struct i915_request *rq) { see("out", rq, -1); }
static void see_guc_submit(void *unused, struct i915_request *rq) { see("guc_submit", rq, -1); }

static void expect(const char *words, const char *expected)
{
	size_t length = strlen(tap);
	bool is_right = !strcmp(seen, expected);

	length += scnprintf(tap + length, sizeof(tap) - length, "%s %u - %s\n", is_right ? "ok" : "not ok", ++cases, words);
	if (!is_right)
		scnprintf(tap + length, sizeof(tap) - length, "# expected '%s', saw '%s'\n", expected, seen);
	seen[0] = 0;
}

#define SET(object, structure, field, type, value)                                                     \
	(*(type *)((char *)(object) + GPU_OFFSET_##structure##_##field) = (value))
#define PORTS(array)                                                                                   \
	((struct i915_request **)((char *)engine + GPU_OFFSET_intel_engine_cs_execlists_##array))

static void (*call_tasklet)(struct tasklet_struct *tasklet);
static struct i915_request **(*call_process_csb)(struct intel_engine_cs *engine, struct i915_request **inactive);
static bool (*call_request_submit)(struct i915_request *rq);
static int (*call_guc_add_request)(struct intel_guc *guc, struct i915_request *rq);
static void (*call_cancel_requests)(struct intel_guc *guc);

static spinlock_t *lock_of(void *its_sched_engine)
{
	return its_sched_engine + GPU_OFFSET_i915_sched_engine_lock;
}

/* As the GuC's tasklet does. */
static void submit(struct i915_request *rq)
{
	unsigned long flags;

	spin_lock_irqsave(lock_of(sched_engine), flags);
	call_request_submit(rq);
	spin_unlock_irqrestore(lock_of(sched_engine), flags);
}

static struct tasklet_struct *tasklet_of(void *its_sched_engine)
{
	return its_sched_engine + GPU_OFFSET_i915_sched_engine_tasklet;
}

/* --- what the hardware would have done */

static int fill_ports; /* by the dequeue of the tasklet */

static int at_tasklet(struct kretprobe_instance *call, struct pt_regs *regs)
{
	return (struct tasklet_struct *)regs_get_kernel_argument(regs, 0) != tasklet_of(sched_engine);
}

static int after_tasklet(struct kretprobe_instance *call, struct pt_regs *regs)
{
	int i;

	for (i = 0; i < fill_ports; i++)
		PORTS(pending)[i] = requests[i];
	return 0;
}

static int went_out; /* according to the status buffer */
static struct i915_request *inactive[4];

static int after_process_csb(struct kretprobe_instance *call, struct pt_regs *regs)
{
	int i;

	for (i = 0; i < went_out; i++)
		inactive[i] = requests[i];
	if (went_out)
		regs->ax = (unsigned long)(inactive + went_out);
	return 0;
}

static bool guc_takes_messages;

static int after_ct_send(struct kretprobe_instance *call, struct pt_regs *regs)
{
	if (guc_takes_messages)
		regs->ax = 0;
	return 0;
}

/* Registered before the probe's hooks, so that their return handlers run first: the last to enter returns first. */
static struct kretprobe hooks[] = {
	{ .kp.symbol_name = "i915:execlists_submission_tasklet", .entry_handler = at_tasklet, .handler = after_tasklet },
	{ .kp.symbol_name = "i915:process_csb", .handler = after_process_csb },
	{ .kp.symbol_name = "i915:intel_guc_ct_send", .handler = after_ct_send },
};

/* --- symbols */

static void *address_of(const char *symbol)
{
	struct kprobe probe = { .symbol_name = symbol };
	void *address;

	if (register_kprobe(&probe))
		return NULL;
	address = probe.addr;
#ifdef CONFIG_X86_KERNEL_IBT
	/* A kprobe sits behind an ENDBR64. */
	if (*((u32 *)address - 1) == 0xfa1e0ff3)
		address -= 4;
#endif
	unregister_kprobe(&probe);
	return address;
}

static struct watched_tracepoint {
	const char *symbol;
	void *handler;
	struct tracepoint *tracepoint;
} watched[] = {
	{ "lttng_probe_gpu_i915:__tracepoint_lttng_gpu_i915_request_execute", see_execute },
	{ "lttng_probe_gpu_i915:__tracepoint_lttng_gpu_i915_request_in", see_in },
	{ "lttng_probe_gpu_i915:__tracepoint_lttng_gpu_i915_request_out", see_out },
	{ "lttng_probe_gpu_i915:__tracepoint_lttng_gpu_i915_request_guc_submit", see_guc_submit },
};

/* --- what PREEMPT_RT would have done */

static bool other_comes_between;

/* In the place of process_csb(): the tasklet of the other engine runs from its beginning to its end. */
static struct i915_request **between(struct intel_engine_cs *unused, struct i915_request **inactive_requests)
{
	other_comes_between = false;
	call_tasklet(tasklet_of(other_sched_engine));
	return inactive_requests;
}

static int at_process_csb(struct kprobe *hook, struct pt_regs *regs)
{
	if (!other_comes_between || (void *)regs_get_kernel_argument(regs, 0) != engine)
		return 0;
	regs->ip = (unsigned long)between;
	return 1;
}

static struct kprobe diversion = {
	.symbol_name = "i915:process_csb",
	.pre_handler = at_process_csb, /* runs after the probe's: the last to be registered is the first */
};

/* --- what a scheduler would have done */

static void go_to_another_cpu(void)
{
	unsigned int cpu = cpumask_any_but(cpu_online_mask, raw_smp_processor_id());

	if (cpu < nr_cpu_ids)
		set_cpus_allowed_ptr(current, cpumask_of(cpu));
}

/* In the place of intel_guc_submission_cancel_requests(), which takes one lock after the other. */
static void cancel_elsewhere(struct intel_guc *unused)
{
	go_to_another_cpu();
	submit(requests[0]);
}

static int at_cancel_requests(struct kprobe *hook, struct pt_regs *regs)
{
	regs->ip = (unsigned long)cancel_elsewhere;
	return 1;
}

static struct kprobe migration = {
	.symbol_name = "i915:intel_guc_submission_cancel_requests",
	.pre_handler = at_cancel_requests, /* as above */
};

/* --- objects */

static void empty_ports(void)
{
	memset(PORTS(pending), 0, 3 * sizeof(*requests));
	memset(PORTS(inflight), 0, 3 * sizeof(*requests));
	SET(engine, intel_engine_cs, execlists_active, void *, PORTS(inflight));
}

static void make_engine(void *made, void *its_sched_engine)
{
	SET(made, intel_engine_cs, sched_engine, void *, its_sched_engine);
	SET(made, intel_engine_cs, gt, void *, gt);
	SET(made, intel_engine_cs, execlists_csb_write, void *, &csb_write);
	SET(made, intel_engine_cs, status_page_addr, void *, status_page);
	SET(made, intel_engine_cs, execlists_active, void *, (char *)made + GPU_OFFSET_intel_engine_cs_execlists_inflight);
	SET(its_sched_engine, i915_sched_engine, private_data, void *, made);
	spin_lock_init(lock_of(its_sched_engine));
}

static void make_objects(void)
{
	int i;

	SET(device, drm_i915_private, drm_dev, void *, &parent);
	SET(device, drm_i915_private, drm_primary, void *, minor);
	make_engine(engine, sched_engine);
	make_engine(other_engine, other_sched_engine);
	SET(guc, intel_guc, ct_enabled, bool, true);
	SET(guc, intel_guc, ct_ctbs_send_broken, bool, true);
	SET(context, intel_context, ops, void *, no_ops);
	kref_init(context + GPU_OFFSET_intel_context_ref);
	spin_lock_init((spinlock_t *)(context + GPU_OFFSET_intel_context_guc_state_lock));
	for (i = 0; i < REQUESTS; i++) {
		SET(requests[i], i915_request, i915, void *, device);
		SET(requests[i], i915_request, engine, void *, engine);
		SET(requests[i], i915_request, context, void *, context);
		SET(requests[i], i915_request, hwsp_seqno, u32 *, &seqnos_reached[i]);
		INIT_LIST_HEAD((void *)requests[i] + GPU_OFFSET_i915_request_sched_link);
		((struct dma_fence *)((void *)requests[i] + GPU_OFFSET_i915_request_fence))->seqno = 5;
	}
	empty_ports();
}

/* --- the cases */

static void run_execlists(void)
{
	local_bh_disable();
	fill_ports = 2;
	call_tasklet(tasklet_of(sched_engine));
	expect("in: what a tasklet has put into free ports, last port first", "in:1@1 in:0@0");

	empty_ports();
	other_comes_between = true;
	call_tasklet(tasklet_of(sched_engine));
	expect("in: the same when the tasklet of another engine comes between", "in:1@1 in:0@0");

	fill_ports = 0;
	call_tasklet(tasklet_of(sched_engine));
	expect("in: nothing while the ports wait for the hardware", "");

	empty_ports();
	call_tasklet(tasklet_of(sched_engine));
	expect("in: nothing when there was nothing to dequeue", "");

	went_out = 2;
	call_process_csb(engine, inactive);
	expect("out: what the status buffer says", "out:0 out:1");

	went_out = 0;
	PORTS(pending)[0] = requests[0];
	PORTS(inflight)[0] = requests[1];
	PORTS(inflight)[1] = requests[2];
	call_process_csb(engine, inactive);
	expect("out: nothing of the ports without a reset", "");

	atomic_inc(&tasklet_of(sched_engine)->count);
	call_process_csb(engine, inactive);
	expect("out: everything in a reset", "out:0 out:1 out:2");

	went_out = 1;
	PORTS(pending)[0] = NULL;
	SET(engine, intel_engine_cs, execlists_active, void *, PORTS(inflight) + 1);
	call_process_csb(engine, inactive);
	expect("out: in a reset after the status buffer, what is still active", "out:0 out:2");
	atomic_dec(&tasklet_of(sched_engine)->count);
	went_out = 0;
	empty_ports();
	local_bh_enable();
}

static void run_guc(void)
{
	unsigned long flags;

	seqnos_reached[0] = 5;
	submit(requests[0]);
	expect("in: not at __i915_request_submit() with execlists", "");
	SET(gt, intel_gt, submission_method, int, GPU_CONSTANT_INTEL_SUBMISSION_GUC);
	submit(requests[0]);
	expect("in: with the GuC, even of a complete request, which is not executed", "in:0@0");

	spin_lock_irqsave(lock_of(sched_engine), flags);
	call_guc_add_request(guc, requests[1]);
	expect("guc_submit: not when the GuC takes no message", "");
	guc_takes_messages = true;
	call_guc_add_request(guc, requests[1]);
	expect("guc_submit: with the message that enables the context", "guc_submit:1");
	call_guc_add_request(guc, requests[2]);
	expect("guc_submit: with the message that schedules the context", "guc_submit:2");
	SET(context, intel_context, guc_state_sched_state, u32, 0);
	SET(context, intel_context, parallel_number_children, u8, 1);
	call_guc_add_request(guc, requests[1]);
	expect("guc_submit: once for a context of several rings, which needs two messages", "guc_submit:1");
	spin_unlock_irqrestore(lock_of(sched_engine), flags);
}

static void run_cancel(void)
{
	static struct cpumask allowed;

	cpumask_copy(&allowed, current->cpus_ptr);
	call_cancel_requests(guc);
	expect("in: not of requests that are cancelled, whichever CPU their task goes on on", "");
	go_to_another_cpu();
	submit(requests[0]);
	expect("in: of those that this task submits afterwards, on the CPU on which it began to cancel", "in:0@0");
	set_cpus_allowed_ptr(current, &allowed);
}

static void *make(void)
{
	return kvzalloc(OBJECT_SIZE, GFP_KERNEL);
}

static void unwatch(int count)
{
	while (count--)
		tracepoint_probe_unregister(watched[count].tracepoint, watched[count].handler, NULL);
	tracepoint_synchronize_unregister();
}

static int watch(void *(*lookup)(const char *))
{
	int i, error;

	for (i = 0; i < ARRAY_SIZE(watched); i++) {
		watched[i].tracepoint = lookup(watched[i].symbol);
		error = watched[i].tracepoint ?
			tracepoint_probe_register(watched[i].tracepoint, watched[i].handler, NULL) : -ENOENT;
		if (error) {
			pr_err("i915calls: %s: %d\n", watched[i].symbol, error);
			unwatch(i);
			return error;
		}
	}
	return 0;
}

static int __init i915calls_init(void)
{
	void *(*lookup)(const char *) = address_of("kallsyms_lookup_name");
	void **objects[] = { &device, &minor, &engine, &sched_engine, &other_engine, &other_sched_engine, &gt, &guc, &context,
			     (void **)&requests[0], (void **)&requests[1], (void **)&requests[2] };
	struct kprobe *kprobes[] = { &diversion, &migration };
	int i, hooked = 0, error = -ENOMEM;

	call_tasklet = address_of("i915:execlists_submission_tasklet");
	call_process_csb = address_of("i915:process_csb");
	call_request_submit = address_of("i915:__i915_request_submit");
	call_guc_add_request = address_of("i915:__guc_add_request");
	call_cancel_requests = address_of("i915:intel_guc_submission_cancel_requests");
	if (!lookup || !call_tasklet || !call_process_csb || !call_request_submit || !call_guc_add_request || !call_cancel_requests)
		return -ENOENT;
	for (i = 0; i < ARRAY_SIZE(objects); i++) {
		*objects[i] = make();
		if (!*objects[i])
			goto out;
	}
	make_objects();
	for (hooked = 0; hooked < ARRAY_SIZE(hooks); hooked++) {
		error = register_kretprobe(&hooks[hooked]);
		if (error)
			goto out;
	}
	error = register_kprobes(kprobes, ARRAY_SIZE(kprobes));
	if (error)
		goto out;
	error = watch(lookup);
	if (error) {
		unregister_kprobes(kprobes, ARRAY_SIZE(kprobes));
		goto out;
	}
	run_execlists();
	run_guc();
	run_cancel();
	unwatch(ARRAY_SIZE(watched));
	unregister_kprobes(kprobes, ARRAY_SIZE(kprobes));
	scnprintf(tap + strlen(tap), sizeof(tap) - strlen(tap), "1..%u\n", cases);
out:
	while (hooked--)
		unregister_kretprobe(&hooks[hooked]);
	for (i = 0; i < ARRAY_SIZE(objects); i++)
		kvfree(*objects[i]);
	return error;
}

static void __exit i915calls_exit(void)
{
}

module_init(i915calls_init);
module_exit(i915calls_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("the lttng-gpu developers");
MODULE_DESCRIPTION("Test of the events that lttng-probe-gpu-i915 recreates");
