// SPDX-License-Identifier: MIT
//
// Gives raw events, with the field names of the kernel, to the correlator and
// keeps what comes out. Field values are given by name and put into the order
// that the correlator asked for.
#pragma once

#include "job_story.hpp"
#include "run/pipeline.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <map>
#include <string>

namespace lttng_gpu::test {

/// A number that the trace names.
struct Labelled {
    std::uint64_t number = 0;
    std::string_view label;
};

/// A field value that a test may write as a number, a number with its label, or a text.
struct Value : trace::FieldValue {
    Value() = default;
    Value(std::uint64_t number) : FieldValue{number} {}
    Value(std::int64_t number) : FieldValue{number} {}
    Value(int number) : FieldValue{static_cast<std::uint64_t>(number)} {}
    Value(const char* text) : FieldValue{std::string_view{text}} {}
    Value(const Labelled& value) : FieldValue{value.number}, label{value.label} {}
    Value(const std::vector<std::uint64_t>& numbers)
        : FieldValue{trace::NumberList{numbers.data(), static_cast<std::uint32_t>(numbers.size())}}
    {
    }

    std::string_view label;
};
using Fields = std::map<std::string, Value>;

/// API calls are named by what is likely, too.
struct EstimatedCalls {};
inline constexpr EstimatedCalls estimated_calls;

class JobFeeder {
public:
    JobFeeder() { m_pipeline.start(m_sink); }
    explicit JobFeeder(EstimatedCalls /*are_wanted*/)
    {
        m_pipeline.set_estimates_calls(true);
        m_pipeline.start(m_sink);
    }

    JobFeeder& at(std::int64_t time, std::uint32_t cpu = 0)
    {
        m_time = Timestamp{time};
        m_cpu = Cpu{cpu};
        return *this;
    }
    JobFeeder& in(std::int64_t pid, std::int64_t tid, std::string_view procname)
    {
        m_context.pid = trace::FieldValue{pid};
        m_context.tid = trace::FieldValue{tid};
        m_context.procname = trace::FieldValue{procname};
        return *this;
    }
    /// The events that follow are of threads of that pid namespace.
    JobFeeder& in_namespace(std::uint64_t pid_ns)
    {
        m_context.pid_ns = trace::FieldValue{pid_ns};
        return *this;
    }
    JobFeeder& in_nobody()
    {
        m_context = {};
        return *this;
    }
    JobFeeder& with(const trace::ContextValues& context)
    {
        m_context = context;
        return *this;
    }
    JobFeeder& operator()(const std::string& name, const Fields& fields)
    {
        const auto spec = std::find_if(m_wanted.begin(), m_wanted.end(),
                                       [&](const auto& event) { return event.name == name; });
        REQUIRE_MESSAGE(spec != m_wanted.end(), name);
        for (const auto& [field, value] : fields) {
            const bool is_asked =
                std::find(spec->fields.begin(), spec->fields.end(), field) != spec->fields.end();
            m_unasked += is_asked ? 0 : 1;
        }
        std::vector<trace::FieldValue> values;
        for (const std::string& field : spec->fields) {
            const auto found = fields.find(field);
            values.push_back(found == fields.end() ? Value{} : named(found->second));
        }
        m_pipeline.on_event({m_time, m_trace, m_cpu,
                             static_cast<std::size_t>(spec - m_wanted.begin()), values, m_context});
        return *this;
    }
    JobFeeder& lose(std::int64_t begin, std::int64_t end, std::uint32_t cpu = 0,
                    trace::LossUnit unit = trace::LossUnit::Events)
    {
        m_pipeline.on_loss({Timestamp{begin}, Timestamp{end}, m_trace, Cpu{cpu}, unit, 1});
        return *this;
    }
    /// What the trace says of itself; what is empty it does not say.
    JobFeeder& facts(const trace::TraceFacts& facts)
    {
        m_pipeline.on_trace(m_trace, facts);
        return *this;
    }
    /// See TraceFacts.
    JobFeeder& clock_offset(std::int64_t offset) { return facts({{}, Duration{offset}, {}, {}}); }
    JobFeeder& kernel(const char* release) { return facts({release, {}, {}, {}}); }
    /// The events that follow are of that trace.
    JobFeeder& trace(std::uint32_t number)
    {
        m_trace = TraceId{number};
        return *this;
    }

