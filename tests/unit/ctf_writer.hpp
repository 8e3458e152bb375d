// SPDX-License-Identifier: MIT
//
// Writes small CTF 1.8 traces shaped like LTTng's kernel traces (packet context
// with cpu_id and events_discarded, event context with pid, tid and procname),
// so that the whole program can be tested on any event without a tracer.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace lttng_gpu::test {

/// A directory that goes away with the object.
class TemporaryDirectory {
public:
    TemporaryDirectory();
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
    ~TemporaryDirectory();

    const std::filesystem::path& path() const { return x_path; }

private:
    std::filesystem::path x_path;
};

using CtfValue = std::variant<std::uint64_t, std::string>;

struct CtfField {
    std::string name;
    CtfValue value;
};

struct CtfEvent {
    std::uint64_t time;
    std::string name;
    std::vector<CtfField> fields;
    std::int32_t pid = 100;
    std::int32_t tid = 101;
    std::string procname = "app";
};

/// One packet of one CPU; `discarded` is the counter at its end.
struct CtfPacket {
    std::vector<CtfEvent> events;
    std::uint64_t discarded = 0;
};

/// One stream file per element of `cpus`.
void write_ctf(const std::filesystem::path& directory,
               const std::vector<std::vector<CtfPacket>>& cpus);

} // namespace lttng_gpu::test
