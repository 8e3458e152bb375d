// SPDX-License-Identifier: GPL-2.0-only
/* See tap.h. */
#include "tap.h"

#include <linux/err.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include <linux/string.h>

struct gpu_stranger {
	struct list_head node;
	const struct module *module;
	const char *tracepoint; /* of the probe's names, the first that it has */
};

static struct workqueue_struct *gpu_tap_queue;

static struct tracepoint *find_tracepoint(const struct module *module, const char *name)
{
	unsigned int i;

	for (i = 0; i < module->num_tracepoints; i++) {
		struct tracepoint *tracepoint = tracepoint_ptr_deref(&module->tracepoints_ptrs[i]);

		if (!strcmp(tracepoint->name, name))
			return tracepoint;
	}
	return NULL;
}

/* Under source->lock. */
static void attach_what_is_wanted(struct gpu_source *source)
{
	struct gpu_tap *tap;

	list_for_each_entry(tap, &source->taps, node) {
		bool is_wanted = tap->handler && tap->tracepoint && READ_ONCE(tap->is_wanted);
		int error;

		if (is_wanted == tap->is_attached)
			continue;
		if (is_wanted)
			error = tracepoint_probe_register(tap->tracepoint, tap->handler, NULL);
		else
			error = tracepoint_probe_unregister(tap->tracepoint, tap->handler, NULL);
		if (error)
			pr_warn("%s: %s: error %d, the event is not recorded\n", source->probe, tap->name, error);
		else
			tap->is_attached = is_wanted;
	}
}

static void gpu_source_settle(struct work_struct *work)
{
	struct gpu_source *source = container_of(work, struct gpu_source, work);

	mutex_lock(&source->lock);
	attach_what_is_wanted(source);
	mutex_unlock(&source->lock);
}

void gpu_tap_want(struct gpu_tap *tap, bool is_wanted)
{
	WRITE_ONCE(tap->is_wanted, is_wanted);
	queue_work(gpu_tap_queue, &tap->source->work);
}
EXPORT_SYMBOL_GPL(gpu_tap_want);

void gpu_taps_wait(void)
{
	flush_workqueue(gpu_tap_queue);
}

static void check_driver(struct gpu_source *source)
{
	source->problem[0] = '\0';
	source->is_known = gpu_driver_has_facts(source->driver, source->facts, source->fact_count, source->problem,
						sizeof(source->problem));
	if (!source->is_known)
		pr_err("%s: not built for the %s that is loaded (%s): its events are not recorded; build the probe again, as root: %s\n",
		       source->probe, source->driver, source->problem, GPU_HOW_TO_REBUILD);
}

static void driver_comes(struct gpu_source *source, const struct module *driver)
{
	struct gpu_tap *tap;

	check_driver(source);
	if (!source->is_known)
		return;
	list_for_each_entry(tap, &source->taps, node)
		tap->tracepoint = find_tracepoint(driver, tap->name);
	attach_what_is_wanted(source);
}

static void driver_goes(struct gpu_source *source)
{
	struct gpu_tap *tap;

	list_for_each_entry(tap, &source->taps, node) {
		if (tap->is_attached)
			tracepoint_probe_unregister(tap->tracepoint, tap->handler, NULL);
		tap->is_attached = false;
		tap->tracepoint = NULL;
	}
}

static void stranger_comes(struct gpu_source *source, const struct module *module)
{
	struct gpu_stranger *stranger;
	const char *found = NULL;
	struct gpu_tap *tap;
	int count = 0;

	list_for_each_entry(tap, &source->taps, node) {
		if (tap->handler && find_tracepoint(module, tap->name)) {
			found = found ?: tap->name;
			count++;
		}
	}
	if (!count)
		return;
	pr_warn("%s: %s has tracepoints of the same names, too (%s, %d in all), and was not checked: its events are not recorded\n",
		source->probe, module->name, found, count);
	stranger = kzalloc(sizeof(*stranger), GFP_KERNEL);
	if (!stranger)
		return; /* the kernel log says it */
	stranger->module = module;
	stranger->tracepoint = found;
	list_add_tail(&stranger->node, &source->strangers);
}

static void stranger_goes(struct gpu_source *source, const struct module *module)
{
	struct gpu_stranger *stranger, *next;

	list_for_each_entry_safe(stranger, next, &source->strangers, node) {
		if (stranger->module == module || !module) {
			list_del(&stranger->node);
			kfree(stranger);
		}
	}
}

static int tracepoints_change(struct notifier_block *block, unsigned long state, void *data)
{
	struct gpu_source *source = container_of(block, struct gpu_source, tracepoint_notifier);
	const struct module *module = ((struct tp_module *)data)->mod;
	bool is_driver = source->driver && !strcmp(module->name, source->driver);

	if (module == source->owner)
		return NOTIFY_OK;
	mutex_lock(&source->lock);
	if (state == MODULE_STATE_COMING && is_driver)
		driver_comes(source, module);
	else if (state == MODULE_STATE_COMING)
		stranger_comes(source, module);
	else if (state == MODULE_STATE_GOING && is_driver)
		driver_goes(source);
	else if (state == MODULE_STATE_GOING)
		stranger_goes(source, module);
	mutex_unlock(&source->lock);
	return NOTIFY_OK;
}

