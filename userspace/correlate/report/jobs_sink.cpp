// SPDX-License-Identifier: MIT
//
// See jobs_sink.hpp.
#include "jobs_sink.hpp"

#include "job_words.hpp"
#include "text_format.hpp"

#include <array>
#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>

namespace lttng_gpu::report {
namespace {

template <typename Number> std::string number_cell(const Known<Number>& value)
{
    return value ? fmt::format("{}", value->value()) : std::string{};
}

class CsvJobs final : public JobsSink {
public:
    using JobsSink::JobsSink;

    void begin() override
    {
        output().write("device,ring,driver,context,seqno,pid,tid,comm,queued_ns,submitted_ns,"
                       "started_ns,started_basis,completed_ns,completed_basis,status,api_call\n");
    }

private:
    void write_job(const model::Job& job) override
    {
        output().write(fmt::format(
            "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", csv_cell(device_of(job)),
            csv_cell(ring_of(job)), csv_cell(driver_of(job)), number_cell(job.fence.context),
            number_cell(job.fence.seqno), number_cell(job.actor.pid), number_cell(job.actor.tid),
            csv_cell(comm_of(job)), number_cell(job.queued), number_cell(job.submitted),
            number_cell(job.started), basis_text(job.started_basis), number_cell(job.completed),
            basis_text(job.completed_basis), status_text(job), csv_cell(api_call_of(job))));
    }
};

class JsonJobs final : public JobsSink {
public:
    using JobsSink::JobsSink;

    void begin() override { output().write("["); }
    void end() override { output().write(x_is_first ? "]\n" : "\n]\n"); }

private:
    using Json = nlohmann::ordered_json;

    template <typename Number> static Json number(const Known<Number>& value)
    {
        return value ? Json(value->value()) : Json(nullptr);
    }
    static Json text(std::string_view value) { return value.empty() ? Json(nullptr) : Json(value); }

    void write_job(const model::Job& job) override
    {
        Json row;
        row["device"] = text(device_of(job));
        row["ring"] = text(ring_of(job));
        row["driver"] = text(driver_of(job));
        row["context"] = number(job.fence.context);
        row["seqno"] = number(job.fence.seqno);
        row["pid"] = number(job.actor.pid);
        row["tid"] = number(job.actor.tid);
        row["comm"] = text(comm_of(job));
        row["queued_ns"] = number(job.queued);
        row["submitted_ns"] = number(job.submitted);
        row["started_ns"] = number(job.started);
        row["started_basis"] = basis_text(job.started_basis);
        row["completed_ns"] = number(job.completed);
        row["completed_basis"] = basis_text(job.completed_basis);
        row["status"] = status_text(job);
        row["api_call"] = text(api_call_of(job));
        row["runnable_ns"] = number(job.runnable);
        row["observed_ns"] = number(job.observed);
        row["interval"] = job.interval;
        row["fault"] = text(fault_text(job.fault));
        row["clock_error_ns"] = number(job.clock_error);
        output().write(x_is_first ? "\n" : ",\n");
        // Thread names are bytes, not always UTF-8.
        output().write(row.dump(-1, ' ', false, Json::error_handler_t::replace));
        x_is_first = false;
    }

    bool x_is_first = true;
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
        case model::JobStatus::Complete:
            break;
        }
        return "complete";
    }

    std::string status(const model::Job& job) const
    {
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
        if (!api_call_of(job).empty()) {
            text += fmt::format(", {}", api_call_of(job));
        }
        if (job.observed && job.completed) {
            text += ", observed +" + human_duration(*job.observed - *job.completed);
        }
        return text;
    }

    void write_job(const model::Job& job) override
    {
        constexpr double nanoseconds = 1e9;
        const double since =
            static_cast<double>((first_time(job) - window_begin()).value()) / nanoseconds;
        const std::string ring = fmt::format("{} {}", device_of(job), ring_of(job));
        const std::string process = fmt::format("{} {}", number_cell(job.actor.pid), comm_of(job));
        output().write(fmt::format(
            "{:>14.9f} {:<24} {:<22} {:>12} {:>9} {:>9} {:>9} {}\n", since, shortened(ring, 24),
            shortened(process, 22), number_cell(job.fence.seqno), phase(job.queued, job.submitted),
            phase(job.submitted, job.started), phase(job.started, job.completed), status(job)));
    }
};

} // namespace

void JobsSink::on_job(const model::Job& job)
{
    if (x_window.counts(job)) {
        write_job(job);
    }
}

std::string_view JobsSink::device_of(const model::Job& job) const
{
    return job.ring ? x_rings.text(x_rings.at(*job.ring).device) : std::string_view{};
}

std::string_view JobsSink::api_call_of(const model::Job& job) const
{
    return x_rings.text(job.api_call);
}

std::string_view JobsSink::ring_of(const model::Job& job)
{
    return job.ring ? x_names.of(*job.ring) : std::string_view{};
}

std::string_view JobsSink::driver_of(const model::Job& job) const
{
    return job.ring ? x_rings.text(x_rings.at(*job.ring).driver) : std::string_view{};
}

std::string_view JobsSink::comm_of(const model::Job& job) const
{
    return x_rings.text(job.actor.comm);
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
