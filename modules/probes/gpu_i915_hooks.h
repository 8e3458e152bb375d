/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The events that i915 has only with CONFIG_DRM_I915_LOW_LEVEL_TRACEPOINTS, made without it. This module defines
 * tracepoints of those names, and while somebody has one enabled, kretprobes on the functions in which i915 would have
 * fired it. Nothing is hooked otherwise.
 *
 *   submit      at the entry of submit_notify(), as in the kernel.
 *   execute     when __i915_request_submit() returns true: it fires exactly then, somewhat before.
 *   in          execlists: when execlists_submission_tasklet() returns, for what its dequeue put into the ports. The
 *               kernel fires it from within, some microseconds earlier and before the out events of the same tasklet.
 *               GuC: when __i915_request_submit() returns, at once after which the kernel fires.
 *   out         when process_csb() returns, for what it found to have left the ports; the kernel fires it at the end of
 *               the tasklet. A reset then takes the rest out (cancel_port_requests()), and so do we.
 *   guc_submit  when the message to the GuC that is the last of __guc_add_request() is in the buffer.
 *
 * The tracepoints are named lttng_gpu_..., as those of all events are (modules/base/tap.h).
 *
 * Locks: a tracepoint's regfunc is called under tracepoints_mutex and module notifiers of tracepoints under
 * tracepoint_module_list_mutex (those of modules under their chain's lock); both take gpu_i915_hooks_mutex, and that takes kprobe_mutex, which itself leads to
 * neither. LTTng takes tracepoints_mutex under tracepoint_module_list_mutex. So nothing under gpu_i915_hooks_mutex may
 * register tracepoints or notifiers.
 *
 * Handlers run with preemption off. The requests they name are those that the hooked function holds at that moment:
 * under sched_engine->lock (__i915_request_submit()), by the references of the ports (tasklet, process_csb()), or
 * under guc_state.lock, without which a request cannot be retired (__guc_add_request(), remove_from_context()).
 */
#ifndef LTTNG_GPU_I915_HOOKS_H
#define LTTNG_GPU_I915_HOOKS_H

#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/hash.h>
#include <linux/interrupt.h>
#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "gpu_layout.h"
#include "gpu_probe_guard.h"

struct i915_request;
struct intel_context;
struct intel_engine_cs;
struct intel_gt;

enum gpu_i915_recreated {
	GPU_I915_SUBMIT = BIT(0),
	GPU_I915_EXECUTE = BIT(1),
	GPU_I915_IN = BIT(2),
	GPU_I915_OUT = BIT(3),
	GPU_I915_GUC_SUBMIT = BIT(4),
};

static int gpu_i915_hooks_want(unsigned int event);
static void gpu_i915_hooks_release(unsigned int event);

#define GPU_I915_TRACEPOINT(tracepoint, event, proto, args)                                            \
	GPU_TAP_DECLARE(tracepoint, (proto), (args));                                                  \
	static int gpu_i915_want_##tracepoint(void)                                                    \
	{                                                                                              \
		return gpu_i915_hooks_want(event);                                                     \
	}                                                                                              \
	static void gpu_i915_release_##tracepoint(void)                                                \
	{                                                                                              \
		gpu_i915_hooks_release(event);                                                         \
	}                                                                                              \
	GPU_TAP_DEFINE_OWN(GPU_TAP_OWN(tracepoint), gpu_i915_want_##tracepoint, gpu_i915_release_##tracepoint, \
			   GPU_TAP_LIST(proto), GPU_TAP_LIST(args));                                   \
	static struct gpu_tap gpu_tap_##tracepoint = {                                                 \
		.name = #tracepoint,                                                                   \
		.own = &__PASTE(__tracepoint_, GPU_TAP_OWN(tracepoint)),                               \
	}

#ifdef GPU_RECREATED_i915_request_submit
GPU_I915_TRACEPOINT(i915_request_submit, GPU_I915_SUBMIT, TP_PROTO(struct i915_request *rq), TP_ARGS(rq));
#endif
#ifdef GPU_RECREATED_i915_request_execute
GPU_I915_TRACEPOINT(i915_request_execute, GPU_I915_EXECUTE, TP_PROTO(struct i915_request *rq), TP_ARGS(rq));
#endif
#ifdef GPU_RECREATED_i915_request_in
GPU_I915_TRACEPOINT(i915_request_in, GPU_I915_IN, TP_PROTO(struct i915_request *rq, unsigned int port),
		    TP_ARGS(rq, port));