    JobFeeder& find_out(model::CaptureFindings& findings)
    {
        m_pipeline.set_findings(findings);
        return *this;
    }
    JobFeeder& learn_from(const model::CaptureKnowledge& knowledge)
    {
        m_pipeline.learn_from(knowledge);
        return *this;
    }
    const model::RingTable& rings() const { return m_pipeline.rings(); }

    const std::vector<model::Job>& so_far() const { return m_sink.jobs; }
    const std::vector<model::Job>& jobs()
    {
        finish();
        return m_sink.jobs;
    }
    const std::vector<model::Dependency>& dependencies()
    {
        finish();
        return m_sink.dependencies;
    }
    const std::vector<model::Wait>& waits()
    {
        finish();
        return m_sink.waits;
    }
    const std::vector<model::OpenWait>& open_waits()
    {
        finish();
        return m_open_waits;
    }
    const std::vector<model::Frame>& frames()
    {
        finish();
        return m_sink.frames;
    }
    std::size_t frames_so_far() const { return m_sink.frames.size(); }
    const std::vector<model::ReturnedCall>& calls()
    {
        finish();
        return m_sink.calls;
    }
    const std::vector<model::CompletionNotice>& learned()
    {
        finish();
        return m_sink.learned;
    }
    /// How many jobs name their call; nothing: the trace has no calls.
    const std::optional<model::CallAccount>& call_account()
    {
        finish();
        return m_call_account;
    }
    /// Events of GPUs that no job is made of.
    const model::OtherEventAccount& others()
    {
        finish();
        return m_others;
    }
    std::uint64_t count(Anomaly anomaly) const { return m_pipeline.anomalies().at(anomaly); }
    std::uint64_t anomalies() const
    {
        std::uint64_t sum = 0;
        for (std::size_t at = 0; at < anomaly_texts.size(); ++at) {
            sum += m_pipeline.anomalies().at(static_cast<Anomaly>(at));
        }
        return sum;
    }
    std::string device(const model::Job& job) const { return text(rings().at(*job.ring).device); }
    std::string ring(const model::Job& job) const { return text(rings().at(*job.ring).name); }
    std::string shown(const model::Job& job) const { return text(rings().at(*job.ring).shown); }
    std::string driver(const model::Job& job) const { return text(rings().at(*job.ring).driver); }
    std::string comm(const model::Job& job) const { return text(job.actor.comm); }
    /// Without the mark of an estimate, which each must have.
    std::string api_call(const model::Job& job) const
    {
        std::string name = text(job.api_call);
        const bool is_marked = name.ends_with(model::estimated_mark);
        CHECK(is_marked == (job.api_call_basis == model::CallBasis::Estimated));
        name.resize(name.size() - (is_marked ? model::estimated_mark.size() : 0));
        return name;
    }
    std::uint64_t violations(const model::Job& job) const
    {
        return rings().at(*job.ring).fifo_violations;
    }

    std::string text(StringId id) const { return std::string{m_pipeline.strings().at(id)}; }

private:
    /// As a reader hands it out that knows the enumeration.
    trace::FieldValue named(const Value& value)
    {
        if (value.label.empty()) {
            return value;
        }
        const std::uint64_t number = *value.as_unsigned();
        return value.of_enumeration(
            m_pipeline.enumerations().add({false, {{number, number, std::string{value.label}}}}));
    }
    void finish()
    {
        if (!m_is_finished) {
            const report::TraceAccount account = m_pipeline.finish().account;
            m_call_account = account.calls;
            m_open_waits = account.open_waits;
            m_others = account.others;
            m_is_finished = true;
        }
    }

    CollectingSink m_sink;
    run::Pipeline m_pipeline;
    std::vector<trace::WantedEvent> m_wanted = run::Pipeline::wanted();
    Timestamp m_time;
    Cpu m_cpu;
    trace::ContextValues m_context;
    TraceId m_trace;
    int m_unasked = 0;
    bool m_is_finished = false;
    std::optional<model::CallAccount> m_call_account;
    std::vector<model::OpenWait> m_open_waits;
    model::OtherEventAccount m_others;
};

inline Value u(std::uint64_t value)
{
    return value;
}

/// What all events of fences have.
inline Fields fence(const char* driver, const char* timeline, std::uint64_t context,
                    std::uint64_t seqno)
{
    return {
        {"driver", driver}, {"timeline", timeline}, {"context", u(context)}, {"seqno", u(seqno)}};
}

} // namespace lttng_gpu::test
