// SPDX-License-Identifier: MIT
//
// See frames_sink.hpp.
#include "frames_sink.hpp"

#include "frame_summary.hpp"
#include "text_format.hpp"
#include "text_frames.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace lttng_gpu::report {
namespace {

constexpr std::size_t most_in_text = 10;

class CsvFrames final : public FramesSink {
public:
    using FramesSink::FramesSink;

    void begin() override
    {
        std::string header;
        for (const ColumnFacts& column : frame_column_facts) {
            header += header.empty() ? "" : ",";
            header += column.name;
        }
        output().write(header + "\n");
    }

private:
    void write_row(const FrameRow& row) override
    {
        std::string line;
        for_each_place<frame_column_facts.size()>([&](auto place) {
            line += place > 0 ? "," : "";
            append(line, std::get<place>(frame_columns).value(row));
        });
        output().write(line + "\n");
    }

    static void append(std::string& line, std::string_view text) { append_csv_cell(line, text); }
    template <typename Number> static void append(std::string& line, const Number& number)
    {
        if (!is_empty(number)) {
            line += fmt::to_string(plain_value(number));
        }
    }
};

class JsonFrames final : public FramesSink {
public:
    using FramesSink::FramesSink;

    void begin() override { output().write("["); }

private:
    void write_row(const FrameRow& row) override
    {
        std::string line = m_is_first ? "\n{" : ",\n{";
        for_each_place<frame_column_facts.size()>([&](auto place) {
            constexpr const auto& column = std::get<place>(frame_columns);
            line += fmt::format("{}\"{}\":", place > 0 ? "," : "", column.name);
            append(line, column.value(row));
        });
        output().write(line + "}");
        m_is_first = false;
    }
    void write_end() override { output().write(m_is_first ? "]\n" : "\n]\n"); }

    template <typename Value> static void append(std::string& line, const Value& value)
    {
        if (is_empty(value)) {
            line += "null";
        } else if constexpr (type_of<Value>() == ValueType::Text) {
            append_json_text(line, value);
        } else {
            line += fmt::to_string(plain_value(value));
        }
    }

    bool m_is_first = true;
};

class TextFrames final : public FramesSink {
public:
    using FramesSink::FramesSink;

private:
    void note(const model::Frame& frame) override { m_summary.add(frame); }

    static std::string length(const KnownDuration& length)
    {
        return length ? human_duration(*length) : std::string{"-"};
    }

    /// Rows come at the end.
    void write_row(const FrameRow& row) override
    {
        const model::Frame& frame = row.frame();
        constexpr double nanoseconds = 1e9;
        const double since = static_cast<double>(frame.end.value() - window_begin()) / nanoseconds;
        const std::string process = fmt::format(
            "{} {}", frame.actor.pid ? std::to_string(frame.actor.pid->value()) : "?", row.comm());
        m_rows +=
            fmt::format("  {:>13.9f} {:<14} {:>6} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {}\n", since,
                        shortened(process, 14), frame.number, length(frame.interval()),
                        length(frame.in_calls), length(frame.host_queue),
                        length(frame.device_queue), length(frame.execution_wall), length(frame.gpu),
                        frame.lateness == model::Lateness::Late ? frame_part_title(frame.late_by)
                                                                : std::string_view{});
    }

    void write_end() override
    {
        for (const SurfaceReport& surface : m_summary.finish(texts())) {
            output().write(surface_lines(surface));
        }
        if (!m_rows.empty()) {
            output().write(fmt::format(
                "\nthe latest frames\n  {:>13} {:<14} {:>6} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} "
                "{}\n",
                "end +s", "pid comm", "frame", "interval", "in calls", "host q", "device q", "exec",
                "GPU", "late by"));
            output().write(m_rows);
        } else if (frames() > 0) {
            output().write("\nno frame was late\n");
        }
    }

    FrameSummary m_summary;
    std::string m_rows;
};

/// By how much the frame took longer than usual; what is not known comes last.
std::int64_t excess_of(const model::Frame& frame)
{
    const auto interval = frame.interval();
    return interval && frame.cadence ? interval->value() - frame.cadence->value()
                                     : std::numeric_limits<std::int64_t>::min();
}

/// The latest first; of equal ones the earlier one.
bool is_before(const model::Frame& left, const model::Frame& right)
{
    const auto excess = std::pair{excess_of(left), excess_of(right)};
    return excess.first != excess.second ? excess.first > excess.second : left.end < right.end;
}

} // namespace

void FramesSink::on_frame(const model::Frame& frame)
{
    if (m_window.clip(frame.end) != frame.end) {
        return;
    }
    ++m_frames;
    note(frame);
    if (m_choice.is_late_only && frame.lateness != model::Lateness::Late) {
        return;
    }
    if (m_choice.most) {
        keep(frame);
    } else {
        write_row(FrameRow{frame, m_texts});
    }
}

void FramesSink::keep(const model::Frame& frame)
{
    m_latest.push_back(frame);
    std::ranges::push_heap(m_latest, is_before);
    if (m_latest.size() > *m_choice.most) {
        std::ranges::pop_heap(m_latest, is_before);
        m_latest.pop_back();
    }
}

void FramesSink::end()
{
    std::ranges::sort(m_latest, is_before);
    for (const model::Frame& frame : m_latest) {
        write_row(FrameRow{frame, m_texts});
    }
    write_end();
}

std::unique_ptr<FramesSink> make_frames_sink(Format format, const model::RingTable& texts,
                                             const Window& window, Output& output,
                                             FrameChoice choice)
{
    switch (format) {
    case Format::Csv:
        return std::make_unique<CsvFrames>(texts, window, output, choice);
    case Format::Json:
        return std::make_unique<JsonFrames>(texts, window, output, choice);
    case Format::Text:
        break;
    }
    choice.is_late_only = true; // all are in the summary
    choice.most = choice.most.value_or(most_in_text);
    return std::make_unique<TextFrames>(texts, window, output, choice);
}

} // namespace lttng_gpu::report