/* Hears of a driver without tracepoints. */
static int modules_change(struct notifier_block *block, unsigned long state, void *data)
{
	struct gpu_source *source = container_of(block, struct gpu_source, module_notifier);

	if (state == MODULE_STATE_COMING && !strcmp(((struct module *)data)->name, source->driver)) {
		mutex_lock(&source->lock);
		check_driver(source);
		mutex_unlock(&source->lock);
	}
	return NOTIFY_OK;
}

/*
 * The general notifiers are not told of what is loaded already: that its BTF is there says it. btf_module_notify() was
 * registered before, so the kernel has the BTF from COMING until GOING.
 */
bool gpu_driver_is_loaded(const char *driver)
{
	char path[sizeof("/sys/kernel/btf/") + MODULE_NAME_LEN];
	struct file *types;

	snprintf(path, sizeof(path), "/sys/kernel/btf/%s", driver);
	types = filp_open(path, O_RDONLY, 0);
	if (IS_ERR(types))
		return false;
	filp_close(types, NULL);
	return true;
}
EXPORT_SYMBOL_GPL(gpu_driver_is_loaded);

static void take_from_kernel_image(struct tracepoint *tracepoint, void *data)
{
	struct gpu_source *source = data;
	struct gpu_tap *tap;

	list_for_each_entry(tap, &source->taps, node) {
		if (!strcmp(tracepoint->name, tap->name))
			tap->tracepoint = tracepoint;
	}
}

void gpu_source_prepare(struct gpu_source *source)
{
	mutex_init(&source->lock);
	INIT_LIST_HEAD(&source->taps);
	INIT_LIST_HEAD(&source->strangers);
	INIT_WORK(&source->work, gpu_source_settle);
	source->tracepoint_notifier.notifier_call = tracepoints_change;
	source->module_notifier.notifier_call = modules_change;
}
EXPORT_SYMBOL_GPL(gpu_source_prepare);

void gpu_source_add_taps(struct gpu_source *source, struct gpu_tap *const *taps, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		taps[i]->source = source;
		list_add_tail(&taps[i]->node, &source->taps);
	}
}
EXPORT_SYMBOL_GPL(gpu_source_add_taps);

int gpu_source_begin(struct gpu_source *source)
{
	int error;

	if (!source->driver) {
		source->is_known = true;
		for_each_kernel_tracepoint(take_from_kernel_image, source);
	}
	error = register_tracepoint_module_notifier(&source->tracepoint_notifier);
	if (error || !source->driver || source->driver_has_tracepoints)
		return error;
	error = register_module_notifier(&source->module_notifier);
	if (error) {
		unregister_tracepoint_module_notifier(&source->tracepoint_notifier);
		return error;
	}
	mutex_lock(&source->lock);
	if (gpu_driver_is_loaded(source->driver))
		check_driver(source);
	mutex_unlock(&source->lock);
	return 0;
}
EXPORT_SYMBOL_GPL(gpu_source_begin);

void gpu_source_end(struct gpu_source *source)
{
	if (source->driver && !source->driver_has_tracepoints)
		unregister_module_notifier(&source->module_notifier);
	unregister_tracepoint_module_notifier(&source->tracepoint_notifier);
	cancel_work_sync(&source->work);
	mutex_lock(&source->lock);
	driver_goes(source);
	stranger_goes(source, NULL);
	mutex_unlock(&source->lock);
	/*
	 * A handler can be preempted when it has left its guard and not yet returned, where only tracepoint_srcu protects it. The
	 * module loader waits for synchronize_rcu() alone, so the probe would be gone under it.
	 */
	tracepoint_synchronize_unregister();
}
EXPORT_SYMBOL_GPL(gpu_source_end);

int gpu_source_list_strangers(struct gpu_source *source, char *buffer, size_t size)
{
	struct gpu_stranger *stranger;
	int length = 0;

	mutex_lock(&source->lock);
	list_for_each_entry(stranger, &source->strangers, node)
		length += scnprintf(buffer + length, size - length, "%s %s\n", stranger->module->name, stranger->tracepoint);
	mutex_unlock(&source->lock);
	return length;
}
EXPORT_SYMBOL_GPL(gpu_source_list_strangers);

int gpu_taps_init(void)
{
	gpu_tap_queue = alloc_workqueue("lttng-gpu", WQ_UNBOUND | WQ_HIGHPRI, 0);
	return gpu_tap_queue ? 0 : -ENOMEM;
}

void gpu_taps_exit(void)
{
	destroy_workqueue(gpu_tap_queue);
}
