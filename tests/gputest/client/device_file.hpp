// SPDX-License-Identifier: MIT
// One open file of a DRM device and the ioctls that gputest-load makes on it: those of the gputest
// driver and those of syncobjs. Owns the file; handles of syncobjs live as long as it does. Failing
// calls throw std::system_error that names the ioctl. Knows nothing of jobs and load.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <linux/sync_file.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "drm_uapi.hpp"
#include "gputest_uapi.h"

namespace lttng_gpu::gputest {

constexpr std::int64_t wait_limit_s = 120;

[[noreturn]] inline void throw_errno(const std::string& what)
{
    throw std::system_error(errno, std::generic_category(), what);
}

class Fd {
public:
    explicit Fd(int fd = -1) : m_fd(fd) {}
    Fd(Fd&& other) noexcept : m_fd(std::exchange(other.m_fd, -1)) {}
    Fd& operator=(Fd&& other) noexcept
    {
        std::swap(m_fd, other.m_fd);
        return *this;
    }
    ~Fd()
    {
        if (m_fd >= 0)
            ::close(m_fd);
    }
    int get() const { return m_fd; }

private:
    int m_fd;
};

template <typename Argument>
void call_ioctl(const Fd& fd, unsigned long request, Argument& argument, const char* what)
{
    while (::ioctl(fd.get(), request, &argument) != 0) {
        if (errno != EINTR && errno != EAGAIN)
            throw_errno(what);
    }
}

// One open file of a device: the owner of its syncobj handles and of its entities in the driver.
class DeviceFile {
public:
    explicit DeviceFile(const std::string& path) : m_fd(::open(path.c_str(), O_RDWR | O_CLOEXEC))
    {
        if (m_fd.get() < 0)
            throw_errno(path);
    }

    bool is_gputest() const
    {
        char name[sizeof(GPUTEST_DRIVER_NAME)] = {};
        DrmVersion version{};
        version.name = name;
        version.name_len = sizeof(name);
        return ::ioctl(m_fd.get(), drm_ioctl_version, &version) == 0 &&
               std::string_view(name, std::min(version.name_len, sizeof(name))) ==
                   GPUTEST_DRIVER_NAME;
    }

    drm_gputest_info info() const
    {
        drm_gputest_info info{};
        call_ioctl(m_fd, DRM_IOCTL_GPUTEST_INFO, info, "DRM_IOCTL_GPUTEST_INFO");
        return info;
    }

    void submit(drm_gputest_submit& submit) const
    {
        call_ioctl(m_fd, DRM_IOCTL_GPUTEST_SUBMIT, submit, "DRM_IOCTL_GPUTEST_SUBMIT");
    }

    std::uint32_t make_syncobj(std::uint32_t flags = 0) const
    {
        DrmSyncobjCreate create{.handle = 0, .flags = flags};
        call_ioctl(m_fd, drm_ioctl_syncobj_create, create, "DRM_IOCTL_SYNCOBJ_CREATE");
        return create.handle;
    }

    Fd export_syncobj(std::uint32_t handle, std::uint32_t flags = 0) const
    {
        DrmSyncobjHandle request{.handle = handle, .flags = flags, .fd = -1, .pad = 0};
        call_ioctl(m_fd, drm_ioctl_syncobj_handle_to_fd, request, "DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD");
        return Fd(request.fd);
    }

    std::uint32_t import_syncobj(const Fd& fd, std::uint32_t handle = 0,
                                 std::uint32_t flags = 0) const
    {
        DrmSyncobjHandle request{.handle = handle, .flags = flags, .fd = fd.get(), .pad = 0};
        call_ioctl(m_fd, drm_ioctl_syncobj_fd_to_handle, request, "DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE");
        return request.handle;
    }

    void wait_syncobj(std::uint32_t handle) const
    {
        timespec now{};
        ::clock_gettime(CLOCK_MONOTONIC, &now);
        DrmSyncobjWait wait{};
        wait.handles = reinterpret_cast<std::uintptr_t>(&handle);
        wait.count_handles = 1;
        wait.timeout_nsec = (now.tv_sec + wait_limit_s) * 1'000'000'000 + now.tv_nsec;
        call_ioctl(m_fd, drm_ioctl_syncobj_wait, wait, "DRM_IOCTL_SYNCOBJ_WAIT");
    }

    // 1 for a job that completed well, else its negative errno.
    int syncobj_status(std::uint32_t handle) const
    {
        const Fd sync_file = export_syncobj(handle, drm_syncobj_sync_file);
        sync_file_info info{};
        call_ioctl(sync_file, SYNC_IOC_FILE_INFO, info, "SYNC_IOC_FILE_INFO");
        return info.status;
    }

private:
    Fd m_fd;
};

} // namespace lttng_gpu::gputest
