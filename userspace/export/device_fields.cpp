// SPDX-License-Identifier: MIT
//
// See device_fields.hpp. What a job's row has, too, is taken from the table of its columns.
#include "device_fields.hpp"

#include "../correlate/report/job_columns.hpp"
#include "payload_fields.hpp"

namespace lttng_gpu::exporting {
namespace {

using report::job_place;
using report::never;

struct CallWords {
    std::string_view function;
    std::string_view kernel;
};

/// "clEnqueueNDRangeKernel(saxpy)", as the correlator words it.
CallWords split_call(std::string_view call)
{
    const std::size_t open = call.find('(');
    if (open == std::string_view::npos || !call.ends_with(')')) {
        return {call, {}};
    }
    return {call.substr(0, open), call.substr(open + 1, call.size() - open - 2)};
}

/// What the fields are taken from.
class EventRow : public report::JobRow {
public:
    EventRow(const DeviceEvent& event, model::RingNames& names)
        : JobRow{event.job, names}, m_basis{event.basis}
    {
    }

    std::string_view queue() const { return known_ring() ? text(known_ring()->name) : ""; }
    std::string_view function() const { return split_call(api_call()).function; }
    std::string_view kernel() const { return split_call(api_call()).kernel; }
    std::string_view basis() const { return report::basis_text(m_basis); }
    std::uint64_t error() const
    {
        return job().clock_error ? static_cast<std::uint64_t>(job().clock_error->value()) : 0;
    }

private:
    model::Basis m_basis;
};

template <typename Take>
constexpr auto event_field(const char* name, Take take, const char* meaning, const char* empty_when)
{
    return report::make_column<EventRow>(name, take, meaning, empty_when);
}

/// The column of that place in the table of jobs.
template <std::size_t place> constexpr auto job_field = std::get<place>(report::job_columns);

constexpr std::tuple command_fields{
    event_field("command", &EventRow::seqno, "its number in the events of the layer", "unknown"),
    job_field<job_place("pid")>,
    job_field<job_place("device")>,
    event_field("queue", &EventRow::queue, "the queue of the API", "unknown"),
    event_field("function", &EventRow::function, "the API call that enqueued it", "unknown"),
    event_field("kernel", &EventRow::kernel, "the kernel that it runs", "it runs none"),
    job_field<job_place("fault")>,
    event_field("error_ns", &EventRow::error, "its time may be off by up to this", never),
};

constexpr std::tuple job_fields{
    job_field<job_place("context")>,
    job_field<job_place("seqno")>,
    job_field<job_place("interval")>,
    job_field<job_place("pid")>,
    job_field<job_place("tid")>,
    job_field<job_place("comm")>,
    job_field<job_place("device")>,
    job_field<job_place("ring")>,
    job_field<job_place("driver")>,
    event_field("basis", &EventRow::basis, "where its time comes from", never),
    job_field<job_place("fault")>,
};

constexpr auto command_facts = facts_of(command_fields);
constexpr auto job_facts = facts_of(job_fields);

} // namespace

trace::Bt2FieldClassRef make_command_class(bt_trace_class* trace_class)
{
    return make_payload_class(trace_class, command_facts);
}

trace::Bt2FieldClassRef make_job_class(bt_trace_class* trace_class)
{
    return make_payload_class(trace_class, job_facts);
}

bool set_device_fields(bt_field* payload, const DeviceEvent& event, model::RingNames& names)
{
    const EventRow row{event, names};
    return event.is_command ? set_payload<command_fields>(payload, row)
                            : set_payload<job_fields>(payload, row);
}

} // namespace lttng_gpu::exporting
