// SPDX-License-Identifier: MIT
//
// The options of `lttng-gpu record`, as plain values. Texts (sizes, times, events) are
// parsed here, so that the command line can reject invalid ones.
#pragma once

#include "../correlate/base/expected.hpp"
#include "../correlate/base/time.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lttng_gpu::record {

/// Which events, from which side.
struct EventChoice {
    bool has_kernel = true;
    bool has_user = true;
    std::vector<std::string> more_kernel; // LTTng's patterns, beside those of jobs
    std::vector<std::string> more_user;
    std::vector<std::string> syscalls; // names of system calls, without "sys_"
};

/// A round takes some tens of microseconds, more where a driver asks its device.
constexpr Duration least_counter_interval{1'000'000};
constexpr Duration default_counter_interval{10'000'000};

/// What is recorded inside of OpenCL kernels.
struct DeviceOptions {
    std::string kernels; // patterns, separated by commas; empty: nothing
    std::string points = "branches";
    bool has_times = false;
    std::optional<std::uint64_t> buffer_bytes; // of each launch
};

struct RecordOptions {
    std::vector<std::string> command; // and its arguments
    std::filesystem::path folder;     // empty: a name is made from date and time
    EventChoice events;
    std::vector<std::string> apis;             // names of apis.def; empty: all
    std::optional<std::uint64_t> buffer_bytes; // of each channel on each CPU; empty: by memory
    bool is_without_loss = false;              // applications wait when a buffer is full
    bool is_flight_recorder = false;
    std::optional<Duration> counter_interval; // empty: counters of GPUs are not read
    std::optional<Duration> trigger;          // host queue latency that makes a snapshot
    std::uint32_t most_snapshots = 10;
    bool has_snapshot_at_exit = false;
    std::string user;           // who runs the command; empty: see user_of_command()
    bool has_preload = false;   // the OpenCL library also by LD_PRELOAD
    bool has_api_times = false; // times of the GPU also where a layer must add to the work for them
    DeviceOptions device;
    bool is_verbose = false;
    bool is_dry_run = false;
    bool is_recovery = false; // only clean up after a `record` that was killed
    bool has_report = true;
    std::string report_file; // empty: standard error, "-": standard output
};

/// "64K", "4M", "1G" or bytes.
std::optional<std::uint64_t> parse_size(std::string_view text);
/// "5ms", "500us", "1.5s", "800ns"; the unit is needed. More than 0.
std::optional<Duration> parse_duration(std::string_view text);
/// Words separated by commas: all, kernel, user, kernel:PATTERN, user:PATTERN, syscall:NAME. A
/// PATTERN or NAME adds to the sides chosen by the other words, to all when there is none.
Expected<EventChoice> parse_events(const std::string& text);
/// Names of APIs (apis.def) separated by commas, each once.
Expected<std::vector<std::string>> parse_apis(const std::string& text);
/// Whether the API of that name is recorded.
bool is_chosen(const RecordOptions& options, std::string_view api);
/// Options that contradict each other.
Expected<void> check(const RecordOptions& options);

/// "12.3 ms"
std::string duration_text(Duration duration);

} // namespace lttng_gpu::record
