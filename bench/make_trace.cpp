// SPDX-License-Identifier: MIT
//
// make_trace DIRECTORY JOBS: a kernel-like CTF 1.8 trace for benchmarks: four CPUs, JOBS jobs
// (queue, run, done) spread over four rings and eight processes, and between them events that
// nobody asked for.
#include "../tests/unit/gpu_trace.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>

using namespace lttng_gpu::test;

namespace {

constexpr std::size_t cpu_count = 4;
constexpr std::size_t events_per_packet = 10'000;

/// One job of a ring that runs them one after the other.
void add_job(std::vector<std::vector<CtfEvent>>& cpus, std::size_t index, std::mt19937_64& random)
{
    const std::uint64_t ring = index % 4;
    const std::uint64_t queued = 1'000'000 + index * 25'000;
    const std::uint64_t submitted = queued + 5'000 + random() % 10'000;
    const std::uint64_t completed = submitted + 60'000;
    auto moment = [&](CtfEvent event) {
        for (CtfField& field : event.fields) {
            if (field.name == "name")
                field.value = "gfx_0.0." + std::to_string(ring);
            if (field.name == "fence_context")
                field.value = std::uint64_t{100} + ring;
        }
        event.pid = static_cast<std::int32_t>(1000 + index % 8);
        return event;
    };
    cpus[index % cpu_count].push_back(moment(queue_event(queued, index)));
    cpus[(index + 1) % cpu_count].push_back(moment(run_event(submitted, index)));
    cpus[(index + 2) % cpu_count].push_back(moment(done_event(completed, index)));
    for (std::uint64_t other = 0; other < 3; ++other)
        cpus[random() % cpu_count].push_back(other_event(queued + other * 7'000));
}

std::vector<CtfPacket> make_packets(std::vector<CtfEvent>& events)
{
    std::stable_sort(events.begin(), events.end(),
                     [](const CtfEvent& a, const CtfEvent& b) { return a.time < b.time; });
    std::vector<CtfPacket> packets;
    for (std::size_t first = 0; first < events.size(); first += events_per_packet) {
        const std::size_t last = std::min(first + events_per_packet, events.size());
        packets.push_back({{events.begin() + static_cast<std::ptrdiff_t>(first),
                            events.begin() + static_cast<std::ptrdiff_t>(last)}});
    }
    return packets;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 3) {
        std::fprintf(stderr, "usage: make_trace DIRECTORY JOBS\n");
        return 2;
    }
    std::mt19937_64 random{1};
    std::vector<std::vector<CtfEvent>> cpus(cpu_count);
    const std::size_t jobs = std::strtoull(argv[2], nullptr, 10);
    for (std::size_t index = 0; index < jobs; ++index)
        add_job(cpus, index, random);
    std::vector<std::vector<CtfPacket>> packets;
    for (auto& events : cpus)
        packets.push_back(make_packets(events));
    write_ctf(argv[1], packets);
    return 0;
}
