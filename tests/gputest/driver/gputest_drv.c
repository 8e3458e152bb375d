// SPDX-License-Identifier: GPL-2.0-only
/*
 * gputest: DRM devices without hardware whose jobs go through the real
 * scheduler, and which keep an exact log of each job's life against which the
 * probes and the correlator of lttng-gpu are tested. This file makes the
 * devices, their files and the order in which all of it goes away.
 */
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <drm/drm_drv.h>
#include <drm/drm_ioctl.h>
#include <drm/drm_managed.h>

#include "gputest.h"
#include "gputest_compat.h"
#include "gputest_uapi.h"

#define GPUTEST_MAX_DEVICES	16

static unsigned int devices = 2;
module_param(devices, uint, 0444);
MODULE_PARM_DESC(devices, "Number of devices, 1 to 16 (default 2)");

static unsigned int credit_limit = 8;
module_param(credit_limit, uint, 0444);
MODULE_PARM_DESC(credit_limit,
		 "Jobs that a ring takes from the scheduler at a time (default 8)");

static unsigned int log_jobs = 65536;
module_param(log_jobs, uint, 0444);
MODULE_PARM_DESC(log_jobs, "Jobs that the log has room for (default 65536)");

/* The scheduler's events show the platform driver and its devices. */
char *gputest_driver_name = GPUTEST_DRIVER_NAME;
module_param_named(driver_name, gputest_driver_name, charp, 0444);
MODULE_PARM_DESC(driver_name,
		 "Name of the platform driver (default " GPUTEST_DRIVER_NAME ")");

static struct platform_device *gputest_pdevs[GPUTEST_MAX_DEVICES];

DECLARE_WAIT_QUEUE_HEAD(gputest_idle);

static int gputest_info_ioctl(struct drm_device *drm, void *data,
			      struct drm_file *file)
{
	struct drm_gputest_info *info = data;
	unsigned int i;

	if (info->pad)
		return -EINVAL;

	memset(info, 0, sizeof(*info));
	info->num_rings = GPUTEST_NUM_RINGS;
	strscpy(info->device, dev_name(drm->dev), sizeof(info->device));
	for (i = 0; i < GPUTEST_NUM_RINGS; i++)
		strscpy(info->rings[i], gputest_rings[i].name,
			sizeof(info->rings[i]));
	return 0;
}

static void gputest_entities_fini(struct gputest_file *gfile,
				  unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		drm_sched_entity_fini(&gfile->entities[i].base);
		mutex_destroy(&gfile->entities[i].lock);
	}

	/*
	 * drm_sched_entity_wakeup() clears entity->dependency and then uses the
	 * entity once more, from a fence callback that nobody waits for.
	 */
	kfree_rcu(gfile, rcu);
}

static int gputest_open(struct drm_device *drm, struct drm_file *file)
{
	struct gputest_device *gdev = to_gputest_device(drm);
	struct gputest_file *gfile;
	unsigned int i;
	int ret;

	gfile = kzalloc(sizeof(*gfile), GFP_KERNEL);
	if (!gfile)
		return -ENOMEM;

	for (i = 0; i < GPUTEST_NUM_RINGS; i++) {
		struct gputest_entity *entity = &gfile->entities[i];
		struct drm_gpu_scheduler *sched = &gdev->engines[i]->sched;

		ret = drm_sched_entity_init(&entity->base,
					    DRM_SCHED_PRIORITY_NORMAL, &sched,
					    1, NULL);
		if (ret) {
			gputest_entities_fini(gfile, i);
			return ret;
		}
		mutex_init(&entity->lock);
		entity->hw_context = dma_fence_context_alloc(1);
	}

	file->driver_priv = gfile;
	return 0;
}

/*
 * As drm_sched_entity_destroy() for each ring, but the rings share the time
 * that an exiting process waits for its queued jobs. Jobs that are then still
 * in an entity are killed; those in an engine complete.
 */
static void gputest_postclose(struct drm_device *drm, struct drm_file *file)
{
	struct gputest_file *gfile = file->driver_priv;
	long timeout = MAX_WAIT_SCHED_ENTITY_Q_EMPTY;
	unsigned int i;

	for (i = 0; i < GPUTEST_NUM_RINGS; i++)
		timeout = drm_sched_entity_flush(&gfile->entities[i].base,
						 timeout);
	gputest_entities_fini(gfile, GPUTEST_NUM_RINGS);
}

static const struct file_operations gputest_fops = {
	.owner = THIS_MODULE,
	.open = drm_open,
	.release = drm_release,
	.unlocked_ioctl = drm_ioctl,
	.compat_ioctl = drm_compat_ioctl,
	.poll = drm_poll,
	.read = drm_read,
	.llseek = noop_llseek,
	GPUTEST_FOP_FLAGS
};

