// SPDX-License-Identifier: MIT
//
// See jobs_sink.hpp.
#include "jobs_sink.hpp"

#include "job_columns.hpp"
#include "screen.hpp"
#include "text_bytes.hpp"
#include "text_format.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <vector>

namespace lttng_gpu::report {
namespace {

template <typename Number> void append_number(std::string& line, Number value)
{
    const fmt::format_int digits{value};
    line.append(digits.data(), digits.size());
}

/// The text of a number that may be unknown.
template <typename Number> std::string number_cell(const Known<Number>& value)
{
    return value ? fmt::format("{}", value->value()) : std::string{};
}

class CsvJobs final : public JobsSink {
public:
    using JobsSink::JobsSink;

    void begin() override
    {
        std::string header;
        for (const ColumnFacts& column : job_column_facts) {
            if (column.is_in_csv()) {
                header += header.empty() ? "" : ",";
                header += column.name;
            }
        }
        output().write(header + "\n");
    }

private:
    void write_row(const JobRow& row) override
    {
        static_assert(job_column_facts.front().is_in_csv(), "commas come before the others");
        m_line.clear();
        for_each_place<job_column_facts.size()>([&](auto place) {
            constexpr const auto& column = std::get<place>(job_columns);
            if constexpr (column.is_in_csv()) {
                if constexpr (place > 0) {
                    m_line += ',';
                }
                append(column.value(row));
            }
        });
        m_line += '\n';
        output().write(m_line);
    }

    void append(std::string_view text) { append_csv_cell(m_line, text); }
    template <typename Number> void append(const Number& number)
    {
        if (!is_empty(number)) {
            append_number(m_line, plain_value(number));
        }
    }

    std::string m_line;
};

/// A column's name with what stands around it, made by the compiler.
template <std::size_t place> struct JsonKey {
    static constexpr std::string_view name = job_column_facts[place].name;
    static constexpr std::size_t size = name.size() + (place > 0 ? 4 : 3);

    static constexpr std::array<char, size + 1> make()
    {
        std::array<char, size + 1> text{};
        std::size_t end = 0;
        if (place > 0) {
            text[end++] = ',';
        }
        text[end++] = '"';
        for (const char character : name) {
            text[end++] = character;
        }
        text[end++] = '"';
        text[end] = ':';
        return text;
    }
    static constexpr std::array<char, size + 1> text = make();
};

/// Rows are written into room that is there, so nothing grows within one.
class JsonJobs final : public JobsSink {
public:
    using JobsSink::JobsSink;

    void begin() override { output().write("["); }
    void end() override
    {
        flush();
        output().write(m_is_first ? "]\n" : "\n]\n");
    }

private:
    static constexpr std::size_t most_fixed = 2048; // without texts
    static constexpr std::size_t enough = 1U << 16U;

    void write_row(const JobRow& row) override
    {
        const std::size_t most = most_fixed + most_texts(row);
        if (m_lines.size() - m_used < most) {
            flush();
            m_lines.resize(std::max(most, enough));
        }
        TextBytes bytes{m_lines.data() + m_used};
        if (m_is_first) {
            bytes.literal("\n{");
        } else {
            bytes.literal(",\n{");
        }
        for_each_place<job_column_facts.size()>([&](auto place) {
            bytes.text({JsonKey<place>::text.data(), JsonKey<place>::size});
            append(bytes, std::get<place>(job_columns).value(row));
        });
        bytes.character('}');
        m_used = static_cast<std::size_t>(bytes.end() - m_lines.data());
        m_is_first = false;
    }
    void flush()
    {
        output().write({m_lines.data(), m_used});
        m_used = 0;
    }

    template <typename Value> void append(TextBytes& bytes, const Value& value)
    {
        if (is_empty(value)) {
            bytes.literal("null");
        } else if constexpr (type_of<Value>() == ValueType::Text) {
            if (is_plain_json(value)) {
                bytes.character('"');
                bytes.text(value);
                bytes.character('"');
            } else {
                m_text.clear();
                append_json_text(m_text, value);
                bytes.text(m_text);
            }
        } else {
            bytes.number(plain_value(value));
        }
    }
    /// Of those that come from the trace: "\u0001" is six characters for one.
    static std::size_t most_texts(const JobRow& row)
    {
        constexpr std::size_t most_for_one = 6;
        return most_for_one * (row.device().size() + row.ring().size() + row.driver().size() +
                               row.comm().size() + row.api_call().size());
    }

