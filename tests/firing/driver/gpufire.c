// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fires tracepoints of real drivers: builds the objects of a plan (gpufire_uapi.h) and calls every handler of the
 * tracepoint, as the driver's call site would (__DO_TRACE() of include/linux/tracepoint.h), so that whatever is attached
 * (ftrace, LTTng) records it. A test module for root in a throw-away guest: a plan may point anywhere.
 */
#include <linux/fs.h>
#include <linux/kprobes.h>
#include <linux/ktime.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/srcu.h>
#include <linux/static_call.h>
#include <linux/tracepoint.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "gpufire_uapi.h"

struct gpufire_file {
	struct mutex lock;
	void *bytes;
	size_t size;
	size_t written;
	char *result;
	size_t result_size;
	size_t result_length;
};

/* A plan whose counts have been checked, and where its parts are. */
struct gpufire_view {
	const struct gpufire_plan *plan;
	const struct gpufire_object *objects;
	const struct gpufire_word *words;
	const struct gpufire_link *links;
	const struct gpufire_firing *firings;
	const u32 *symbols;
	const char *names;
	unsigned long *symbol_addresses;
};

static unsigned long (*gpufire_lookup)(const char *name);

static bool gpufire_attach_empty;
module_param_named(attach_empty, gpufire_attach_empty, bool, 0644);
MODULE_PARM_DESC(attach_empty, "While firing, a handler that does nothing is attached (for measuring)");

/* kallsyms_lookup_name() is not exported. */
static int gpufire_find_lookup(void)
{
	struct kprobe probe = { .symbol_name = "kallsyms_lookup_name" };
	int error = register_kprobe(&probe);

	if (error)
		return error;
	gpufire_lookup = (void *)probe.addr;
#ifdef CONFIG_X86_KERNEL_IBT
	/* A kprobe sits behind the ENDBR64 that an indirect call must land on. */
	if (*((u32 *)probe.addr - 1) == 0xfa1e0ff3)
		gpufire_lookup = (void *)probe.addr - 4;
#endif
	unregister_kprobe(&probe);
	return 0;
}

struct gpufire_search {
	struct notifier_block notifier;
	const char *module;
	const char *name;
	struct tracepoint *found;
};

static void gpufire_match(struct tracepoint *tracepoint, void *search_pointer)
{
	struct gpufire_search *search = search_pointer;

	if (!strcmp(tracepoint->name, search->name))
		search->found = tracepoint;
}

static int gpufire_search_module(struct notifier_block *notifier, unsigned long action, void *data)
{
	struct gpufire_search *search = container_of(notifier, struct gpufire_search, notifier);
	struct module *module = ((struct tp_module *)data)->mod;
	unsigned int i;

	if (action != MODULE_STATE_COMING || strcmp(module->name, search->module))
		return NOTIFY_OK;
	for (i = 0; i < module->num_tracepoints; i++)
		gpufire_match(tracepoint_ptr_deref(&module->tracepoints_ptrs[i]), search);
	return NOTIFY_OK;
}

static struct tracepoint *gpufire_find_tracepoint(const char *module, const char *name)
{
	struct gpufire_search search = {
		.notifier.notifier_call = gpufire_search_module,
		.module = module,
		.name = name,
	};

	if (!*module) {
		for_each_kernel_tracepoint(gpufire_match, &search);
	} else if (!register_tracepoint_module_notifier(&search.notifier)) {
		/* Registering has shown it every module that is loaded. */
		unregister_tracepoint_module_notifier(&search.notifier);
	}
	return search.found;
}

static bool gpufire_range_fits(u32 first, u32 count, u32 all)
{
	return first <= all && count <= all - first;
}

