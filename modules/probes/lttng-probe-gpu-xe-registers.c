// SPDX-License-Identifier: GPL-2.0-only
/*
 * LTTng probe of xe's register accesses: loaded on request only, there are very many. Its provider is xe_reg.
 *
 * The kernel's own header of this tracepoint is not installed, so the compiler cannot check the prototype;
 * btf-layout has done so against the BTF of this kernel build and wrote <layout/xe_reg.h>.
 */
#include <linux/device.h>
#include <linux/module.h>
#include <lttng/tracer.h>

#include <layout/xe_reg.h>

#include "gpu_layout.h"

/*
 * What the event says a register belongs to: a struct xe_mmio, or the GT that has it. Both live as long as the
 * xe_device, which holds a reference to its struct device (drm_dev_init()).
 */

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

#define GPU_PROBE_EVENTS <instrumentation/events/xe_reg.h>
#include "gpu_probe_events.h"

GPU_PROBE_MODULE(xe_reg);

#define GPU_PROBE_SYMBOL lttng_probe_gpu_xe_registers_events
#include "gpu_module_info.h"
MODULE_DESCRIPTION("LTTng probe of xe's register accesses");
