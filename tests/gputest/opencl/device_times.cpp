// SPDX-License-Identifier: MIT
#include "device_times.hpp"

#include <cstdlib>
#include <ctime>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <vector>

namespace lttng_gpu::gputest {
namespace {

// Columns of the log.
enum : std::size_t { Context = 2, Seqno = 3, StartedHigh = 13, CompletedLow = 14, Columns = 17 };

struct Execution {
    std::uint64_t started = 0;
    std::uint64_t completed = 0;
};

// What the log had of jobs that were over when it was read last: reading it takes longer than what
// it is read for.
class JobLog {
public:
    // Nothing: the log does not have it.
    Execution find(const JobName& name)
    {
        const std::lock_guard lock(m_mutex);
        auto found = m_jobs.find({name.context, name.seqno});
        if (found == m_jobs.end()) {
            read();
            found = m_jobs.find({name.context, name.seqno});
        }
        return found == m_jobs.end() ? Execution{} : found->second;
    }

private:
    void read()
    {
        std::ifstream log("/sys/kernel/debug/gputest/jobs");
        std::vector<std::string> words;
        for (std::string line; std::getline(log, line);) {
            words.clear();
            std::istringstream all(line);
            for (std::string word; std::getline(all, word, ',');)
                words.push_back(word);
            if (words.size() != Columns)
                continue;
            const auto number = [&](std::size_t column) {
                return std::strtoull(words[column].c_str(), nullptr, 10);
            };
            const Execution execution{number(StartedHigh), number(CompletedLow)};
            if (execution.started != 0 && execution.completed != 0)
                m_jobs[{number(Context), number(Seqno)}] = execution;
        }
    }

    std::mutex m_mutex;
    std::map<std::pair<std::uint64_t, std::uint64_t>, Execution> m_jobs;
};

} // namespace

bool has_device_times()
{
    return std::getenv("GPUTEST_CL_TIMES") != nullptr;
}

std::optional<std::pair<std::uint64_t, std::uint64_t>> execution_of(const Share& share)
{
    static JobLog& log = *new JobLog; // a program may ask while it ends
    const Execution first = log.find(share.first);
    const Execution last = log.find(share.last);
    if (first.started == 0 || last.completed <= first.started || share.all_ns == 0)
        return {};
    const double length = static_cast<double>(last.completed - first.started);
    const auto at = [&](std::uint64_t part) {
        return first.started + static_cast<std::uint64_t>(length * static_cast<double>(part) /
                                                          static_cast<double>(share.all_ns));
    };
    return std::pair{at(share.begin_ns), at(share.end_ns)};
}

std::uint64_t monotonic_now()
{
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
           static_cast<std::uint64_t>(now.tv_nsec);
}

} // namespace lttng_gpu::gputest
