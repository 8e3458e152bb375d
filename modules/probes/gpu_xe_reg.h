/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the event says a register belongs to: a struct xe_mmio, or the GT that has it. Both live as long as the
 * xe_device, which holds a reference to its struct device (drm_dev_init()).
 */
#ifndef LTTNG_GPU_XE_REG_H
#define LTTNG_GPU_XE_REG_H

#include <linux/device.h>

#include "gpu_layout.h"

struct xe_device;
struct xe_tile;

#if GPU_TRACEPOINT_xe_reg_rw == 1
typedef struct xe_mmio gpu_xe_reg_window;
#define GPU_OFFSET_xe_reg_window_tile GPU_OFFSET_xe_mmio_tile
#else
typedef struct xe_gt gpu_xe_reg_window;
#define GPU_OFFSET_xe_reg_window_tile GPU_OFFSET_xe_gt_tile
#endif

static inline const char *gpu_xe_reg_dev(gpu_xe_reg_window *window)
{
	struct xe_tile *tile = gpu_field(window, xe_reg_window, tile, struct xe_tile *);
	struct xe_device *xe = gpu_field(tile, xe_tile, xe, struct xe_device *);

	return dev_name(gpu_field(xe, xe_device, drm_dev, struct device *));
}

#endif