    bool m_is_first = true;
    std::vector<char> m_lines = std::vector<char>(enough);
    std::size_t m_used = 0;
    std::string m_text;
};

class TextJobs final : public JobsSink {
public:
    using JobsSink::JobsSink;

    void begin() override
    {
        output().write(fmt::format("{:>14} {:<24} {:<22} {:>12} {:>9} {:>9} {:>9} {}\n",
                                   "queued +s", "device ring", "pid comm", "seqno", "host q",
                                   "device q", "execution", "status"));
    }

private:
    /// The length of a phase; empty when one of its ends is unknown.
    static std::string phase(std::optional<Timestamp> begin, std::optional<Timestamp> end)
    {
        return begin && end ? human_duration(*end - *begin) : std::string{"-"};
    }

    /// The device's name is cut, never the ring's: many devices of one name have one, and rings
    /// differ at their ends.
    static std::string place(const JobRow& row)
    {
        constexpr std::size_t width = 24;
        const std::string ring{row.ring()};
        const std::size_t taken = columns_of(ring) + 1;
        if (row.device().empty() || taken + 2 > width) {
            return ring;
        }
        return fmt::format("{} {}", shortened(row.device(), width - taken), ring);
    }

    static std::string_view ending(const model::Job& job)
    {
        switch (job.ending) {
        case model::Ending::Preempted:
            return "preempted";
        case model::Ending::Lost:
            return "lost: an event is in a gap of the trace";
        case model::Ending::Normal:
            break;
        }
        switch (status_of(job)) {
        case model::JobStatus::NoQueue:
            return "incomplete: no queue event";
        case model::JobStatus::NoSubmit:
            return "incomplete: no submit event";
        case model::JobStatus::NoComplete:
            return "incomplete: no completion event";
        case model::JobStatus::NoTimes:
            return "incomplete: times unknown";
        case model::JobStatus::Complete:
            break;
        }
        return "complete";
    }

    static std::string status(const JobRow& row)
    {
        const model::Job& job = row.job();
        std::string text{ending(job)};
        if (job.submitted && job.completed) {
            text += job.started_basis == model::Basis::Observed ? ""
                    : job.started                               ? ", start inferred"
                                                                : ", start unknown";
        }
        if (job.completed && job.completed_basis == model::Basis::Inferred) {
            text += ", end inferred";
        }
        if (job.fault != model::Fault::None) {
            text += fmt::format(
                ", {}", job.fault == model::Fault::TimedOut ? "timed out" : fault_text(job.fault));
        }
        if (!row.api_call().empty()) {
            text += fmt::format(", {}", row.api_call());
        }
        if (job.observed && job.completed) {
            text += ", observed +" + human_duration(*job.observed - *job.completed);
        }
        return text;
    }

    void write_row(const JobRow& row) override
    {
        const model::Job& job = row.job();
        constexpr double nanoseconds = 1e9;
        const double since =
            static_cast<double>((first_time(job) - window_begin()).value()) / nanoseconds;
        const std::string process = fmt::format("{} {}", number_cell(job.actor.pid), row.comm());
        output().write(fmt::format(
            "{:>14.9f} {:<24} {:<22} {:>12} {:>9} {:>9} {:>9} {}\n", since, place(row),
            shortened(process, 22), number_cell(job.fence.seqno), phase(job.queued, job.submitted),
            phase(job.submitted, job.started), phase(job.started, job.completed), status(row)));
    }
};

} // namespace

void JobsSink::on_job(const model::Job& job)
{
    if (m_window.counts(job)) {
        write_row(JobRow{job, m_names});
    }
}

std::unique_ptr<JobsSink> make_jobs_sink(Format format, const model::RingTable& rings,
                                         const Window& window, Output& output)
{
    switch (format) {
    case Format::Csv:
        return std::make_unique<CsvJobs>(rings, window, output);
    case Format::Json:
        return std::make_unique<JsonJobs>(rings, window, output);
    case Format::Text:
        break;
    }
    return std::make_unique<TextJobs>(rings, window, output);
}

} // namespace lttng_gpu::report