/* Whether every index and offset of the firing stays inside what it names. */
static bool gpufire_firing_is_valid(const struct gpufire_view *view, const struct gpufire_firing *firing)
{
	const struct gpufire_plan *plan = view->plan;
	u32 i;

	if (firing->tracepoint >= plan->names || firing->module >= plan->names ||
	    firing->arguments > GPUFIRE_MAX_ARGUMENTS || !firing->repeat || !firing->objects ||
	    !gpufire_range_fits(firing->first_object, firing->objects, plan->objects) ||
	    !gpufire_range_fits(firing->first_word, firing->words, plan->words) ||
	    !gpufire_range_fits(firing->first_link, firing->links, plan->links))
		return false;
	for (i = 0; i < firing->objects; i++) {
		u32 bytes = view->objects[firing->first_object + i].bytes;

		if (!bytes || bytes % 8 || bytes > GPUFIRE_MAX_OBJECT)
			return false;
	}
	if (view->objects[firing->first_object].bytes < 8 * firing->arguments)
		return false;
	for (i = 0; i < firing->words; i++) {
		const struct gpufire_word *word = &view->words[firing->first_word + i];

		if (word->object - firing->first_object >= firing->objects || word->offset % 8 ||
		    word->offset >= view->objects[word->object].bytes)
			return false;
	}
	for (i = 0; i < firing->links; i++) {
		const struct gpufire_link *link = &view->links[firing->first_link + i];

		if (link->object - firing->first_object >= firing->objects ||
		    view->objects[link->object].bytes < 8 || link->offset > view->objects[link->object].bytes - 8)
			return false;
		if (link->kind == GPUFIRE_LINK_OBJECT ? link->target - firing->first_object >= firing->objects :
		    link->kind != GPUFIRE_LINK_SYMBOL || link->target >= plan->symbols)
			return false;
	}
	return true;
}

static int gpufire_view_plan(const void *bytes, size_t size, struct gpufire_view *view)
{
	const struct gpufire_plan *plan = bytes;
	u64 expected = sizeof(*plan) + (u64)plan->objects * sizeof(*view->objects) +
		       (u64)plan->words * sizeof(*view->words) + (u64)plan->links * sizeof(*view->links) +
		       (u64)plan->firings * sizeof(*view->firings) + (u64)plan->symbols * sizeof(*view->symbols) +
		       plan->names;
	u32 i;

	if (expected != size)
		return -EINVAL;
	view->plan = plan;
	view->objects = (const void *)(plan + 1);
	view->words = (const void *)(view->objects + plan->objects);
	view->links = (const void *)(view->words + plan->words);
	view->firings = (const void *)(view->links + plan->links);
	view->symbols = (const void *)(view->firings + plan->firings);
	view->names = (const void *)(view->symbols + plan->symbols);
	if (!plan->names || view->names[plan->names - 1])
		return -EINVAL;
	for (i = 0; i < plan->symbols; i++)
		if (view->symbols[i] >= plan->names)
			return -EINVAL;
	for (i = 0; i < plan->firings; i++)
		if (!gpufire_firing_is_valid(view, &view->firings[i]))
			return -EINVAL;
	return 0;
}

static __printf(2, 3) void gpufire_say(struct gpufire_file *file, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	file->result_length += vscnprintf(file->result + file->result_length, file->result_size - file->result_length,
					  format, arguments);
	va_end(arguments);
}

/* Those behind the sixth, the handler's data included, go on the stack; most handlers take fewer. */
#define GPUFIRE_REGISTER_ARGUMENTS	5

/*
 * What __DO_TRACE_CALL() does: one handler is called directly, several through the tracepoint's iterator. Arguments
 * that the handlers do not take are harmless: the caller of a function cleans up after it on x86-64.
 */
static __always_inline void gpufire_call_handlers(struct tracepoint *tracepoint, const u64 *a, bool in_registers)
{
	struct tracepoint_func *handlers = rcu_dereference_raw(tracepoint->funcs);
	void (*function)(void *data, ...);

	if (!handlers)
		return;
#ifdef CONFIG_HAVE_STATIC_CALL
	function = READ_ONCE(tracepoint->static_call_key->func);
#else
	function = (void *)tracepoint->iterator;
#endif
	if (in_registers)
		((void (*)(void *, u64, u64, u64, u64, u64))function)(handlers->data, a[0], a[1], a[2], a[3], a[4]);
	else
		((void (*)(void *, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64))function)(
			handlers->data, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11]);
}