#endif
#ifdef GPU_RECREATED_i915_request_out
GPU_I915_TRACEPOINT(i915_request_out, GPU_I915_OUT, TP_PROTO(struct i915_request *rq), TP_ARGS(rq));
#endif
#ifdef GPU_RECREATED_i915_request_guc_submit
GPU_I915_TRACEPOINT(i915_request_guc_submit, GPU_I915_GUC_SUBMIT, TP_PROTO(struct i915_request *rq), TP_ARGS(rq));
#endif

#ifdef GPU_RECREATED_i915_request_guc_submit
/*
 * What a handler has to know of __guc_add_request(), which called the hooked function. It runs with interrupts off and so
 * stays on its CPU; on PREEMPT_RT another task can come between, which is why tasks are compared.
 */
struct gpu_i915_callers {
	struct i915_request *added;
	const struct task_struct *adder;
	bool is_multi_lrc;
};

static DEFINE_PER_CPU(struct gpu_i915_callers, gpu_i915_callers);
#endif

static atomic_t gpu_i915_lost_calls = ATOMIC_INIT(0);

/*
 * What the tasklet of an engine, execlists_submission_tasklet(), has done so far. It belongs to the engine and not to a CPU: a
 * tasklet runs at most once at a time, but those of several engines can interleave on one CPU, on PREEMPT_RT in any order.
 * An engine keeps its place until the hooks go, which they do before the driver does.
 */
struct gpu_i915_tasklet {
	struct intel_engine_cs *engine;
	bool is_running;
	bool csb_was_read;
	bool ports_were_free;
};

/* More than eight devices with every engine that i915 knows. */
#define GPU_I915_TASKLET_BITS 8
static struct gpu_i915_tasklet gpu_i915_tasklets[BIT(GPU_I915_TASKLET_BITS)];

#ifdef GPU_RECREATED_i915_request_submit
static int gpu_i915_at_submit_notify(struct kretprobe_instance *call, struct pt_regs *regs)
{
	const char *fence = (const char *)regs_get_kernel_argument(regs, 0);

	if ((int)regs_get_kernel_argument(regs, 1) == GPU_CONSTANT_FENCE_COMPLETE)
		trace_lttng_gpu_i915_request_submit((struct i915_request *)(fence - GPU_OFFSET_i915_request_submit));
	return 1; /* its return is of no interest */
}
#endif

#ifdef GPU_RECREATED_i915_request_in
/*
 * The tasks in intel_guc_submission_cancel_requests(), which runs queued requests through __i915_request_submit() to fail
 * them. Between its locks it can be preempted and go on on another CPU. One for each GuC, of which a device has two at most.
 */
static const struct task_struct *gpu_i915_cancellers[16];

static int gpu_i915_at_cancel_requests(struct kretprobe_instance *call, struct pt_regs *regs)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(gpu_i915_cancellers); i++) {
		if (cmpxchg(&gpu_i915_cancellers[i], NULL, current))
			continue;
		*(const struct task_struct ***)call->data = &gpu_i915_cancellers[i];
		return 0;
	}
	return 1;
}

static int gpu_i915_after_cancel_requests(struct kretprobe_instance *call, struct pt_regs *regs)
{
	WRITE_ONCE(**(const struct task_struct ***)call->data, NULL);
	return 0;
}

static void gpu_i915_forget_cancellers(void)
{
	memset(gpu_i915_cancellers, 0, sizeof(gpu_i915_cancellers));
}

static bool gpu_i915_is_cancelling(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(gpu_i915_cancellers); i++) {
		if (READ_ONCE(gpu_i915_cancellers[i]) == current)
			return in_task(); /* an interrupt's submission is not the task's */
	}
	return false;
}

/* guc_dequeue_one_context() and guc_bypass_tasklet_submit() fire whatever __i915_request_submit() has returned. */
static void gpu_i915_in_by_guc(struct i915_request *rq)
{
	struct intel_engine_cs *engine = gpu_field(rq, i915_request, engine, struct intel_engine_cs *);
	struct intel_gt *gt = gpu_field(engine, intel_engine_cs, gt, struct intel_gt *);

	if (gpu_field(gt, intel_gt, submission_method, int) >= GPU_CONSTANT_INTEL_SUBMISSION_GUC && !gpu_i915_is_cancelling())
		trace_lttng_gpu_i915_request_in(rq, 0);
}
#endif

