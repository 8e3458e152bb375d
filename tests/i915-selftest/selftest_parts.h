/* SPDX-License-Identifier: GPL-2.0-only */
/* What i915's self-tests need and a stock kernel does not export; build-i915 compiles it into that i915. */
#ifndef SELFTEST_PARTS_H
#define SELFTEST_PARTS_H

struct drm_minor;
struct file;

struct file *mock_drm_getfile(struct drm_minor *minor, unsigned int flags);
int selftest_wait_for_start(void);

#endif
