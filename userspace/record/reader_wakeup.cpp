// SPDX-License-Identifier: MIT
//
// See reader_wakeup.hpp.
#include "reader_wakeup.hpp"

#include "cpus.hpp"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <iterator>
#include <vector>

namespace lttng_gpu::record {
namespace fs = std::filesystem;
namespace {

// LTTng reads what is there in milliseconds.
constexpr std::chrono::seconds most_of_a_stop{1};

bool is_of_kernel(const SessionPlan& plan)
{
    return std::ranges::any_of(plan.channels, [](const Channel& channel) {
        return channel.side == Channel::Side::Kernel;
    });
}

std::vector<unsigned> offline_cpus()
{
    const auto present = present_cpus(), online = online_cpus();
    std::vector<unsigned> offline;
    std::ranges::set_difference(present, online, std::back_inserter(offline));
    return offline;
}

} // namespace

std::string reader_session_of(const std::string& session)
{
    return session + "-readers";
}

void ReaderWakeup::look()
{
    if (m_is_done || std::chrono::steady_clock::now() - m_begin < most_of_a_stop) {
        return;
    }
    m_is_done = true;
    if (is_of_kernel(m_plan)) {
        wake();
    }
}

void ReaderWakeup::wake()
{
    const auto offline = offline_cpus();
    if (offline.empty()) {
        return;
    }
    std::error_code ignored;
    std::string folder = (fs::temp_directory_path(ignored) / "lttng-gpu-readers-XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr) {
        return;
    }
    m_tool.narrator().note(fmt::format("CPU {} is offline: LTTng is made to look at its buffers",
                                       fmt::join(offline, ", ")));
    SessionPlan plan;
    plan.name = reader_session_of(m_plan.name);
    plan.folder = folder;
    Channel channel;
    channel.name = "readers";
    channel.buffers = {4096, 2};
    plan.channels.push_back(channel);
    // What is not read then is missing, and that is said at the end of the recording.
    if (start_session(m_tool, plan)) {
        (void)destroy_session(m_tool, plan.name, true);
    }
    fs::remove_all(folder, ignored);
}

} // namespace lttng_gpu::record
