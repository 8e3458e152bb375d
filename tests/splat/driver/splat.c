// SPDX-License-Identifier: GPL-2.0-only
/*
 * splat.ko kind=NAME: does one thing that a debug kernel must complain of, to test that its complaints are seen. Loading
 * always fails (-EAGAIN), so nothing needs to be unloaded. Only for a guest that is thrown away afterwards.
 */
#include <linux/delay.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>

static char *kind = "";
module_param(kind, charp, 0444);
MODULE_PARM_DESC(kind, "what to do wrong");

static DEFINE_MUTEX(first_lock);
static DEFINE_MUTEX(second_lock);

static void use_after_free(void)
{
	char *object = kmalloc(64, GFP_KERNEL);

	if (!object)
		return;
	kfree(object);
	OPTIMIZER_HIDE_VAR(object);
	READ_ONCE(*(volatile char *)object);
}

static void out_of_bounds(void)
{
	char *object = kmalloc(60, GFP_KERNEL);

	if (!object)
		return;
	OPTIMIZER_HIDE_VAR(object);
	READ_ONCE(*(volatile char *)(object + 61));
	kfree(object);
}

/* No deadlock happens with one thread, but it could with two. */
static void both_orders(void)
{
	mutex_lock(&first_lock);
	mutex_lock(&second_lock);
	mutex_unlock(&second_lock);
	mutex_unlock(&first_lock);
	mutex_lock(&second_lock);
	mutex_lock(&first_lock);
	mutex_unlock(&first_lock);
	mutex_unlock(&second_lock);
}

static void sleep_in_atomic(void)
{
	preempt_disable();
	might_sleep();
	preempt_enable();
}

static void schedule_in_atomic(void)
{
	preempt_disable();
	schedule_timeout_uninterruptible(1);
	preempt_enable();
}

static void list_corruption(void)
{
	static LIST_HEAD(list);
	struct list_head entry;

	list_add(&entry, &list);
	/* What an entry that is freed without being taken out looks like. */
	entry.next = NULL;
	list_del(&entry);
	INIT_LIST_HEAD(&list);
}

static void rcu_usage(void)
{
	static int value;
	static int __rcu *pointer = (int __rcu *)&value;

	/* Not in a read-side critical section. */
	(void)READ_ONCE(*rcu_dereference(pointer));
}

static void warn(void)
{
	WARN(1, "on purpose\n");
}

static const struct {
	const char *name;
	void (*function)(void);
} kinds[] = {
	{ "use_after_free", use_after_free },
	{ "out_of_bounds", out_of_bounds },
	{ "both_orders", both_orders },
	{ "sleep_in_atomic", sleep_in_atomic },
	{ "schedule_in_atomic", schedule_in_atomic },
	{ "list_corruption", list_corruption },
	{ "rcu_usage", rcu_usage },
	{ "warn", warn },
};

static int __init splat_init(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(kinds); ++i) {
		if (strcmp(kind, kinds[i].name))
			continue;
		kinds[i].function();
		return -EAGAIN;
	}
	return -EINVAL;
}

module_init(splat_init);
MODULE_LICENSE("GPL");
MODULE_AUTHOR("the lttng-gpu developers");
MODULE_DESCRIPTION("does what a debug kernel complains of, on purpose");
