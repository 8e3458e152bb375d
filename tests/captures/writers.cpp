// SPDX-License-Identifier: MIT
//
// See writers.hpp: the list, and LTTng's CTF.
#include "writers.hpp"

#include "ctf_writer.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace lttng_gpu::captures {
namespace {

constexpr auto all_writers = std::to_array<Writer>({
    {"ctf", "trace", false, false, write_ctf_capture},
    {"trace", "trace.txt", true, true, write_trace_file},
    {"trace-cmd", "report.txt", true, true, write_trace_cmd_report},
    {"perf", "perf.txt", false, true, write_perf_script},
    {"dat", "trace.dat", false, false, write_trace_dat},
});

test::CtfEvent ctf_event(const Event& event)
{
    test::CtfEvent made;
    made.time = static_cast<std::uint64_t>(event.time);
    made.name = event.name;
    for (const Field& field : event.fields) {
        test::CtfField copy{field.name, {}};
        std::visit([&](const auto& value) { copy.value = value; }, field.value);
        made.fields.push_back(std::move(copy));
    }
    made.pid = static_cast<std::int32_t>(event.pid);
    made.tid = static_cast<std::int32_t>(event.tid);
    made.procname = event.comm;
    return made;
}

/// Sessions begin and end on all CPUs at once, but for CPUs whose events are missing
/// there.
void begin_streams(const Capture& capture, test::CtfWriter& writer)
{
    std::vector<bool> begins(capture.cpus, false);
    std::vector<bool> is_seen(capture.cpus, false);
    for (const Event& event : capture.events) {
        if (!is_seen[event.cpu]) {
            is_seen[event.cpu] = true;
            begins[event.cpu] = event.is_kept;
        }
    }
    for (const Gap& gap : capture.gaps) {
        if (gap.is_overwritten) {
            writer.overwrite(gap.cpu, 1);
        }
    }
    for (std::uint32_t cpu = 0; cpu < capture.cpus; ++cpu) {
        if (begins[cpu]) {
            writer.begin_at(cpu, static_cast<std::uint64_t>(capture.first));
        }
    }
}

} // namespace

std::span<const Writer> writers()
{
    return all_writers;
}

const Writer& find_writer(std::string_view format)
{
    const auto found = std::find_if(all_writers.begin(), all_writers.end(),
                                    [&](const Writer& writer) { return writer.format == format; });
    if (found == all_writers.end()) {
        throw std::runtime_error{"no format '" + std::string{format} + "'"};
    }
    return *found;
}

void write_ctf_capture(const Capture& capture, const std::filesystem::path& path)
{
    test::CtfWriter writer{path, capture.cpus, capture.has_contexts, 0, true};
    begin_streams(capture, writer);
    std::vector<bool> is_used(capture.cpus, false);
    std::vector<bool> ends(capture.cpus, false);
    auto gap = capture.gaps.begin();
    const auto write_gaps = [&](Time until) {
        for (; gap != capture.gaps.end() && gap->begin <= until; ++gap) {
            if (!gap->is_overwritten) {
                writer.discard(gap->cpu, static_cast<std::uint64_t>(gap->begin),
                               static_cast<std::uint64_t>(gap->end), gap->count);
            }
        }
    };
    for (const Event& event : capture.events) {
        ends[event.cpu] = event.is_kept;
        if (event.is_kept) {
            write_gaps(event.time);
            writer.add(event.cpu, ctf_event(event));
            is_used[event.cpu] = true;
        }
    }
    write_gaps(capture.last);
    for (std::uint32_t cpu = 0; cpu < capture.cpus; ++cpu) {
        if (is_used[cpu] && ends[cpu]) {
            writer.end_at(cpu, static_cast<std::uint64_t>(capture.last));
        }
    }
    writer.finish();
    for (std::uint32_t cpu = 0; cpu < capture.cpus; ++cpu) {
        if (!is_used[cpu]) {
            std::filesystem::remove(path / ("channel0_" + std::to_string(cpu)));
        }
    }
}

} // namespace lttng_gpu::captures
