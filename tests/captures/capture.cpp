// SPDX-License-Identifier: MIT
//
// See capture.hpp: reading a recording and the table of its jobs.
#include "capture.hpp"

#include "kernel_form.hpp"
#include "run/pipeline.hpp"
#include "trace/open/open_traces.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

namespace lttng_gpu::captures {
namespace {

/// What the correlator wants, and what else the kernel prints of these events.
std::vector<trace::WantedEvent> wanted_events()
{
    std::vector<trace::WantedEvent> all = run::Pipeline::wanted();
    for (trace::WantedEvent& wanted : all) {
        wanted.only_without_contexts = false;
        wanted.needs_contexts = true;
        for (const std::string& name : printed_fields(wanted.name)) {
            if (std::find(wanted.fields.begin(), wanted.fields.end(), name) ==
                wanted.fields.end()) {
                wanted.fields.push_back(name);
            }
        }
    }
    return all;
}

class Collector final : public trace::EventConsumer {
public:
    Collector(Capture& capture, const std::vector<trace::WantedEvent>& wanted)
        : m_capture{capture}, m_wanted{wanted}
    {
    }

    void on_event(const trace::RawEvent& raw) override
    {
        Event event;
        event.time = event.true_time = raw.time.value();
        event.cpu = raw.cpu.value();
        event.name = m_wanted[raw.wanted].name;
        for (std::size_t place = 0; place < raw.fields.size(); ++place) {
            add_field(event, m_wanted[raw.wanted].fields[place], raw.fields[place]);
        }
        event.pid = raw.context.pid.as_signed().value_or(unknown);
        event.tid = raw.context.tid.as_signed().value_or(unknown);
        event.comm = raw.context.procname.as_text();
        m_capture.cpus = std::max(m_capture.cpus, event.cpu + 1);
        m_capture.events.push_back(std::move(event));
    }
    void on_loss(const trace::Loss&) override
    {
        throw std::runtime_error{"the recording has gaps: its truth is not known"};
    }

private:
    static void add_field(Event& event, const std::string& name, const trace::FieldValue& value)
    {
        using Kind = trace::FieldValue::Kind;
        if (value.kind() == Kind::Text) {
            event.fields.push_back({name, std::string{value.as_text()}});
        } else if (value.kind() == Kind::Signed) {
            event.fields.push_back({name, *value.as_signed()});
        } else if (value.kind() == Kind::Unsigned) {
            event.fields.push_back({name, *value.as_unsigned()});
        }
    }

    Capture& m_capture;
    const std::vector<trace::WantedEvent>& m_wanted;
};

Time time_in(const std::map<std::string, std::string>& row, const std::string& column)
{
    const auto found = row.find(column);
    return found == row.end() || found->second.empty() ? unknown : std::stoll(found->second);
}

/// No text of these tables holds a comma or a quotation mark.
std::vector<std::string> cells_of(const std::string& line)
{
    std::vector<std::string> cells;
    std::stringstream rest{line};
    for (std::string cell; std::getline(rest, cell, ',');) {
        cells.push_back(cell);
    }
    return cells;
}

Interval interval_of(const std::map<std::string, std::string>& row)
{
    Interval interval;
    interval.queued = time_in(row, "queued_ns");
    interval.submitted = time_in(row, "submitted_ns");
    interval.started = time_in(row, "started_ns");
    interval.completed = time_in(row, "completed_ns");
    interval.began = time_in(row, "began_ns");
    if (interval.began == unknown) {
        interval.began = interval.started;
    }
    const Time until = time_in(row, "began_until_ns");
    interval.began_until = until == unknown ? interval.began : until;
    interval.status = row.at("status");
    return interval;
}

} // namespace

const Value* find_field(const Event& event, std::string_view name)
{
    const auto found = std::find_if(event.fields.begin(), event.fields.end(),
                                    [&](const Field& field) { return field.name == name; });
    return found == event.fields.end() ? nullptr : &found->value;
}

std::uint64_t number_of(const Event& event, std::string_view name)
{
    const Value* value = find_field(event, name);
    if (value == nullptr || value->index() == 2) {
        return 0;
    }
    return value->index() == 0 ? std::get<0>(*value)
                               : static_cast<std::uint64_t>(std::get<1>(*value));
}

void set_field(Event& event, std::string_view name, std::uint64_t value)
{
    for (Field& field : event.fields) {
        if (field.name == name) {
            field.value = value;
        }
    }
}

void Capture::sort()
{
    std::stable_sort(events.begin(), events.end(),
                     [](const Event& left, const Event& right) { return left.time < right.time; });
}

std::vector<const Event*> Capture::kept() const
{
    std::vector<const Event*> all;
    for (const Event& event : events) {
        if (event.is_kept) {
            all.push_back(&event);
        }
    }
    return all;
}

void stretch(Capture& capture, Time factor)
{
    constexpr Time begin = 100'000'000'000;
    const Time first = capture.first;
    capture.change_times([&](Time time) { return begin + (time - first) * factor; });
}

Capture read_capture(const std::filesystem::path& path)
{
    const std::vector<trace::WantedEvent> wanted = wanted_events();
    auto source = trace::open_traces({path}, wanted, {});
    if (!source) {
        throw std::runtime_error{source.error().message};
    }
    Capture capture;
    Collector collector{capture, wanted};
    for (bool has_more = true; has_more;) {
        const auto read = (*source)->read_some(collector);
        if (!read) {
            throw std::runtime_error{read.error().message};
        }
        has_more = *read;
    }
    if (capture.events.empty()) {
        throw std::runtime_error{path.string() + ": no events of GPUs"};
    }
    capture.has_contexts = std::any_of(capture.events.begin(), capture.events.end(),
                                       [](const Event& event) { return event.tid != unknown; });
    capture.first = capture.events.front().time;
    capture.last = capture.events.back().time;
    return capture;
}

std::vector<Job> read_jobs(const std::filesystem::path& path)
{
    std::ifstream file{path};
    std::string line;
    std::getline(file, line);
    const std::vector<std::string> columns = cells_of(line);
    std::vector<Job> jobs;
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::size_t> places;
    while (std::getline(file, line)) {
        const std::vector<std::string> cells = cells_of(line);
        std::map<std::string, std::string> row;
        for (std::size_t place = 0; place < columns.size(); ++place) {
            row[columns[place]] = place < cells.size() ? cells[place] : "";
        }
        Job job;
        job.device = row["device"];
        job.ring = row["ring"];
        job.context = row["context"].empty() ? 0 : std::stoull(row["context"]);
        job.seqno = row["seqno"].empty() ? 0 : std::stoull(row["seqno"]);
        job.pid = row["pid"];
        job.tid = row["tid"];
        job.comm = row["comm"];
        const auto [found, is_new] = places.try_emplace({job.context, job.seqno}, jobs.size());
        if (is_new || row["context"].empty()) {
            found->second = jobs.size();
            job.original = jobs.size();
            jobs.push_back(std::move(job));
        }
        jobs[found->second].intervals.push_back(interval_of(row));
    }
    if (jobs.empty()) {
        throw std::runtime_error{path.string() + ": no jobs"};
    }
    return jobs;
}

} // namespace lttng_gpu::captures
