// SPDX-License-Identifier: MIT
//
// What the trace says of threads: process and name. Perfetto asks /proc, so it knows most
// threads, some only after they ran. Scheduling events tell names more exactly, as the
// trace is read.
#pragma once

#include "wire_reader.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lttng_gpu::perfetto {
class TracePacket;
}

namespace lttng_gpu::trace::perfetto {

class ThreadNames {
public:
    /// What a packet says of processes, as of its time.
    void add(const lttng_gpu::perfetto::TracePacket& packet);
    /// To be called when all packets were seen.
    void sort();

    /// The thread was scheduled under this name.
    void saw(std::int64_t tid, std::string_view comm);

    struct Who {
        std::optional<std::int64_t> process;
        std::string_view name; // empty when unknown
    };
    Who find(std::int64_t tid, std::uint64_t time) const;

private:
    struct Said {
        std::uint64_t time = 0; // of the packet
        std::int64_t process = 0;
        std::string name;
    };
    struct Thread {
        std::vector<Said> said;
        std::string seen;
    };

    void say(std::int64_t tid, Said said);

    std::unordered_map<std::int64_t, Thread> m_threads;
};

} // namespace lttng_gpu::trace::perfetto