static __always_inline void gpufire_call(struct tracepoint *tracepoint, const u64 *a, bool in_registers)
{
#ifdef HAVE_TRACEPOINT_SRCU_FAST
	guard(srcu_fast_notrace)(&tracepoint_srcu);
	gpufire_call_handlers(tracepoint, a, in_registers);
#else
	preempt_disable_notrace();
	gpufire_call_handlers(tracepoint, a, in_registers);
	preempt_enable_notrace();
#endif
}

static noinline void gpufire_empty_handler(void *data)
{
}

static u64 gpufire_call_repeatedly(struct tracepoint *tracepoint, const u64 *a, u32 arguments, u32 repeat)
{
	bool is_empty_attached = gpufire_attach_empty &&
				 !tracepoint_probe_register(tracepoint, gpufire_empty_handler, NULL);
	u64 begin, end;
	u32 i;

	begin = ktime_get_ns();
	if (arguments <= GPUFIRE_REGISTER_ARGUMENTS)
		for (i = 0; i < repeat; i++)
			gpufire_call(tracepoint, a, true);
	else
		for (i = 0; i < repeat; i++)
			gpufire_call(tracepoint, a, false);
	end = ktime_get_ns();
	if (is_empty_attached) {
		tracepoint_probe_unregister(tracepoint, gpufire_empty_handler, NULL);
		tracepoint_synchronize_unregister();
	}
	return end - begin;
}

static const char *gpufire_build(const struct gpufire_view *view, const struct gpufire_firing *firing, char **objects)
{
	u32 i, n;

	for (i = 0; i < firing->objects; i++) {
		const struct gpufire_object *object = &view->objects[firing->first_object + i];

		objects[i] = kvmalloc(object->bytes, GFP_KERNEL);
		if (!objects[i])
			return "out of memory";
		for (n = 0; n < object->bytes / 8; n++)
			((u64 *)objects[i])[n] = gpufire_fill(object->seed, n);
	}
	for (i = 0; i < firing->words; i++) {
		const struct gpufire_word *word = &view->words[firing->first_word + i];

		*(u64 *)(objects[word->object - firing->first_object] + word->offset) = word->value;
	}
	for (i = 0; i < firing->links; i++) {
		const struct gpufire_link *link = &view->links[firing->first_link + i];
		u64 value;

		if (link->kind == GPUFIRE_LINK_SYMBOL) {
			value = view->symbol_addresses[link->target];
			if (!value)
				return view->names + view->symbols[link->target];
		} else {
			value = (u64)objects[link->target - firing->first_object];
		}
		value += link->addend;
		memcpy(objects[link->object - firing->first_object] + link->offset, &value, sizeof(value));
	}
	return NULL;
}

static void gpufire_fire(struct gpufire_file *file, const struct gpufire_view *view, u32 index)
{
	const struct gpufire_firing *firing = &view->firings[index];
	const char *module = view->names + firing->module, *name = view->names + firing->tracepoint;
	struct tracepoint *tracepoint = gpufire_find_tracepoint(module, name);
	u64 arguments[GPUFIRE_MAX_ARGUMENTS] = {};
	const char *problem = "out of memory";
	char **objects;
	u32 i;

	if (!tracepoint) {
		gpufire_say(file, "firing %u error %s has no tracepoint %s\n", index, *module ? module : "the kernel", name);
		return;
	}
	objects = kvcalloc(firing->objects, sizeof(*objects), GFP_KERNEL);
	if (objects)
		problem = gpufire_build(view, firing, objects);
	if (problem) {
		gpufire_say(file, "firing %u error objects of %s: cannot have %s\n", index, name, problem);
	} else {
		for (i = 0; i < firing->objects; i++)
			gpufire_say(file, "object %u 0x%llx\n", firing->first_object + i, (u64)objects[i]);
		memcpy(arguments, objects[0], 8 * firing->arguments);
		pr_debug("gpufire: %s\n", name);
		gpufire_say(file, "firing %u ok %llu\n", index,
			    gpufire_call_repeatedly(tracepoint, arguments, firing->arguments, firing->repeat));
	}
	for (i = 0; objects && i < firing->objects; i++)
		kvfree(objects[i]);
	kvfree(objects);
}

