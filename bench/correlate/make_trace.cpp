// SPDX-License-Identifier: MIT
//
// make-trace [--large] [--seed N] DIRECTORY EVENTS: a kernel-like GPU trace
// (gpu_load.hpp) of at least EVENTS events, exactly in the layout of LTTng's kernel
// tracer (kernel_stream.hpp), in DIRECTORY/kernel. Prints how many jobs and events
// are in it, as JSON. Memory does not grow with EVENTS.
#include "gpu_load.hpp"
#include "kernel_metadata.hpp"

#include <cstdlib>
#include <exception>

using namespace lttng_gpu::bench;

namespace {

void make_trace(const std::filesystem::path& directory, std::uint64_t events, HeaderForm form,
                std::uint64_t seed)
{
    const std::uint64_t jobs = (events + events_per_job - 1) / events_per_job;
    std::vector<KernelStream> cpus;
    for (std::uint32_t cpu = 0; cpu < cpu_count; ++cpu) {
        cpus.emplace_back(directory, cpu, form);
    }
    write_kernel_metadata(directory, form);
    GpuLoad{cpus, jobs, seed}.run();
    std::printf("{\"jobs\": %llu, \"events\": %llu}\n", static_cast<unsigned long long>(jobs),
                static_cast<unsigned long long>(jobs * events_per_job));
}

} // namespace

int main(int argc, char** argv)
{
    HeaderForm form = HeaderForm::Compact;
    std::uint64_t seed = 1;
    std::vector<std::string_view> words;
    for (int index = 1; index < argc; ++index) {
        const std::string_view word = argv[index];
        if (word == "--large") {
            form = HeaderForm::Large;
        } else if (word == "--seed" && index + 1 < argc) {
            seed = std::strtoull(argv[++index], nullptr, 10);
        } else {
            words.push_back(word);
        }
    }
    if (words.size() != 2) {
        std::fprintf(stderr, "usage: make-trace [--large] [--seed N] DIRECTORY EVENTS\n");
        return 2;
    }
    try {
        const std::uint64_t events = std::strtoull(words[1].data(), nullptr, 10);
        make_trace(std::filesystem::path{words[0]} / "kernel", events, form, seed);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "make-trace: %s\n", error.what());
        return 1;
    }
    return 0;
}
