// SPDX-License-Identifier: MIT
//
// Jobs in the trace event format of Chrome's about:tracing, as JSON. Its times are microseconds
// in floating point, which cannot hold nanoseconds since 1970: they are counted from the window's
// beginning, and otherData has the origin. Tracks are threads of processes there; those of
// rings are threads of a process that each ring is, with numbers that no process of Linux has.
#include "timeline_writer.hpp"

#include "../../correlate/report/job_words.hpp"
#include "../../correlate/report/text_format.hpp"

#include <fmt/format.h>

namespace lttng_gpu::exporting {
namespace {

constexpr std::int64_t first_ring_pid = 5'000'000; // PID_MAX_LIMIT is 2^22

class ChromeWriter final : public TimelineWriter {
public:
    explicit ChromeWriter(const WriterContext& context)
        : TimelineWriter{context}, x_window{context.window}
    {
    }

    Expected<void> begin() override
    {
        output().write("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
        return {};
    }

private:
    struct Place {
        std::int64_t pid = 0;
        std::int64_t tid = 0;
        std::string name; // of a group or a counter
        std::string text; // "pid":..,"tid":..,"ts":
    };

    void define_group(TrackNumber track, TrackNumber parent, std::string_view name) override
    {
        const std::string above = parent != 0 ? place_of(parent).name + " " : std::string{};
        place_of(track) = place(first_ring_pid + track, 0, above + std::string{name});
    }
    void define_track(TrackNumber track, TrackNumber parent, std::string_view name) override
    {
        const std::int64_t pid = parent != 0 ? place_of(parent).pid : first_ring_pid;
        // Numbers of tracks are no numbers of threads, even where the process is a real one.
        place_of(track) = place(pid, first_ring_pid + track);
        write_name("thread_name", place_of(track), name);
    }
    void define_counter(TrackNumber track, TrackNumber parent, std::string_view name) override
    {
        const Place ring = place_of(parent);
        if (parent != x_named_ring) {
            write_name("process_name", ring, ring.name);
            x_named_ring = parent;
        }
        place_of(track) = place(ring.pid, 0, std::string{name});
    }
    void define_process(TrackNumber track, Pid pid, std::string_view name) override
    {
        place_of(track) = place(pid.value(), pid.value());
        write_name("process_name", place_of(track), name);
    }
    void define_thread(TrackNumber track, TrackNumber, Pid pid, Tid tid,
                       std::string_view name) override
    {
        place_of(track) = place(pid.value(), tid.value());
        write_name("thread_name", place_of(track), name);
    }

    void write_slice(const Mark& mark, KnownTime end) override;
    void write_instant(const Mark& mark) override
    {
        begin_event("i", mark.track, mark.begin);
        x_line += ",\"s\":\"t\"";
        write_details(mark);
        // Arrows begin and end at slices: those of calls, within which these marks are.
        if (mark.flow != Flow::None &&
            (mark.category == Category::Call || mark.category == Category::Wait)) {
            write_flow(mark);
        }
    }
    void write_count(TrackNumber track, Timestamp time, std::int64_t value) override
    {
        begin_event("C", track, time);
        x_line += ",\"name\":";
        report::append_json_text(x_line, place_of(track).name);
        x_line += ",\"args\":{\"jobs\":";
        append_number(value);
        x_line += "}}";
    }
    void write_end(const run::Outcome& outcome) override
    {
        output().write(x_line);
        output().write(fmt::format(
            "\n],\"otherData\":{{\"origin_ns\":\"{}\",\"events_lost\":{},\"packets_lost\":{},"
            "\"losses_of_unknown_size\":{}}}}}\n",
            x_window.begin().value(), outcome.account.events_lost, outcome.account.packets_lost,
            outcome.account.losses_of_unknown_size));
    }

    static Place place(std::int64_t pid, std::int64_t tid, std::string name = {})
    {
        return {pid, tid, std::move(name),
                fmt::format("\",\"pid\":{},\"tid\":{},\"ts\":", pid, tid)};
    }
    Place& place_of(TrackNumber track)
    {
        if (track >= x_places.size()) {
            x_places.resize(track + std::size_t{1});
        }
        return x_places[track];
    }
    /// Lines gather: each write costs more than the next line.
    void begin_line()
    {
        constexpr std::size_t enough = 1U << 15U;
        if (x_line.size() > enough) {
            output().write(x_line);
            x_line.clear();
        }
        x_line += x_is_first ? "\n" : ",\n";
        x_is_first = false;
    }
    /// As JSON.
    const std::string& name_text(StringId name)
    {
        if (name.value() >= x_names.size()) {
            x_names.resize(name.value() + std::size_t{1});
        }
        std::string& known = x_names[name.value()];
        if (known.empty()) {
            const std::string_view plain = text(name);
            report::append_json_text(known, plain.empty() ? "job" : plain);
        }
        return known;
    }
    void begin_event(std::string_view kind, TrackNumber track, Timestamp time);
    void write_details(const Mark& mark);
    void write_flow(const Mark& mark);
    void write_name(std::string_view kind, const Place& place, std::string_view name);
    template <typename Number> void append_number(Number number)
    {
        const fmt::format_int digits{number};
        x_line.append(digits.data(), digits.size());
    }
    void append_microseconds(std::int64_t nanoseconds);
    void append_detail(std::string_view name, std::string_view text)
    {
        x_line += ",\"";
        x_line += name;
        x_line += "\":\"";
        x_line += text;
        x_line += '"';
    }

    const report::Window& x_window;
    std::vector<Place> x_places;      // by track
    std::vector<std::string> x_names; // by the number of the text
    std::string x_line;
    TrackNumber x_named_ring = 0; // the latest, which is defined with its counters
    bool x_is_first = true;
};

void ChromeWriter::begin_event(std::string_view kind, TrackNumber track, Timestamp time)
{
    begin_line();
    x_line += "{\"ph\":\"";
    x_line += kind;
    x_line += place_of(track).text;
    append_microseconds((time - x_window.begin()).value());
}

void ChromeWriter::append_microseconds(std::int64_t nanoseconds)
{
    constexpr std::int64_t in_one = 1000;
    if (nanoseconds < 0) {
        x_line += '-';
        nanoseconds = -nanoseconds;
    }
    append_number(nanoseconds / in_one);
    const std::int64_t rest = nanoseconds % in_one;
    x_line += '.';
    x_line += static_cast<char>('0' + rest / 100);
    x_line += static_cast<char>('0' + rest / 10 % 10);
    x_line += static_cast<char>('0' + rest % 10);
}

void ChromeWriter::write_slice(const Mark& mark, KnownTime end)
{
    begin_event(end ? "X" : "B", mark.track, mark.begin);
    if (end) {
        x_line += ",\"dur\":";
        append_microseconds((*end - mark.begin).value());
    }
    write_details(mark);
    if (mark.flow != Flow::None) {
        write_flow(mark);
    }
}

void ChromeWriter::write_details(const Mark& mark)
{
    x_line += ",\"cat\":\"";
    x_line += category_text(mark.category);
    x_line += "\",\"name\":";
    x_line += name_text(mark.name);
    if (mark.job != nullptr) {
        const model::Job& job = *mark.job;
        x_line += ",\"args\":{\"job\":";
        append_number(mark.job_number);
        if (job.fence.context) { // as a text: JSON's numbers end at 2^53
            x_line += ",\"context\":\"";
            append_number(job.fence.context->value());
            x_line += '"';
        }
        if (job.fence.seqno) {
            x_line += ",\"seqno\":\"";
            append_number(job.fence.seqno->value());
            x_line += '"';
        }
        if (job.actor.tid) {
            x_line += ",\"tid\":";
            append_number(job.actor.tid->value());
        }
        if (job.ending != model::Ending::Normal || status_of(job) != model::JobStatus::Complete) {
            append_detail("status", report::status_text(job));
        }
        if (!mark.begin_basis.empty()) {
            append_detail("begin_basis", mark.begin_basis);
        }
        if (!mark.end_basis.empty()) {
            append_detail("end_basis", mark.end_basis);
        }
        x_line += '}';
    }
    x_line += '}';
}

/// An event of its own, which is bound to the slice that begins at its time.
void ChromeWriter::write_flow(const Mark& mark)
{
    begin_event(mark.flow == Flow::Begin  ? "s"
                : mark.flow == Flow::Step ? "t"
                                          : "f",
                mark.track, mark.begin);
    x_line += ",\"cat\":\"job\",\"name\":\"job\",\"bp\":\"e\",\"id\":";
    append_number(mark.job_number);
    x_line += '}';
}

void ChromeWriter::write_name(std::string_view kind, const Place& place, std::string_view name)
{
    begin_line();
    x_line += "{\"ph\":\"M\",\"pid\":";
    append_number(place.pid);
    x_line += ",\"tid\":";
    append_number(place.tid);
    x_line += ",\"name\":\"";
    x_line += kind;
    x_line += "\",\"args\":{\"name\":";
    report::append_json_text(x_line, name);
    x_line += "}}";
}

} // namespace

std::unique_ptr<JobWriter> make_chrome_writer(const WriterContext& context)
{
    return std::make_unique<ChromeWriter>(context);
}

} // namespace lttng_gpu::exporting