static int gpufire_run(struct gpufire_file *file)
{
	struct gpufire_view view = {};
	int error = gpufire_view_plan(file->bytes, file->size, &view);
	u32 i;

	if (error)
		return error;
	file->result_size = 4096 + 64ul * (view.plan->objects + view.plan->symbols) + 256ul * view.plan->firings;
	file->result = kvzalloc(file->result_size, GFP_KERNEL);
	view.symbol_addresses = kvcalloc(view.plan->symbols + 1, sizeof(*view.symbol_addresses), GFP_KERNEL);
	if (!file->result || !view.symbol_addresses) {
		kvfree(view.symbol_addresses);
		return -ENOMEM;
	}
	gpufire_say(file, "pid %d\n", current->pid);
	for (i = 0; i < view.plan->symbols; i++) {
		view.symbol_addresses[i] = gpufire_lookup(view.names + view.symbols[i]);
		gpufire_say(file, "symbol %u 0x%lx\n", i, view.symbol_addresses[i]);
	}
	for (i = 0; i < view.plan->firings; i++) {
		gpufire_fire(file, &view, i);
		cond_resched();
	}
	kvfree(view.symbol_addresses);
	return 0;
}

static int gpufire_open(struct inode *inode, struct file *opened)
{
	struct gpufire_file *file = kzalloc(sizeof(*file), GFP_KERNEL);

	if (!file)
		return -ENOMEM;
	mutex_init(&file->lock);
	opened->private_data = file;
	return 0;
}

static int gpufire_release(struct inode *inode, struct file *opened)
{
	struct gpufire_file *file = opened->private_data;

	kvfree(file->bytes);
	kvfree(file->result);
	kfree(file);
	return 0;
}

/* The first write brings at least the header; the one that completes the plan runs it. */
static ssize_t gpufire_write_locked(struct gpufire_file *file, const char __user *from, size_t count)
{
	struct gpufire_plan plan;
	int error;

	if (!file->bytes) {
		if (count < sizeof(plan))
			return -EINVAL;
		if (copy_from_user(&plan, from, sizeof(plan)))
			return -EFAULT;
		if (plan.magic != GPUFIRE_MAGIC || plan.bytes < sizeof(plan) || plan.bytes > GPUFIRE_MAX_BYTES)
			return -EINVAL;
		file->bytes = kvmalloc(plan.bytes, GFP_KERNEL);
		if (!file->bytes)
			return -ENOMEM;
		file->size = plan.bytes;
	}
	if (count > file->size - file->written)
		return -EINVAL;
	if (copy_from_user(file->bytes + file->written, from, count))
		return -EFAULT;
	file->written += count;
	if (file->written == file->size && !file->result) {
		error = gpufire_run(file);
		if (error)
			return error;
	}
	return count;
}

static ssize_t gpufire_write(struct file *opened, const char __user *from, size_t count, loff_t *position)
{
	struct gpufire_file *file = opened->private_data;
	ssize_t result;

	mutex_lock(&file->lock);
	result = gpufire_write_locked(file, from, count);
	mutex_unlock(&file->lock);
	return result;
}

/* Has a position of its own: what was written does not move it. */
static ssize_t gpufire_read(struct file *opened, char __user *to, size_t count, loff_t *position)
{
	struct gpufire_file *file = opened->private_data;
	ssize_t result = -ENODATA;

	mutex_lock(&file->lock);
	if (file->result)
		result = simple_read_from_buffer(to, count, position, file->result, file->result_length);
	mutex_unlock(&file->lock);
	return result;
}

static const struct file_operations gpufire_operations = {
	.owner = THIS_MODULE,
	.open = gpufire_open,
	.release = gpufire_release,
	.write = gpufire_write,
	.read = gpufire_read,
};

static struct miscdevice gpufire_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "gpufire",
	.fops = &gpufire_operations,
};

static int __init gpufire_init(void)
{
	int error = gpufire_find_lookup();

	return error ? error : misc_register(&gpufire_device);
}

static void __exit gpufire_exit(void)
{
	misc_deregister(&gpufire_device);
}

module_init(gpufire_init);
module_exit(gpufire_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("the lttng-gpu developers");
MODULE_DESCRIPTION("Fires tracepoints of other modules with made-up objects");