#if defined(GPU_RECREATED_i915_request_execute) || defined(GPU_RECREATED_i915_request_in)
static int gpu_i915_at_request_submit(struct kretprobe_instance *call, struct pt_regs *regs)
{
	*(unsigned long *)call->data = regs_get_kernel_argument(regs, 0);
	return 0;
}

static int gpu_i915_after_request_submit(struct kretprobe_instance *call, struct pt_regs *regs)
{
	struct i915_request *rq = *(struct i915_request **)call->data;

#ifdef GPU_RECREATED_i915_request_execute
	if ((u8)regs_return_value(regs)) /* a bool */
		trace_lttng_gpu_i915_request_execute(rq);
#endif
#ifdef GPU_RECREATED_i915_request_in
	if (trace_lttng_gpu_i915_request_in_enabled())
		gpu_i915_in_by_guc(rq);
#endif
	return 0;
}
#endif

#if defined(GPU_RECREATED_i915_request_in) || defined(GPU_RECREATED_i915_request_out)
/* Elements of pending[] and inflight[]; the last one is the sentinel. */
#define GPU_I915_PORTS 3
/* What process_csb() can find at most, and its callers have room for: all pending and all active requests. */
#define GPU_I915_MAX_INACTIVE (2 * (GPU_I915_PORTS - 1))

static struct i915_request *const *gpu_i915_pending(struct intel_engine_cs *engine)
{
	return gpu_field_address(engine, intel_engine_cs, execlists_pending, struct i915_request *const);
}

/* NULL when the engine has no place; one is taken for it if is_new and there is one. */
static struct gpu_i915_tasklet *gpu_i915_tasklet_of(struct intel_engine_cs *engine, bool is_new)
{
	unsigned int first = hash_ptr(engine, GPU_I915_TASKLET_BITS), i;

	for (i = 0; i < ARRAY_SIZE(gpu_i915_tasklets); i++) {
		struct gpu_i915_tasklet *tasklet = &gpu_i915_tasklets[(first + i) % ARRAY_SIZE(gpu_i915_tasklets)];
		struct intel_engine_cs *found = READ_ONCE(tasklet->engine);

		if (!found && is_new)
			found = cmpxchg(&tasklet->engine, NULL, engine) ?: engine;
		if (found == engine)
			return tasklet;
		if (!found)
			return NULL;
	}
	return NULL;
}

static int gpu_i915_at_tasklet(struct kretprobe_instance *call, struct pt_regs *regs)
{
	const char *sched_engine = (const char *)regs_get_kernel_argument(regs, 0) - GPU_OFFSET_i915_sched_engine_tasklet;
	struct intel_engine_cs *engine = gpu_field(sched_engine, i915_sched_engine, private_data, struct intel_engine_cs *);
	struct gpu_i915_tasklet *tasklet = gpu_i915_tasklet_of(engine, true);

	if (!tasklet)
		return 1;
	tasklet->csb_was_read = false;
	tasklet->ports_were_free = false;
	tasklet->is_running = true;
	*(struct gpu_i915_tasklet **)call->data = tasklet;
	return 0;
}

static void gpu_i915_forget_tasklets(void)
{
	memset(gpu_i915_tasklets, 0, sizeof(gpu_i915_tasklets));
}

/*
 * The tasklet dequeues if pending[] was empty after it had read the status buffer, and then pending[] is what it has
 * given to the ports. Only process_csb() empties it again, in the next tasklet: this one still counts as running.
 */
static int gpu_i915_after_tasklet(struct kretprobe_instance *call, struct pt_regs *regs)
{
	struct gpu_i915_tasklet *tasklet = *(struct gpu_i915_tasklet **)call->data;
#ifdef GPU_RECREATED_i915_request_in
	struct i915_request *const *pending = gpu_i915_pending(tasklet->engine);
	int ports = 0;

	while (tasklet->ports_were_free && ports < GPU_I915_PORTS && READ_ONCE(pending[ports]))
		ports++;
	while (ports--) /* in the kernel's order */
		trace_lttng_gpu_i915_request_in(READ_ONCE(pending[ports]), ports);
#endif
	tasklet->is_running = false;
	return 0;
}

struct gpu_i915_csb_reading {
	struct intel_engine_cs *engine;
	struct i915_request **inactive;
};

