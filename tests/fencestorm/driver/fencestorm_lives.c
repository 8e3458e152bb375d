// SPDX-License-Identifier: GPL-2.0-only
/* The lives that fences can lead. */
#include <linux/kprobes.h>

#include "fencestorm.h"

/*
 * Emits from the handler of a breakpoint, which x86 enters like an NMI (exc_int3(), irqentry_nmi_enter()): notrace keeps
 * ftrace from carrying the kprobe, the post_handler keeps it from being optimised into a jump.
 */
static notrace noinline void nmi_site(struct fencestorm_fence *fence)
{
	barrier_data(fence);
}

static int emit_in_nmi(struct kprobe *probe, struct pt_regs *regs)
{
	if (in_nmi())
		atomic_inc(&fencestorm_counts.in_nmi);
	fencestorm_fence_emit((struct fencestorm_fence *)regs_get_kernel_argument(regs, 0));
	return 0;
}

static void keep_breakpoint(struct kprobe *probe, struct pt_regs *regs, unsigned long flags)
{
}

static struct kprobe nmi_probe = {
	.addr = (kprobe_opcode_t *)nmi_site,
	.pre_handler = emit_in_nmi,
	.post_handler = keep_breakpoint,
};

int fencestorm_nmi_init(void)
{
	return register_kprobe(&nmi_probe);
}

void fencestorm_nmi_exit(void)
{
	unregister_kprobe(&nmi_probe);
}

static void live_in_order(struct fencestorm_fence *fence)
{
	fencestorm_fence_emit(fence);
	fencestorm_fence_watch(fence);
	fencestorm_fence_signal(fence);
	fencestorm_fence_wait(fence);
}

static void live_signalled_first(struct fencestorm_fence *fence)
{
	fencestorm_fence_signal(fence);
	fencestorm_fence_emit(fence);
	fencestorm_fence_watch(fence);
	fencestorm_fence_wait(fence);
	fencestorm_fence_emit(fence);
}

static void live_signalled_in_irq(struct fencestorm_fence *fence)
{
	fencestorm_fence_emit(fence);
	fencestorm_fence_watch(fence);
	fencestorm_fence_signal_in_irq(fence, false);
	fencestorm_fence_wait(fence);
}

static void emit_often(struct fencestorm_fence *fence)
{
	unsigned int i;

	for (i = 0; i < 18; ++i)
		fencestorm_fence_emit(fence);
}

/* The signal arrives from another CPU during any of these. */
static void live_signalled_meanwhile(struct fencestorm_fence *fence)
{
	fencestorm_fence_signal_in_irq(fence, true);
	emit_often(fence);
	fencestorm_fence_watch(fence);
	fencestorm_fence_emit(fence);
	fencestorm_fence_wait(fence);
}

/* The last reference is the interrupt's, or is put while the interrupt signals. */
static void live_forgotten(struct fencestorm_fence *fence)
{
	fencestorm_fence_signal_in_irq(fence, true);
	emit_often(fence);
}

static void live_in_nmi(struct fencestorm_fence *fence)
{
	nmi_site(fence);
	fencestorm_fence_signal(fence);
	nmi_site(fence);
}

static void live_unsignalled(struct fencestorm_fence *fence)
{
	fencestorm_fence_emit(fence);
}

static void (*const lives[])(struct fencestorm_fence *) = {
	live_in_order, live_signalled_first, live_signalled_in_irq, live_signalled_meanwhile, live_forgotten, live_in_nmi,
};

int fencestorm_live(struct fencestorm_timeline *timeline, unsigned int number)
{
	unsigned int which = number / 2 % (ARRAY_SIZE(lives) + 1);
	/* Nobody but its driver may end a fence that never signals. */
	bool is_unsignalled = which == ARRAY_SIZE(lives);
	struct fencestorm_fence *fence = fencestorm_fence_new(timeline, number % 2 || is_unsignalled);

	if (!fence)
		return -ENOMEM;
	(is_unsignalled ? live_unsignalled : lives[which])(fence);
	fencestorm_fence_put(fence);
	return 0;
}
