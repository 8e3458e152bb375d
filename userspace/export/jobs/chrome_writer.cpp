// SPDX-License-Identifier: MIT
//
// Jobs in the trace event format of Chrome's about:tracing, as JSON. Its times are microseconds
// in floating point, which cannot hold nanoseconds since 1970: they are counted from the window's
// beginning, and otherData has the origin. Tracks are threads of processes there; those of
// rings are threads of a process that each ring is, with numbers that no process of Linux has.
#include "timeline_writer.hpp"

#include "../../correlate/report/job_words.hpp"
#include "../../correlate/report/text_bytes.hpp"
#include "../../correlate/report/text_format.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace lttng_gpu::exporting {
namespace {

using report::TextBytes;

constexpr std::int64_t first_ring_pid = 5'000'000; // PID_MAX_LIMIT is 2^22
// Perfetto numbers arrows that are told by events of their own from 0, in 32 bits, and keeps them
// together with those that are told with slices (GetFlowIdForV1Event() in its flow_tracker.cc): the
// latter's numbers must be others.
constexpr std::uint64_t first_flow_of_slices = std::uint64_t{1} << 32;
constexpr std::size_t most_event = 1024;     // without names
constexpr std::size_t most_short_name = 256; // as JSON

class ChromeWriter final : public TimelineWriter {
public:
    explicit ChromeWriter(const WriterContext& context)
        : TimelineWriter{context}, m_window{context.window}
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
        std::string name; // of a group
        std::string text; // "pid":..,"tid":..,"ts":, and a counter's name
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
        if (parent != m_named_ring) {
            write_name("process_name", ring, ring.name);
            m_named_ring = parent;
        }
        // A counter's name goes with its place: nothing else is there.
        std::string name_text;
        report::append_json_text(name_text, name);
        place_of(track).text =
            fmt::format("\",\"pid\":{},\"name\":{},\"ts\":", ring.pid, name_text);
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
    void write_instant(const Mark& mark) override;
    void write_count(TrackNumber track, Timestamp time, std::int64_t value) override
    {
        TextBytes bytes = begin_event('C', track, time);
        bytes.literal(",\"args\":{\"jobs\":");
        bytes.number(value);
        bytes.literal("}}");
        output().commit(bytes.end());
    }
    void write_end(const run::Outcome& outcome) override
    {
        output().write(fmt::format(
            "\n],\"otherData\":{{\"origin_ns\":\"{}\",\"events_lost\":{},\"packets_lost\":{},"
            "\"losses_of_unknown_size\":{}}}}}\n",
            m_window.begin().value(), outcome.account.events_lost, outcome.account.packets_lost,
            outcome.account.losses_of_unknown_size));
    }

    static Place place(std::int64_t pid, std::int64_t tid, std::string name = {})
    {
        return {pid, tid, std::move(name),
                fmt::format("\",\"pid\":{},\"tid\":{},\"ts\":", pid, tid)};
    }
    Place& place_of(TrackNumber track)
    {
        if (track >= m_places.size()) {
            m_places.resize(track + std::size_t{1});
        }
        return m_places[track];
    }
    TextBytes begin_line(std::size_t most)
    {
        TextBytes bytes{output().reserve(most)};
        if (m_is_first) {
            bytes.character('\n');
            m_is_first = false;
        } else {
            bytes.literal(",\n");
        }
        return bytes;
    }
    /// As JSON.
    std::string name_text(std::string_view name) const
    {
        std::string written;
        report::append_json_text(written, name);
        return written;
    }
    const std::string& name_text(StringId name)
    {
        if (name.value() >= m_names.size()) {
            m_names.resize(name.value() + std::size_t{1});
        }
        std::string& known = m_names[name.value()];
        if (known.empty()) {
            const std::string_view plain = text(name);
            report::append_json_text(known, plain.empty() ? "job" : plain);
        }
        return known;
    }
    /// What began before the window is shown from its beginning on: Perfetto drops what has a time
    /// below zero. end_event() tells when it began.
    std::int64_t since_origin(Timestamp time) const
    {
        return std::max<std::int64_t>(0, (time - m_window.begin()).value());
    }
    bool is_cut(const Mark& mark) const { return mark.begin < m_window.begin(); }
    TextBytes begin_event(char kind, TrackNumber track, Timestamp time);
    void end_event(TextBytes bytes, const Mark& mark);
    void append_job(TextBytes& bytes, const Mark& mark);
    void write_flow(const Mark& mark);
    void write_name(std::string_view kind, const Place& place, std::string_view name);

