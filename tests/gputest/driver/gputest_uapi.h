/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The ioctls of the gputest driver, shared by the driver and its clients.
 * Jobs name their ring by the index that DRM_IOCTL_GPUTEST_INFO reports; they
 * are ordered by syncobjs, as in every other driver of drm_sched. The numbers
 * are written out ('d', driver ioctls from 0x40 on) so that a client needs no
 * drm.h, which not every distribution has in its kernel header package.
 */
#ifndef GPUTEST_UAPI_H
#define GPUTEST_UAPI_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define GPUTEST_DRIVER_NAME		"gputest"
#define GPUTEST_MAX_RINGS		8
#define GPUTEST_NAME_LEN		32
#define GPUTEST_MAX_IN_SYNCOBJS		8
#define GPUTEST_MAX_EXEC_NS		60000000000ULL

/* The job executes, then its hardware fence is signalled with -EIO. */
#define GPUTEST_SUBMIT_FAIL		(1u << 0)
#define GPUTEST_SUBMIT_FLAGS		GPUTEST_SUBMIT_FAIL

/**
 * struct drm_gputest_submit - queue one job
 * @ring: index of the ring
 * @flags: GPUTEST_SUBMIT_*
 * @exec_ns: time the engine takes for the job, at most GPUTEST_MAX_EXEC_NS
 * @in_syncobjs: pointer to @num_in_syncobjs syncobj handles (__u32 each) whose
 *	fences the job waits for
 * @num_in_syncobjs: at most GPUTEST_MAX_IN_SYNCOBJS
 * @out_syncobj: syncobj that takes the job's finished fence, 0 for none
 * @fence_context: out: context of the finished fence
 * @fence_seqno: out: seqno of the finished fence
 */
struct drm_gputest_submit {
	__u32 ring;
	__u32 flags;
	__u64 exec_ns;
	__u64 in_syncobjs;
	__u32 num_in_syncobjs;
	__u32 out_syncobj;
	__u64 fence_context;
	__u64 fence_seqno;
};

/**
 * struct drm_gputest_info - what the device is made of
 * @num_rings: out: number of valid names in @rings
 * @pad: must be zero
 * @device: out: name of the device as in the kernel's trace events
 * @rings: out: ring names, which are the same on every gputest device
 */
struct drm_gputest_info {
	__u32 num_rings;
	__u32 pad;
	char device[GPUTEST_NAME_LEN];
	char rings[GPUTEST_MAX_RINGS][GPUTEST_NAME_LEN];
};

#define DRM_GPUTEST_SUBMIT		0x00
#define DRM_GPUTEST_INFO		0x01

#define DRM_IOCTL_GPUTEST_SUBMIT \
	_IOWR('d', 0x40 + DRM_GPUTEST_SUBMIT, struct drm_gputest_submit)
#define DRM_IOCTL_GPUTEST_INFO \
	_IOWR('d', 0x40 + DRM_GPUTEST_INFO, struct drm_gputest_info)

#endif
