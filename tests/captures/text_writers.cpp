// SPDX-License-Identifier: MIT
//
// See writers.hpp: the tracefs file `trace`, `trace-cmd report` and `perf script
// --show-lost-events`. Columns are those of the files in tests/golden/linux-6.12-ftrace.
#include "writers.hpp"

#include "kernel_form.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>

namespace lttng_gpu::captures {
namespace {

constexpr Time second = 1'000'000'000;
constexpr Time microsecond = 1000;

/// Hands out the gaps that come before an event of the same CPU.
class GapsToTell {
public:
    explicit GapsToTell(const Capture& capture) : m_cpus(capture.cpus)
    {
        for (const Gap& gap : capture.gaps) {
            m_cpus[gap.cpu].push_back(gap);
        }
    }

    /// Their number of events; 0 when there is none.
    std::uint64_t take(const Event& event, bool with_overwritten)
    {
        std::vector<Gap>& gaps = m_cpus[event.cpu];
        std::uint64_t count = 0;
        while (!gaps.empty() && gaps.front().begin <= event.time) {
            count += !gaps.front().is_overwritten || with_overwritten ? gaps.front().count : 0;
            gaps.erase(gaps.begin());
        }
        return count;
    }

private:
    std::vector<std::vector<Gap>> m_cpus;
};

std::string comm_of(const Capture& capture, const Event& event)
{
    if (!capture.has_contexts || event.tid == unknown) {
        return "<...>";
    }
    return event.tid == 0 ? "<idle>" : event.comm;
}

Time tid_of(const Event& event)
{
    return std::max<Time>(event.tid, 0);
}

} // namespace

/// kernel/trace/trace.c: print_trace_header(), test_cpu_buff_start(), print_trace_fmt().
void write_trace_file(const Capture& capture, const std::filesystem::path& path)
{
    std::ofstream file{path};
    const std::size_t kept = capture.kept().size();
    const bool is_overwritten = std::any_of(capture.gaps.begin(), capture.gaps.end(),
                                            [](const Gap& gap) { return gap.is_overwritten; });
    file << "# tracer: nop\n#\n";
    if (capture.are_losses_told) { // else somebody has cut the header off
        file << fmt::format("# entries-in-buffer/entries-written: {}/{}   #P:{}\n#\n", kept,
                            is_overwritten ? capture.events.size() : kept, capture.cpus);
    }
    GapsToTell gaps{capture};
    std::vector<bool> has_begun(capture.cpus, false);
    bool is_first = true;
    for (const Event* event : capture.kept()) {
        const auto form = kernel_form(*event, Pointers::Hashed);
        if (!form) {
            continue;
        }
        if (is_overwritten && !has_begun[event->cpu] && !is_first) {
            file << fmt::format("##### CPU {} buffer started ####\n", event->cpu);
        }
        is_first = false;
        has_begun[event->cpu] = true;
        if (const std::uint64_t lost = gaps.take(*event, false)) {
            file << fmt::format("CPU:{} [LOST {} EVENTS]\n", event->cpu, lost);
        }
        file << fmt::format("{:>16}-{:<7} [{:03}] d..1. {:5}.{:06}: {}: {}\n",
                            comm_of(capture, *event), tid_of(*event), event->cpu,
                            event->time / second, event->time % second / microsecond, form->name,
                            form->text);
    }
}

/// trace-cmd: read_data_info() in trace-read.c, tep_print_event() with "%16s-%-5d [%03d] %6.1000d".
void write_trace_cmd_report(const Capture& capture, const std::filesystem::path& path)
{
    std::ofstream file{path};
    file << "cpus=" << capture.cpus << '\n';
    GapsToTell gaps{capture};
    for (const Event* event : capture.kept()) {
        const auto form = kernel_form(*event, Pointers::Plain);
        if (!form) {
            continue;
        }
        if (const std::uint64_t lost = gaps.take(*event, true)) {
            file << fmt::format("CPU:{} [{} EVENTS DROPPED]\n", event->cpu, lost);
        }
        file << fmt::format("{:>16}-{:<5} [{:03}] {:5}.{:06}: {:<20} {}\n",
                            comm_of(capture, *event), tid_of(*event), event->cpu,
                            event->time / second, event->time % second / microsecond,
                            form->name + ":", form->text);
    }
}

/// tools/perf/builtin-script.c: perf_sample__fprintf_start() with --ns, process_lost_event().
void write_perf_script(const Capture& capture, const std::filesystem::path& path)
{
    std::ofstream file{path};
    GapsToTell gaps{capture};
    for (const Event* event : capture.kept()) {
        const auto form = kernel_form(*event, Pointers::Plain);
        if (!form) {
            continue;
        }
        const bool is_known = capture.has_contexts && event->tid != unknown;
        const std::string thread =
            fmt::format("{} {:5}", is_known ? event->comm : ":-1", is_known ? event->tid : -1);
        const std::string where = fmt::format("{} [{:03}] {:5}.{:09}:", thread, event->cpu,
                                              event->time / second, event->time % second);
        if (const std::uint64_t lost = gaps.take(*event, false)) {
            file << where << fmt::format(" PERF_RECORD_LOST lost {}\n", lost);
        }
        file << where << fmt::format(" {:>20}:{}: {}\n", form->system, form->name, form->text);
    }
}

} // namespace lttng_gpu::captures