static int gpu_i915_at_process_csb(struct kretprobe_instance *call, struct pt_regs *regs)
{
	struct gpu_i915_csb_reading *reading = (struct gpu_i915_csb_reading *)call->data;

	reading->engine = (struct intel_engine_cs *)regs_get_kernel_argument(regs, 0);
	reading->inactive = (struct i915_request **)regs_get_kernel_argument(regs, 1);
	return 0;
}

/* NULL while the engine's tasklet does not run. */
static struct gpu_i915_tasklet *gpu_i915_running_tasklet(struct intel_engine_cs *engine)
{
	struct gpu_i915_tasklet *tasklet = gpu_i915_tasklet_of(engine, false);

	return tasklet && tasklet->is_running ? tasklet : NULL;
}

/*
 * The tasklet reads the status buffer once. Every other reading is by execlists_reset_csb(), which is called with the
 * tasklet disabled or, on an error, by the tasklet itself.
 */
static bool gpu_i915_is_reset(struct intel_engine_cs *engine, const struct gpu_i915_tasklet *tasklet)
{
	const char *sched_engine = gpu_field(engine, intel_engine_cs, sched_engine, const char *);

	if (tasklet)
		return tasklet->csb_was_read;
	return atomic_read(&gpu_field_address(sched_engine, i915_sched_engine, tasklet,
					      const struct tasklet_struct)->count) != 0;
}

#ifdef GPU_RECREATED_i915_request_out
static void gpu_i915_out(struct i915_request *const *port, struct i915_request *const *end)
{
	for (; port < end && READ_ONCE(*port); port++)
		trace_lttng_gpu_i915_request_out(READ_ONCE(*port));
}
#endif

static int gpu_i915_after_process_csb(struct kretprobe_instance *call, struct pt_regs *regs)
{
	const struct gpu_i915_csb_reading *reading = (const struct gpu_i915_csb_reading *)call->data;
	struct intel_engine_cs *engine = reading->engine;
	struct i915_request *const *pending = gpu_i915_pending(engine);
	struct gpu_i915_tasklet *tasklet = gpu_i915_running_tasklet(engine);
	bool is_reset = gpu_i915_is_reset(engine, tasklet);

#ifdef GPU_RECREATED_i915_request_out
	gpu_i915_out(reading->inactive, min((struct i915_request **)regs_return_value(regs),
					    reading->inactive + GPU_I915_MAX_INACTIVE));
	if (is_reset) {
		gpu_i915_out(pending, pending + GPU_I915_PORTS);
		gpu_i915_out(gpu_field(engine, intel_engine_cs, execlists_active, struct i915_request *const *),
			     gpu_field_address(engine, intel_engine_cs, execlists_inflight,
					       struct i915_request *const) + GPU_I915_PORTS);
	}
#endif
	if (tasklet) {
		tasklet->csb_was_read = true;
		tasklet->ports_were_free = is_reset || !READ_ONCE(pending[0]);
	}
	return 0;
}
#endif

#ifdef GPU_RECREATED_i915_request_guc_submit
static int gpu_i915_at_add_request(struct kretprobe_instance *call, struct pt_regs *regs)
{
	struct gpu_i915_callers *callers = this_cpu_ptr(&gpu_i915_callers);
	struct i915_request *rq = (struct i915_request *)regs_get_kernel_argument(regs, 1);
	struct intel_context *context = gpu_field(rq, i915_request, context, struct intel_context *);

	if (callers->added) {
		atomic_inc(&gpu_i915_lost_calls);
		return 1;
	}
	callers->added = rq;
	callers->adder = current;
	callers->is_multi_lrc = gpu_field(context, intel_context, parallel_parent, struct intel_context *) ||
				gpu_field(context, intel_context, parallel_number_children, u8);
	return 0;
}

static int gpu_i915_after_add_request(struct kretprobe_instance *call, struct pt_regs *regs)
{
	this_cpu_write(gpu_i915_callers.added, NULL);
	return 0;
}

static void gpu_i915_forget_added(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		per_cpu_ptr(&gpu_i915_callers, cpu)->added = NULL;
}

/* __guc_add_request() has fired unless it sent nothing or sending failed. */
static int gpu_i915_at_ct_send(struct kretprobe_instance *call, struct pt_regs *regs)
{
	const struct gpu_i915_callers *callers = this_cpu_ptr(&gpu_i915_callers);
	const u32 *action = (const u32 *)regs_get_kernel_argument(regs, 1);

	if (!callers->added || callers->adder != current)
		return 1;
	*(struct i915_request **)call->data = callers->added;
	/* A context of several rings is enabled by one message, and the next one submits. */
	if (READ_ONCE(*action) == GPU_CONSTANT_INTEL_GUC_ACTION_SCHED_CONTEXT_MODE_SET)
		return callers->is_multi_lrc;
	return READ_ONCE(*action) != GPU_CONSTANT_INTEL_GUC_ACTION_SCHED_CONTEXT;
}

