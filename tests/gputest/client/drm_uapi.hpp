// SPDX-License-Identifier: MIT
// The part of the kernel's stable DRM interface that gputest-load uses, written down here because
// Debian ships <drm/drm.h> in libdrm-dev and not with the other kernel headers. Layouts and numbers
// are those of linux/include/uapi/drm/drm.h; the kernel accepts the shorter, older form of a
// structure that has grown since. No behaviour here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <linux/ioctl.h>

namespace lttng_gpu::gputest {

struct DrmVersion {
    int version_major;
    int version_minor;
    int version_patchlevel;
    std::size_t name_len;
    char* name;
    std::size_t date_len;
    char* date;
    std::size_t desc_len;
    char* desc;
};

struct DrmSyncobjCreate {
    std::uint32_t handle;
    std::uint32_t flags;
};

struct DrmSyncobjHandle {
    std::uint32_t handle;
    std::uint32_t flags;
    std::int32_t fd;
    std::uint32_t pad;
};

struct DrmSyncobjWait {
    std::uint64_t handles;
    std::int64_t timeout_nsec; // absolute, CLOCK_MONOTONIC
    std::uint32_t count_handles;
    std::uint32_t flags;
    std::uint32_t first_signaled;
    std::uint32_t pad;
};

constexpr std::uint32_t drm_syncobj_create_signaled = 1;
// HANDLE_TO_FD: export the fence as a sync file; FD_TO_HANDLE: take the fence from a sync file.
constexpr std::uint32_t drm_syncobj_sync_file = 1;

constexpr unsigned long drm_ioctl_version = _IOWR('d', 0x00, DrmVersion);
constexpr unsigned long drm_ioctl_syncobj_create = _IOWR('d', 0xBF, DrmSyncobjCreate);
constexpr unsigned long drm_ioctl_syncobj_handle_to_fd = _IOWR('d', 0xC1, DrmSyncobjHandle);
constexpr unsigned long drm_ioctl_syncobj_fd_to_handle = _IOWR('d', 0xC2, DrmSyncobjHandle);
constexpr unsigned long drm_ioctl_syncobj_wait = _IOWR('d', 0xC3, DrmSyncobjWait);

} // namespace lttng_gpu::gputest
