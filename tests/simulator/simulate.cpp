// SPDX-License-Identifier: MIT
//
// simulate --scenario NAME --jobs N --seed S --out DIR writes what a session would
// have recorded as a CTF trace (DIR/trace), and DIR/truth.csv: the rows that
// `lttng-gpu jobs --format csv` gives for the whole stream, and in one more column
// when the hardware really began. The machine runs in pieces one after the other, so
// that any length needs little memory.
#include "ctf_writer.hpp"
#include "episode.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <map>

using namespace lttng_gpu;
using namespace lttng_gpu::simulator;

namespace {

struct Options {
    std::string scenario = "sched-6.17/whole";
    std::filesystem::path out;
    std::uint64_t jobs = 1000;
    std::uint64_t seed = 1;
};

[[noreturn]] void usage()
{
    std::fprintf(stderr, "usage: simulate --out DIR [--scenario NAME] [--jobs N] [--seed S]\n");
    std::exit(2);
}

Options parse(int count, char** words)
{
    Options options;
    for (int place = 1; place + 1 < count; place += 2) {
        const std::string_view word = words[place];
        const char* value = words[place + 1];
        std::uint64_t* number = word == "--jobs"   ? &options.jobs
                                : word == "--seed" ? &options.seed
                                                   : nullptr;
        if (word == "--scenario") {
            options.scenario = value;
        } else if (word == "--out") {
            options.out = value;
        } else if (number == nullptr ||
                   std::from_chars(value, value + std::strlen(value), *number).ec != std::errc{}) {
            usage();
        }
    }
    if (count % 2 == 0 || options.out.empty()) {
        usage();
    }
    return options;
}

test::CtfEvent ctf_event(const World& world, const Event& event, Time shift)
{
    test::CtfEvent made;
    made.time = static_cast<std::uint64_t>(event.time + shift);
    made.name = names[static_cast<std::size_t>(event.name)];
    for (std::size_t place = 0; place < event.count; ++place) {
        const trace::FieldValue& value = event.values[place];
        test::CtfField field{
            std::string{field_names[static_cast<std::size_t>(event.fields[place])]}, {}};
        if (value.kind() == trace::FieldValue::Kind::Text) {
            field.value = std::string{value.as_text()};
        } else if (value.kind() == trace::FieldValue::Kind::Signed) {
            field.value = *value.as_signed();
        } else {
            field.value = *value.as_unsigned();
        }
        made.fields.push_back(std::move(field));
    }
    made.pid = made.tid = 0;
    made.procname = "swapper/0";
    if (event.thread != nobody) {
        const Thread& thread = thread_at(world, event.thread);
        made.pid = static_cast<std::int32_t>(thread.pid);
        made.tid = static_cast<std::int32_t>(thread.tid);
        made.procname = thread.name;
    }
    return made;
}

void write_trace(const Episode& episode, Time shift, test::CtfWriter& writer)
{
    auto loss = episode.kept.losses.begin();
    const auto write_losses = [&](Time until) {
        for (; loss != episode.kept.losses.end() && loss->begin <= until; ++loss) {
            if (loss->unit == trace::LossUnit::Events) {
                writer.discard(loss->cpu, static_cast<std::uint64_t>(loss->begin + shift),
                               static_cast<std::uint64_t>(loss->end + shift), loss->count);
            }
        }
    };
    for (const Event& event : episode.kept.events) {
        write_losses(event.time);
        writer.add(event.cpu, ctf_event(episode.world, event, shift));
    }
    write_losses(never);
}

std::string cell(Time time, Time shift)
{
    return time == never ? "" : std::to_string(time + shift);
}

Time first_of(const Truth& truth, std::uint32_t job, Phase phase, std::uint8_t interval)
{
    const auto times = truth.times(job, phase, interval);
    return times.empty() ? never : *std::min_element(times.begin(), times.end());
}

/// One row per interval, in order of first time like the program's.
void write_truth(const Scenario& scenario, const Episode& episode, Time shift, std::ofstream& file)
{
    const World& world = episode.world;
    const Truth truth{world, scenario, episode.whole, episode.whole};
    std::multimap<Time, std::string> rows;
    for (std::uint32_t index = 0; index < world.jobs.size(); ++index) {
        const TrueJob& job = world.jobs[index];
        const Thread& thread = world.clients[job.client];
        const RingConfig& ring = world.rings[job.ring];
        // virtio_gpu numbers the fences of all contexts together, Recorder::virtio_job().
        const bool is_virtio = scenario.recording.driver == Driver::VirtioGpu;
        const std::uint64_t seqno = is_virtio ? job.sent : job.seqno;
        Time queued = first_of(truth, index, Phase::Queued, 0);
        const std::size_t count = std::max<std::size_t>(1, job.intervals.size());
        for (std::size_t place = 0; place < count; ++place) {
            const auto number = static_cast<std::uint8_t>(place);
            const bool is_last = place + 1 == count;
            const Time submitted = first_of(truth, index, Phase::Submitted, number);
            const Time completed = is_last ? truth.whole_end(index) : job.intervals[place].ended;
            const auto previous = truth.previous(index, number);
            const Time free = !previous ? 0
                              : previous->interval + 1U < world.jobs[previous->job].intervals.size()
                                  ? world.jobs[previous->job].intervals[previous->interval].ended
                                  : truth.whole_end(previous->job);
            const bool is_fifo = ring.kind == RingKind::Fifo || ring.kind == RingKind::Execlists;
            const Time began = place < job.intervals.size() ? job.intervals[place].started : never;
            const Time started = is_fifo && submitted != never ? std::max(submitted, free) : never;
            rows.emplace(
                queued != never ? queued : submitted,
                fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},observed,{},,{}\n", ring.device,
                            ring.name, scenario.recording.driver_name, job.context, seqno,
                            thread.pid, thread.tid, thread.name, cell(queued, shift),
                            cell(submitted, shift), cell(started, shift),
                            started == never ? "unknown" : "inferred", cell(completed, shift),
                            !is_last                                ? "preempted"
                            : queued != never && submitted != never ? "complete"
                                                                    : "incomplete",
                            cell(began, shift)));
            queued = completed; // back in its queue
        }
    }
    for (const auto& [time, row] : rows) {
        file << row;
    }
}

} // namespace

int main(int count, char** words)
{
    constexpr std::uint64_t piece = 5000;
    const Options options = parse(count, words);
    const Scenario* found = find_scenario(options.scenario);
    if (found == nullptr) {
        std::fprintf(stderr, "simulate: no scenario '%s'\n", options.scenario.c_str());
        return 2;
    }
    Scenario scenario = *found;
    std::filesystem::create_directories(options.out);
    test::CtfWriter writer{options.out / "trace", 4, scenario.recording.has_contexts};
    std::ofstream truth{options.out / "truth.csv"};
    truth << "device,ring,driver,context,seqno,pid,tid,comm,queued_ns,submitted_ns,started_ns,"
             "started_basis,completed_ns,completed_basis,status,api_call,began_ns\n";
    Random seeds{options.seed};
    Time shift = 1'000'000'000;
    for (std::uint64_t done = 0; done < options.jobs; done += piece) {
        const auto jobs = static_cast<std::uint32_t>(std::min(piece, options.jobs - done));
        const Episode episode = make_episode(scenario, seeds.next(), jobs);
        write_trace(episode, shift, writer);
        write_truth(scenario, episode, shift, truth);
        shift += episode.world.end + 10'000'000;
        scenario.hardware.first_context += 100'000;
    }
    writer.finish();
    return truth.good() ? 0 : 1;
}
