// SPDX-License-Identifier: MIT
// See partners.hpp.
#include "partners.hpp"

#include <filesystem>
#include <map>
#include <memory>

namespace lttng_gpu::causes {

Devices::Devices(const std::vector<std::string>& paths, const std::vector<Fd>& shared)
{
    for (const std::string& path : paths) {
        Device device{DeviceFile(path), {}, 0};
        device.own = device.file.make_syncobj(gputest::drm_syncobj_create_signaled);
        for (const Fd& fd : shared)
            device.shared.push_back(device.file.import_syncobj(fd));
        m_devices.push_back(std::move(device));
    }
}

Fence Devices::submit(std::uint32_t device, std::uint32_t ring, std::uint64_t exec_ns,
                      std::uint32_t wait_for, std::uint32_t give) const
{
    const std::uint32_t in = shared(device, wait_for);
    drm_gputest_submit submit{};
    submit.ring = ring;
    submit.exec_ns = exec_ns;
    submit.in_syncobjs = reinterpret_cast<std::uintptr_t>(&in);
    submit.num_in_syncobjs = wait_for != 0;
    submit.out_syncobj = give != 0 ? shared(device, give) : m_devices[device].own;
    m_devices[device].file.submit(submit);
    return {submit.fence_context, submit.fence_seqno};
}

Hog make_hog(const char* name, int cpu)
{
    return Hog(name, [cpu] {
        pin_to(cpu);
        sched_param parameters{};
        parameters.sched_priority = 50;
        if (::sched_setscheduler(0, SCHED_FIFO, &parameters) != 0)
            throw_errno("sched_setscheduler");
        return [](const HogQuestion& question) {
            Interval taken;
            taken.begin = now_ns();
            spin_until(taken.begin + question.length);
            taken.end = now_ns();
            return taken;
        };
    });
}

Partner make_partner(const char* name, const std::vector<std::string>& paths,
                     const std::vector<Fd>& shared)
{
    return Partner(name, [&] {
        const auto devices = std::make_shared<Devices>(paths, shared);
        return [devices](const Order& order) {
            if (order.is_end) {
                for (std::uint32_t device = 0; device < devices->size(); ++device)
                    devices->wait(device);
                return Fence{};
            }
            const Fence first = devices->submit(order.device, order.ring, order.first_ns,
                                                order.wait_for, order.give);
            for (std::uint32_t job = 0; job < order.more; ++job)
                devices->submit(order.device, order.ring, order.more_ns);
            return first;
        };
    });
}

std::vector<std::string> find_devices()
{
    std::map<std::string, std::string>
        found; // by length of the name first: gputest.2 before gputest.10
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator("/dev/dri", ignored)) {
        if (!entry.path().filename().string().starts_with("renderD"))
            continue;
        const DeviceFile file(entry.path());
        if (!file.is_gputest())
            continue;
        const std::string name = file.info().device;
        found[std::to_string(1000 + name.size()) + name] = entry.path();
    }
    std::vector<std::string> paths;
    for (const auto& [name, path] : found)
        paths.push_back(path);
    return paths;
}

} // namespace lttng_gpu::causes
