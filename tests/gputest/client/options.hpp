// SPDX-License-Identifier: MIT
// The command line of gputest-load: its text for --help, its values and their reading. Arguments
// that make no sense throw UsageError with a message for the user; whether devices and rings of
// the given names exist is found out later.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace lttng_gpu::gputest {

inline constexpr std::string_view usage_text =
    R"(usage: gputest-load [options]
Submits jobs to the devices of the gputest driver and waits for all of them.

  --devices N,…            indices of the devices to use (default: all)
  --rings NAME,…           rings to use (default: all)
  --processes N            processes, named gputest-0, gputest-1, … (default 2)
  --threads N              threads in each process (default 1)
  --jobs N                 jobs of each process (default 1000)
  --exec-us MIN:MAX        execution time of a job, in µs (default 50:500)
  --dependency-percent P   jobs that depend on 1 to 3 earlier jobs (default 20)
  --fail-percent P         jobs that the device shall fail with EIO (default 0)
  --burst N                jobs submitted back to back (default 8)
  --seed S                 seed of the random choices (default 1)
  --abandon                exit without waiting: queued jobs are killed
  --help                   this text

Exit status: 0 every job completed as asked, 1 not so, 2 bad arguments, 3 no device.
)";

struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Options {
    std::vector<unsigned> devices;
    std::vector<std::string> rings;
    unsigned processes = 2;
    unsigned threads = 1;
    unsigned jobs = 1000;
    unsigned exec_us_min = 50;
    unsigned exec_us_max = 500;
    unsigned dependency_percent = 20;
    unsigned fail_percent = 0;
    unsigned burst = 8;
    unsigned seed = 1;
    bool is_abandoning = false;
};

// Nothing if the user asked for help.
std::optional<Options> parse_options(int argc, char** argv);

} // namespace lttng_gpu::gputest