static int gpu_i915_after_ct_send(struct kretprobe_instance *call, struct pt_regs *regs)
{
	if ((int)regs_return_value(regs) == 0)
		trace_lttng_gpu_i915_request_guc_submit(*(struct i915_request **)call->data);
	return 0;
}
#endif

struct gpu_i915_hook {
	const char *function; /* MODULE:FUNCTION, as kallsyms knows it */
	unsigned int events;  /* that cannot be made, or not all of them, without this hook */
	kretprobe_handler_t at_entry;
	kretprobe_handler_t at_return;
	size_t data_size;
	void (*forget)(void); /* calls that have not returned: no handler will hear of their return */
	struct kretprobe probe;
	enum { GPU_I915_UNHOOKED, GPU_I915_HOOKED, GPU_I915_NOT_HOOKABLE } state;
};

static struct gpu_i915_hook gpu_i915_hooks[] = {
#ifdef GPU_RECREATED_i915_request_submit
	{ "i915:submit_notify", GPU_I915_SUBMIT, gpu_i915_at_submit_notify, NULL, 0 },
#endif
#if defined(GPU_RECREATED_i915_request_in)
	{ "i915:intel_guc_submission_cancel_requests", GPU_I915_IN, gpu_i915_at_cancel_requests,
	  gpu_i915_after_cancel_requests, sizeof(const struct task_struct **), gpu_i915_forget_cancellers },
#endif
#if defined(GPU_RECREATED_i915_request_execute) || defined(GPU_RECREATED_i915_request_in)
	{ "i915:__i915_request_submit", GPU_I915_EXECUTE | GPU_I915_IN, gpu_i915_at_request_submit,
	  gpu_i915_after_request_submit, sizeof(unsigned long) },
#endif
#if defined(GPU_RECREATED_i915_request_in) || defined(GPU_RECREATED_i915_request_out)
	{ "i915:execlists_submission_tasklet", GPU_I915_IN | GPU_I915_OUT, gpu_i915_at_tasklet,
	  gpu_i915_after_tasklet, sizeof(struct gpu_i915_tasklet *), gpu_i915_forget_tasklets },
	{ "i915:process_csb", GPU_I915_IN | GPU_I915_OUT, gpu_i915_at_process_csb, gpu_i915_after_process_csb,
	  sizeof(struct gpu_i915_csb_reading) },
#endif
#ifdef GPU_RECREATED_i915_request_guc_submit
	{ "i915:__guc_add_request", GPU_I915_GUC_SUBMIT, gpu_i915_at_add_request, gpu_i915_after_add_request, 0,
	  gpu_i915_forget_added },
	{ "i915:intel_guc_ct_send", GPU_I915_GUC_SUBMIT, gpu_i915_at_ct_send, gpu_i915_after_ct_send,
	  sizeof(struct i915_request *) },
#endif
};

static DEFINE_MUTEX(gpu_i915_hooks_mutex);
static unsigned int gpu_i915_wanted;
static bool gpu_i915_is_loaded;

/* For the kernel log: which of these events the user will miss. */
static void gpu_i915_warn(const struct gpu_i915_hook *hook, const char *what, long number)
{
	pr_warn("lttng-probe-gpu-i915: %s: %s (%ld); incomplete:%s%s%s%s%s\n", hook->function, what, number,
		hook->events & GPU_I915_SUBMIT ? " i915_request_submit" : "",
		hook->events & GPU_I915_EXECUTE ? " i915_request_execute" : "",
		hook->events & GPU_I915_IN ? " i915_request_in" : "",
		hook->events & GPU_I915_OUT ? " i915_request_out" : "",
		hook->events & GPU_I915_GUC_SUBMIT ? " i915_request_guc_submit" : "");
}