static const struct drm_ioctl_desc gputest_ioctls[] = {
	DRM_IOCTL_DEF_DRV(GPUTEST_SUBMIT, gputest_submit_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(GPUTEST_INFO, gputest_info_ioctl, DRM_RENDER_ALLOW),
};

static const struct drm_driver gputest_drm_driver = {
	.driver_features = DRIVER_RENDER | DRIVER_SYNCOBJ,
	.open = gputest_open,
	.postclose = gputest_postclose,
	.ioctls = gputest_ioctls,
	.num_ioctls = ARRAY_SIZE(gputest_ioctls),
	.fops = &gputest_fops,
	.name = GPUTEST_DRIVER_NAME,
	.desc = "lttng-gpu test GPU",
	.major = 1,
	.minor = 0,
	GPUTEST_DRM_DRIVER_DATE
};

static void gputest_cancel(struct gputest_device *gdev)
{
	unsigned int i;

	for (i = 0; i < GPUTEST_NUM_RINGS; i++)
		if (gdev->engines[i])
			gputest_engine_cancel(gdev->engines[i]);
}

/*
 * The last reference to the drm_device is gone, so no file is open and the
 * entities are destroyed; but jobs may be in an engine or in the killing of an
 * entity, and drm_sched_fini() would leave them there.
 */
static void gputest_engines_fini(struct drm_device *drm, void *data)
{
	struct gputest_device *gdev = data;
	unsigned int i;

	gputest_cancel(gdev);
	wait_event(gputest_idle, !atomic_read(&gdev->jobs));
	for (i = 0; i < GPUTEST_NUM_RINGS; i++)
		if (gdev->engines[i])
			gputest_engine_destroy(gdev->engines[i]);
}

static int gputest_probe(struct platform_device *pdev)
{
	struct gputest_device *gdev;
	unsigned int i;
	int ret;

	gdev = devm_drm_dev_alloc(&pdev->dev, &gputest_drm_driver,
				  struct gputest_device, drm);
	if (IS_ERR(gdev))
		return PTR_ERR(gdev);

	gdev->index = pdev->id;
	ret = drmm_add_action_or_reset(&gdev->drm, gputest_engines_fini, gdev);
	if (ret)
		return ret;

	for (i = 0; i < GPUTEST_NUM_RINGS; i++) {
		struct gputest_engine *engine =
			gputest_engine_create(&gputest_rings[i],
					      &gputest_sched_ops, &pdev->dev,
					      credit_limit);

		if (IS_ERR(engine))
			return PTR_ERR(engine);
		gdev->engines[i] = engine;
	}

	platform_set_drvdata(pdev, gdev);
	return drm_dev_register(&gdev->drm, 0);
}

static void gputest_remove(struct platform_device *pdev)
{
	struct gputest_device *gdev = platform_get_drvdata(pdev);

	drm_dev_unplug(&gdev->drm);
	gputest_cancel(gdev);
}
GPUTEST_PLATFORM_REMOVE_WRAPPER(gputest_remove)

static struct platform_driver gputest_driver = {
	.probe = gputest_probe,
	GPUTEST_PLATFORM_REMOVE(gputest_remove),
};

static void gputest_remove_devices(unsigned int count)
{
	while (count--)
		platform_device_unregister(gputest_pdevs[count]);
	platform_driver_unregister(&gputest_driver);
	gputest_engines_wait_gone();
	gputest_log_fini();
}

static int __init gputest_init(void)
{
	unsigned int i;
	int ret;

	if (devices < 1 || devices > GPUTEST_MAX_DEVICES || !credit_limit)
		return -EINVAL;

	ret = gputest_log_init(log_jobs);
	if (ret)
		return ret;

	gputest_driver.driver.name = gputest_driver_name;
	ret = platform_driver_register(&gputest_driver);
	if (ret) {
		gputest_log_fini();
		return ret;
	}

	for (i = 0; i < devices; i++) {
		gputest_pdevs[i] =
			platform_device_register_simple(gputest_driver_name, i,
							NULL, 0);
		if (IS_ERR(gputest_pdevs[i])) {
			ret = PTR_ERR(gputest_pdevs[i]);
			gputest_remove_devices(i);
			return ret;
		}
	}
	return 0;
}
module_init(gputest_init);

static void __exit gputest_exit(void)
{
	gputest_remove_devices(devices);
}
module_exit(gputest_exit);

MODULE_DESCRIPTION("Test GPU on drm_sched with a log of what really happened");
MODULE_AUTHOR("lttng-gpu");
MODULE_LICENSE("GPL");
