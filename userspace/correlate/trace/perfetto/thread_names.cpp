// SPDX-License-Identifier: MIT
//
// See thread_names.hpp.
#include "thread_names.hpp"

#include "perfetto.pb.h"

#include <algorithm>

namespace lttng_gpu::trace::perfetto {
namespace {

namespace proto = lttng_gpu::perfetto;

constexpr std::int64_t most_threads = std::int64_t{4} << 20; // PID_MAX_LIMIT
constexpr std::size_t longest_name = 15;                     // TASK_COMM_LEN

/// The kernel names a process after the file that it executes; of that the command line
/// is the only sign where nothing else tells.
std::string name_of(const proto::ProcessTree::Process& process)
{
    if (process.cmdline().empty()) {
        return {};
    }
    const std::string& command = process.cmdline(0);
    if (process.cmdline_is_comm()) {
        return command;
    }
    return command.substr(command.rfind('/') + 1).substr(0, longest_name);
}

} // namespace

void ThreadNames::add(const proto::TracePacket& packet)
{
    const std::uint64_t time = packet.timestamp();
    for (const auto& process : packet.process_tree().processes()) {
        say(process.pid(), {time, process.pid(), name_of(process)});
    }
    for (const auto& thread : packet.process_tree().threads()) {
        say(thread.tid(), {time, thread.tgid(), thread.name()});
    }
    for (const auto& process : packet.process_stats().processes()) {
        say(process.pid(), {time, process.pid(), {}});
        for (const auto& thread : process.threads()) {
            say(thread.tid(), {time, process.pid(), {}});
        }
    }
    for (const auto* thread : {&packet.thread_descriptor(), &packet.track_descriptor().thread()}) {
        say(thread->tid(), {time, thread->pid(), thread->thread_name()});
    }
}

void ThreadNames::say(std::int64_t tid, Said said)
{
    if (tid <= 0 || tid > most_threads || said.process <= 0) {
        return;
    }
    std::vector<Said>& known = m_threads[tid].said;
    if (!known.empty() && known.back().process == said.process) {
        if (known.back().name.empty()) {
            known.back().name = std::move(said.name);
        }
        return;
    }
    known.push_back(std::move(said));
}

void ThreadNames::sort()
{
    for (auto& [tid, thread] : m_threads) {
        std::stable_sort(thread.said.begin(), thread.said.end(),
                         [](const Said& a, const Said& b) { return a.time < b.time; });
    }
}

void ThreadNames::saw(std::int64_t tid, std::string_view comm)
{
    if (tid <= 0 || tid > most_threads || comm.empty()) {
        return;
    }
    std::string& seen = m_threads[tid].seen;
    if (seen != comm) {
        seen = comm;
    }
}

/// The latest word before that time, else the first one after it.
ThreadNames::Who ThreadNames::find(std::int64_t tid, std::uint64_t time) const
{
    const auto found = m_threads.find(tid);
    if (found == m_threads.end()) {
        return {};
    }
    const auto& [said, seen] = found->second;
    if (said.empty()) {
        return {{}, seen};
    }
    const auto later =
        std::upper_bound(said.begin() + 1, said.end(), time,
                         [](std::uint64_t moment, const Said& word) { return moment < word.time; });
    const Said& word = *(later - 1);
    return {word.process, seen.empty() ? word.name : seen};
}

} // namespace lttng_gpu::trace::perfetto