static void gpu_i915_hook(struct gpu_i915_hook *hook)
{
	int error;

	hook->probe = (struct kretprobe){
		.kp.symbol_name = hook->function,
		.entry_handler = hook->at_entry,
		.handler = hook->at_return,
		.data_size = hook->data_size,
		/* One call per CPU, and one per engine in the reset worker, which can be preempted. */
		.maxactive = 2 * num_possible_cpus() + 32,
	};
	error = register_kretprobe(&hook->probe);
	if (error)
		gpu_i915_warn(hook, "cannot be hooked", error);
	hook->state = error ? GPU_I915_NOT_HOOKABLE : GPU_I915_HOOKED;
}

static void gpu_i915_unhook(struct gpu_i915_hook *hook)
{
	unsigned long missed;

	unregister_kretprobe(&hook->probe);
	missed = hook->probe.nmissed + hook->probe.kp.nmissed;
	if (missed)
		gpu_i915_warn(hook, "calls missed", missed);
	if (hook->forget)
		hook->forget();
	hook->state = GPU_I915_UNHOOKED;
}

static void gpu_i915_update_hooks(void)
{
	size_t i;
	int lost;

	for (i = 0; i < ARRAY_SIZE(gpu_i915_hooks); i++) {
		struct gpu_i915_hook *hook = &gpu_i915_hooks[i];
		bool is_needed = gpu_i915_is_loaded && gpu_source.is_known && (hook->events & gpu_i915_wanted);

		if (is_needed && hook->state == GPU_I915_UNHOOKED)
			gpu_i915_hook(hook);
		else if (!is_needed && hook->state == GPU_I915_HOOKED)
			gpu_i915_unhook(hook);
		else if (!gpu_i915_is_loaded)
			hook->state = GPU_I915_UNHOOKED;
	}
	lost = atomic_xchg(&gpu_i915_lost_calls, 0);
	if (lost)
		pr_warn("lttng-probe-gpu-i915: %d i915_request_guc_submit were lost to preemption\n", lost);
}

static int gpu_i915_hooks_want(unsigned int event)
{
	mutex_lock(&gpu_i915_hooks_mutex);
	gpu_i915_wanted |= event;
	gpu_i915_update_hooks();
	mutex_unlock(&gpu_i915_hooks_mutex);
	return 0;
}

static void gpu_i915_hooks_release(unsigned int event)
{
	mutex_lock(&gpu_i915_hooks_mutex);
	gpu_i915_wanted &= ~event;
	gpu_i915_update_hooks();
	mutex_unlock(&gpu_i915_hooks_mutex);
}

/* Who is told of the driver; modules/base/tap.c does the same. */
#if GPU_DRIVER_HAS_TRACEPOINTS
#define gpu_driver_notify register_tracepoint_module_notifier
#define gpu_driver_notify_no_more unregister_tracepoint_module_notifier

static inline bool gpu_driver_is(void *data)
{
	return !strcmp(((struct tp_module *)data)->mod->name, GPU_DRIVER_NAME);
}
#else
#define gpu_driver_notify register_module_notifier
#define gpu_driver_notify_no_more unregister_module_notifier

static inline bool gpu_driver_is(void *data)
{
	return !strcmp(((struct module *)data)->name, GPU_DRIVER_NAME);
}
#endif

/* The notifier of gpu_source_begin() was registered before, so it has looked at the driver already. */
static int gpu_i915_module_changes(struct notifier_block *notifier, unsigned long state, void *data)
{
	if (!gpu_driver_is(data) || (state != MODULE_STATE_COMING && state != MODULE_STATE_GOING))
		return NOTIFY_OK;
	mutex_lock(&gpu_i915_hooks_mutex);
	gpu_i915_is_loaded = state == MODULE_STATE_COMING;
	gpu_i915_update_hooks();
	mutex_unlock(&gpu_i915_hooks_mutex);
	return NOTIFY_OK;
}

static struct notifier_block gpu_i915_notifier = { .notifier_call = gpu_i915_module_changes };

static int gpu_i915_hooks_init(void)
{
	int error = gpu_driver_notify(&gpu_i915_notifier);

	if (error)
		return error;
	mutex_lock(&gpu_i915_hooks_mutex);
	gpu_i915_is_loaded |= !GPU_DRIVER_HAS_TRACEPOINTS && gpu_driver_is_loaded(GPU_DRIVER_NAME);
	mutex_unlock(&gpu_i915_hooks_mutex);
	return 0; /* no event can be enabled yet */
}

/* No event is enabled any more: LTTng holds the module while one is. */
static void gpu_i915_hooks_exit(void)
{
	gpu_driver_notify_no_more(&gpu_i915_notifier);
}

#endif