    const report::Window& m_window;
    std::vector<Place> m_places;      // by track
    std::vector<std::string> m_names; // by the number of the text
    TrackNumber m_named_ring = 0;     // the latest, which is defined with its counters
    std::uint64_t m_shown_job = 0;    // the job that m_job_text is of
    std::array<char, most_event / 2> m_job_text{};
    std::size_t m_job_text_size = 0;
    bool m_is_first = true;
};

/// Room for an event is there until it is committed.
TextBytes ChromeWriter::begin_event(char kind, TrackNumber track, Timestamp time)
{
    const std::string& place = place_of(track).text;
    TextBytes bytes = begin_line(most_event + most_short_name + place.size());
    bytes.literal("{\"ph\":\"");
    bytes.character(kind);
    bytes.text(place);
    bytes.microseconds(since_origin(time));
    return bytes;
}

/// What an event says of its arrow itself: where it goes to, and where it comes from.
void append_flow(TextBytes& bytes, const Mark& mark)
{
    bytes.literal(",\"bind_id\":\"0x");
    bytes.hexadecimal(first_flow_of_slices + mark.job_number);
    bytes.character('"');
    if (mark.flow != Flow::Begin) {
        bytes.literal(",\"flow_in\":true");
    }
    if (mark.flow != Flow::End) {
        bytes.literal(",\"flow_out\":true");
    }
}

void ChromeWriter::write_slice(const Mark& mark, KnownTime end)
{
    TextBytes bytes = begin_event(end ? 'X' : 'B', mark.track, mark.begin);
    if (end) {
        bytes.literal(",\"dur\":");
        bytes.microseconds(since_origin(*end) - since_origin(mark.begin));
    }
    const bool has_flow = mark.flow != Flow::None;
    if (has_flow && mark.is_flow_of_slices) {
        append_flow(bytes, mark);
    }
    end_event(bytes, mark);
    if (has_flow && !mark.is_flow_of_slices) {
        write_flow(mark);
    }
}

void ChromeWriter::write_instant(const Mark& mark)
{
    TextBytes bytes = begin_event('i', mark.track, mark.begin);
    bytes.literal(",\"s\":\"t\"");
    end_event(bytes, mark);
    // Arrows begin and end at slices: those of calls, within which these marks are.
    if (mark.flow != Flow::None &&
        (mark.category == Category::Call || mark.category == Category::Wait)) {
        write_flow(mark);
    }
}

void append_detail(TextBytes& bytes, std::string_view name, std::string_view text)
{
    bytes.literal(",\"");
    bytes.text(name);
    bytes.literal("\":\"");
    bytes.text(text);
    bytes.character('"');
}

/// As a text: JSON's numbers end at 2^53.
void append_begin(TextBytes& bytes, const Mark& mark)
{
    bytes.literal("\"begin_ns\":\"");
    bytes.number(mark.begin.value());
    bytes.character('"');
}

/// What all events of a job say of it.
TextBytes write_job(TextBytes bytes, const Mark& mark)
{
    const model::Job& job = *mark.job;
    bytes.literal(",\"args\":{\"job\":");
    bytes.number(mark.job_number);
    if (job.fence.context) { // as a text: JSON's numbers end at 2^53
        bytes.literal(",\"context\":\"");
        bytes.number(job.fence.context->value());
        bytes.character('"');
    }
    if (job.fence.seqno) {
        bytes.literal(",\"seqno\":\"");
        bytes.number(job.fence.seqno->value());
        bytes.character('"');
    }
    if (job.actor.tid) {
        bytes.literal(",\"tid\":");
        bytes.number(job.actor.tid->value());
    }
    if (job.ending != model::Ending::Normal || status_of(job) != model::JobStatus::Complete) {
        append_detail(bytes, "status", report::status_text(job));
    }
    return bytes;
}

void ChromeWriter::append_job(TextBytes& bytes, const Mark& mark)
{
    if (m_shown_job != mark.job_number) { // numbers into digits: once for all its events
        const TextBytes written = write_job(TextBytes{m_job_text.data()}, mark);
        m_job_text_size = static_cast<std::size_t>(written.end() - m_job_text.data());
        m_shown_job = mark.job_number;
    }
    bytes.text({m_job_text.data(), m_job_text_size});
    if (!mark.begin_basis.empty()) {
        append_detail(bytes, "begin_basis", mark.begin_basis);
    }
    if (!mark.end_basis.empty()) {
        append_detail(bytes, "end_basis", mark.end_basis);
    }
    if (is_cut(mark)) {
        bytes.character(',');
        append_begin(bytes, mark);
    }
    bytes.character('}');
}

/// Times are texts: JSON's numbers end at 2^53.
void append_frame(TextBytes& bytes, const Mark& mark, bool is_cut)
{
    bytes.literal(",\"args\":{");
    if (is_cut) {
        append_begin(bytes, mark);
        bytes.character(',');
    }
    bytes.literal("\"surface\":\"");
    bytes.number(mark.frame->surface);
    bytes.character('"');
    visit_details(*mark.frame, [&bytes](std::string_view name, const auto& value) {
        if constexpr (std::is_convertible_v<decltype(value), std::string_view>) {
            append_detail(bytes, name, value);
        } else {
            bytes.literal(",\"");
            bytes.text(name);
            bytes.literal("\":\"");
            bytes.number(value);
            bytes.character('"');
        }
    });
    if (!mark.begin_basis.empty()) {
        append_detail(bytes, "begin_basis", mark.begin_basis);
    }
    bytes.character('}');
}

/// The name comes last, because only write() takes texts of any length.
void ChromeWriter::end_event(TextBytes bytes, const Mark& mark)
{
    bytes.literal(",\"cat\":\"");
    bytes.text(category_text(mark.category));
    bytes.character('"');
    if (mark.job != nullptr) {
        append_job(bytes, mark);
    } else if (mark.frame != nullptr) {
        append_frame(bytes, mark, is_cut(mark));
    } else if (is_cut(mark)) {
        bytes.literal(",\"args\":{");
        append_begin(bytes, mark);
        bytes.character('}');
    }
    bytes.literal(",\"name\":");
    const std::string own_name = mark.own_name.empty() ? std::string{} : name_text(mark.own_name);
    const std::string& name = own_name.empty() ? name_text(mark.name) : own_name;
    const bool is_short = name.size() < most_short_name;
    if (is_short) {
        bytes.text(name);
        bytes.character('}');
    }
    output().commit(bytes.end());
    if (!is_short) {
        output().write(name);
        output().write("}");
    }
}

/// An event of its own, which is bound to the slice that it is in: where the arrow touches a call
/// or a wait, which may be written later or not at all.
void ChromeWriter::write_flow(const Mark& mark)
{
    const char kind = mark.flow == Flow::Begin ? 's' : mark.flow == Flow::Step ? 't' : 'f';
    TextBytes bytes = begin_event(kind, mark.track, mark.begin);
    bytes.literal(",\"cat\":\"job\",\"name\":\"job\",\"id\":");
    bytes.number(mark.job_number);
    if (mark.flow == Flow::End) {
        bytes.literal(",\"bp\":\"e\"");
    }
    bytes.character('}');
    output().commit(bytes.end());
}

void ChromeWriter::write_name(std::string_view kind, const Place& place, std::string_view name)
{
    TextBytes bytes = begin_line(most_event);
    output().commit(bytes.end());
    std::string line;
    report::append_json_text(line, name);
    output().write(fmt::format(
        "{{\"ph\":\"M\",\"pid\":{},\"tid\":{},\"name\":\"{}\",\"args\":{{\"name\":{}}}}}",
        place.pid, place.tid, kind, line));
}

} // namespace

std::unique_ptr<JobWriter> make_chrome_writer(const WriterContext& context)
{
    return std::make_unique<ChromeWriter>(context);
}

} // namespace lttng_gpu::exporting
