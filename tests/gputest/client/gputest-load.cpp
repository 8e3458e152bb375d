// SPDX-License-Identifier: MIT
// gputest-load: puts load on the devices of the gputest driver. Forks processes with names of their
// own, each of which submits jobs in bursts to random rings and devices, some of them depending on
// earlier jobs of the same or (through syncobjs shared before the fork) of other processes and
// devices. Every job is waited for and its status is checked; the same seed gives the same
// requests. Does not judge the driver's log: the tests do that.

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <iostream>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device_file.hpp"
#include "gputest_uapi.h"
#include "options.hpp"

namespace lttng_gpu::gputest {
namespace {

constexpr int exit_incomplete = 1;
constexpr int exit_usage = 2;
constexpr int exit_no_device = 3;

constexpr std::size_t window_size = 64;     // jobs in flight per thread and device
constexpr std::size_t shared_syncobjs = 16; // across all processes and devices
constexpr unsigned publish_percent = 25;    // jobs whose fence goes to a shared syncobj

struct NoDevice : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct DeviceNode {
    std::string path;
    std::string name;
    std::vector<std::uint32_t> rings; // indices of the rings to use
};

std::vector<std::uint32_t> select_rings(const drm_gputest_info& info, const Options& options)
{
    std::vector<std::uint32_t> selected;
    for (std::uint32_t ring = 0; ring < info.num_rings; ++ring) {
        if (options.rings.empty() ||
            std::ranges::find(options.rings, info.rings[ring]) != options.rings.end())
            selected.push_back(ring);
    }
    if (selected.size() < std::max<std::size_t>(1, options.rings.size()))
        throw UsageError(std::string(info.device) + " does not have all the rings of --rings");
    return selected;
}

bool is_selected(const drm_gputest_info& info, const Options& options)
{
    const auto has_index = [&](unsigned index) {
        return std::string_view(info.device).ends_with("." + std::to_string(index));
    };
    return options.devices.empty() || std::ranges::any_of(options.devices, has_index);
}

std::vector<DeviceNode> find_devices(const Options& options)
{
    std::vector<DeviceNode> nodes;
    bool has_device = false;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator("/dev/dri", ignored)) {
        if (!entry.path().filename().string().starts_with("renderD"))
            continue;
        const DeviceFile file(entry.path());
        if (!file.is_gputest())
            continue;
        has_device = true;
        const auto info = file.info();
        if (is_selected(info, options))
            nodes.push_back({entry.path(), info.device, select_rings(info, options)});
    }
    if (!has_device)
        throw NoDevice("no gputest device in /dev/dri: is the module loaded?");
    if (nodes.size() < options.devices.size())
        throw NoDevice("not all the devices of --devices exist");
    std::ranges::sort(nodes, {}, &DeviceNode::name);
    return nodes;
}

// Written by the forked processes, read by the first one after they ended.
struct Counters {
    std::atomic<std::uint64_t> submitted;
    std::atomic<std::uint64_t> completed;
    std::atomic<std::uint64_t> failed_as_asked;
    std::atomic<std::uint64_t> wrong_status;
    std::atomic<std::uint64_t> dependencies;
};

Counters& make_shared_counters()
{
    void* memory = ::mmap(nullptr, sizeof(Counters), PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        throw_errno("mmap");
    return *new (memory) Counters{};
}

// Syncobjs that all processes import; they start out signalled, so that each always has a fence.
std::vector<Fd> make_shared_syncobjs(const DeviceNode& node)
{
    const DeviceFile file(node.path);
    std::vector<Fd> fds;
    for (std::size_t i = 0; i < shared_syncobjs; ++i)
        fds.push_back(file.export_syncobj(file.make_syncobj(drm_syncobj_create_signaled)));
    return fds;
}

// A device as a process sees it; its threads share the file as those of a real program do.
struct Device {
    Device(const DeviceNode& node, std::span<const Fd> shared_fds)
        : file(node.path), rings(node.rings)
    {
        for (const Fd& fd : shared_fds)
            shared.push_back(file.import_syncobj(fd));
    }

    DeviceFile file;
    std::vector<std::uint32_t> rings;
    std::vector<std::uint32_t> shared;
};

// The jobs that one thread has under way on one device, in a ring buffer of syncobjs.
class Window {
public:
    Window(const Device& device, Counters& counters) : m_device(device), m_counters(counters) {}

    const Device& device() const { return m_device; }

    // A syncobj that no job uses any more; waits for the oldest job if need be.
    std::uint32_t take_syncobj()
    {
        if (m_jobs.size() == window_size) {
            const auto handle = m_jobs.front().syncobj;
            retire_oldest();
            return handle;
        }
        if (m_free.empty())
            return m_device.file.make_syncobj();
        const auto handle = m_free.back();
        m_free.pop_back();
        return handle;
    }

    void add_job(std::uint32_t syncobj, bool is_failing)
    {
        m_jobs.push_back({.syncobj = syncobj, .is_failing = is_failing});
    }

    void retire_all()
    {
        while (!m_jobs.empty()) {
            m_free.push_back(m_jobs.front().syncobj);
            retire_oldest();
        }
    }

    // A random syncobj whose fence is of an earlier job: of this thread, or of any process.
    template <typename Random> std::uint32_t pick_dependency(Random& random) const
    {
        const auto index = random() % (m_jobs.size() + m_device.shared.size());
        return index < m_jobs.size() ? m_jobs[index].syncobj
                                     : m_device.shared[index - m_jobs.size()];
    }

private:
    struct Job {
        std::uint32_t syncobj;
        bool is_failing;
    };

    void retire_oldest()
    {
        const Job job = m_jobs.front();
        m_device.file.wait_syncobj(job.syncobj);
        const int status = m_device.file.syncobj_status(job.syncobj);
        m_jobs.pop_front();
        if (status != (job.is_failing ? -EIO : 1)) {
            ++m_counters.wrong_status;
            return;
        }
        ++m_counters.completed;
        m_counters.failed_as_asked += job.is_failing;
    }

    const Device& m_device;
    Counters& m_counters;
    std::deque<Job> m_jobs;
    std::vector<std::uint32_t> m_free;
};

class Submitter {
public:
    Submitter(const Options& options, const std::deque<Device>& devices, Counters& counters,
              std::seed_seq& seed)
        : m_options(options), m_counters(counters), m_random(seed)
    {
        for (const Device& device : devices)
            m_windows.emplace_back(device, counters);
    }

    void run(unsigned jobs)
    {
        for (unsigned done = 0; done < jobs;) {
            const unsigned burst = std::min(m_options.burst, jobs - done);
            for (unsigned i = 0; i < burst; ++i)
                submit_job(m_windows[m_random() % m_windows.size()]);
            done += burst;
            // Half of the bursts meet the rings of one device drained.
            if (!m_options.is_abandoning && chance(50))
                m_windows[m_random() % m_windows.size()].retire_all();
        }
        if (m_options.is_abandoning)
            return;
        for (Window& window : m_windows)
            window.retire_all();
    }

private:
    bool chance(unsigned percent) { return m_random() % 100 < percent; }

    void submit_job(Window& window)
    {
        const Device& device = window.device();
        std::vector<std::uint32_t> dependencies;
        if (chance(m_options.dependency_percent)) {
            for (auto left = 1 + m_random() % 3; left != 0; --left)
                dependencies.push_back(window.pick_dependency(m_random));
        }

        const bool is_failing = chance(m_options.fail_percent);
        const std::uint32_t range_us = m_options.exec_us_max - m_options.exec_us_min + 1;
        const auto syncobj = window.take_syncobj();
        drm_gputest_submit submit{};
        submit.ring = device.rings[m_random() % device.rings.size()];
        submit.flags = is_failing ? GPUTEST_SUBMIT_FAIL : 0;
        submit.exec_ns = (m_options.exec_us_min + m_random() % range_us) * 1000;
        submit.in_syncobjs = reinterpret_cast<std::uintptr_t>(dependencies.data());
        submit.num_in_syncobjs = static_cast<std::uint32_t>(dependencies.size());
        submit.out_syncobj = syncobj;
        device.file.submit(submit);

        window.add_job(syncobj, is_failing);
        ++m_counters.submitted;
        m_counters.dependencies += dependencies.size();
        if (chance(publish_percent))
            publish(device, syncobj);
    }

    // Puts the job's fence where other processes and devices find it.
    void publish(const Device& device, std::uint32_t syncobj)
    {
        const Fd sync_file = device.file.export_syncobj(syncobj, drm_syncobj_sync_file);
        device.file.import_syncobj(sync_file, device.shared[m_random() % device.shared.size()],
                                   drm_syncobj_sync_file);
    }

    const Options& m_options;
    Counters& m_counters;
    std::mt19937_64 m_random;
    std::vector<Window> m_windows;
};

void report_error(std::string_view what)
{
    std::cerr << "gputest-load: " << what << '\n';
}

bool run_thread(const Options& options, const std::deque<Device>& devices, Counters& counters,
                unsigned process, unsigned thread)
{
    try {
        std::seed_seq seed{options.seed, process, thread};
        Submitter submitter(options, devices, counters, seed);
        submitter.run(options.jobs / options.threads + (thread < options.jobs % options.threads));
        return true;
    } catch (const std::exception& error) {
        report_error(error.what());
        return false;
    }
}

int run_process(const Options& options, const std::vector<DeviceNode>& nodes,
                std::vector<Fd> shared_fds, Counters& counters, unsigned process, pid_t parent)
{
    // Whoever kills the first process means all of them.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent)
        return exit_incomplete;
    ::prctl(PR_SET_NAME, ("gputest-" + std::to_string(process)).c_str());

    std::deque<Device> devices;
    for (const DeviceNode& node : nodes)
        devices.emplace_back(node, shared_fds);
    shared_fds.clear();

    std::atomic<bool> is_fine = true;
    std::vector<std::jthread> threads;
    for (unsigned thread = 1; thread < options.threads; ++thread)
        threads.emplace_back([&, thread] {
            if (!run_thread(options, devices, counters, process, thread))
                is_fine = false;
        });
    if (!run_thread(options, devices, counters, process, 0))
        is_fine = false;
    threads.clear();

    const int status = is_fine ? 0 : exit_incomplete;
    // A file closed by a process that lives on waits for its queued jobs; an exiting one kills
    // them.
    if (options.is_abandoning)
        ::_exit(status);
    return status;
}

bool wait_for_processes(const std::vector<pid_t>& children)
{
    bool is_fine = true;
    for (const pid_t child : children) {
        int status = 0;
        while (::waitpid(child, &status, 0) < 0 && errno == EINTR)
            ;
        if (WIFSIGNALED(status))
            report_error("process " + std::to_string(child) + " ended by signal " +
                         std::to_string(WTERMSIG(status)));
        is_fine = is_fine && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    return is_fine;
}

int run_load(const Options& options)
{
    const auto nodes = find_devices(options);
    auto shared_fds = make_shared_syncobjs(nodes.front());
    Counters& counters = make_shared_counters();
    const auto begin = std::chrono::steady_clock::now();

    const pid_t parent = ::getpid();
    std::vector<pid_t> children;
    for (unsigned process = 0; process < options.processes; ++process) {
        const pid_t child = ::fork();
        if (child < 0)
            throw_errno("fork");
        if (child == 0) {
            ::_exit([&] {
                try {
                    return run_process(options, nodes, std::move(shared_fds), counters, process,
                                       parent);
                } catch (const std::exception& error) {
                    report_error(error.what());
                    return exit_incomplete;
                }
            }());
        }
        children.push_back(child);
    }
    shared_fds.clear();
    const bool is_fine = wait_for_processes(children);

    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
    const auto asked = std::uint64_t{options.processes} * options.jobs;
    std::printf("gputest-load: devices=%zu processes=%u threads=%u asked=%llu submitted=%llu "
                "completed=%llu failed_as_asked=%llu wrong_status=%llu dependencies=%llu "
                "seconds=%.3f\n",
                nodes.size(), options.processes, options.threads,
                static_cast<unsigned long long>(asked),
                static_cast<unsigned long long>(counters.submitted),
                static_cast<unsigned long long>(counters.completed),
                static_cast<unsigned long long>(counters.failed_as_asked),
                static_cast<unsigned long long>(counters.wrong_status),
                static_cast<unsigned long long>(counters.dependencies), elapsed.count());
    const auto& reached = options.is_abandoning ? counters.submitted : counters.completed;
    return is_fine && reached == asked && counters.wrong_status == 0 ? 0 : exit_incomplete;
}

} // namespace
} // namespace lttng_gpu::gputest

int main(int argc, char** argv)
{
    using namespace lttng_gpu::gputest;
    try {
        const auto options = parse_options(argc, argv);
        if (!options) {
            std::cout << usage_text;
            return 0;
        }
        return run_load(*options);
    } catch (const UsageError& error) {
        report_error(error.what());
        return exit_usage;
    } catch (const NoDevice& error) {
        report_error(error.what());
        return exit_no_device;
    } catch (const std::exception& error) {
        report_error(error.what());
        return exit_incomplete;
    }
}
