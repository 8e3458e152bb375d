/* SPDX-License-Identifier: GPL-2.0-only */
/* What modules/layout/vpu.layout names. */
#ifndef REBUILT_JOB_H
#define REBUILT_JOB_H

#include <linux/types.h>

struct device;
struct dma_fence;

struct ivpu_device {
	struct {
		struct device *dev;
	} drm;
};

struct ivpu_file_priv {
	struct {
		u32 id;
	} ctx;
};

struct ivpu_job {
#ifdef FORM_moved
	u64 added;
#endif
	struct ivpu_device *vdev;
	struct ivpu_file_priv *file_priv;
	struct dma_fence *done_fence;
	u32 cmdq_id;
	u32 job_id;
	u32 engine_idx;
#ifdef FORM_appended
	u32 more;
#endif
};

#endif
