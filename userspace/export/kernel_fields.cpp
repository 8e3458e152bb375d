// SPDX-License-Identifier: MIT
//
// See kernel_fields.hpp.
#include "kernel_fields.hpp"

#include "../correlate/report/job_words.hpp"
#include "payload_fields.hpp"

#include <bit>
#include <cmath>

namespace lttng_gpu::exporting {
namespace {

using report::never;

/// What the fields are taken from.
class KernelRow {
public:
    explicit KernelRow(const KernelEvent& event)
        : m_record{event.record}, m_launch{*event.launch}, m_kernel{*event.kernel}
    {
    }

    std::uint64_t launch() const { return m_launch.number; }
    std::uint64_t command() const { return m_launch.command.value_or(0); }
    Known<Pid> pid() const { return Known<Pid>{Pid{m_launch.pid}}; }
    std::uint64_t device() const { return m_launch.device; }
    std::string_view kernel() const { return m_launch.name; }
    std::string_view basis() const { return report::basis_text(m_record.basis); }
    std::uint64_t error() const
    {
        return m_launch.begin_on_trace ? static_cast<std::uint64_t>(m_launch.error.value()) : 0;
    }

    std::uint64_t records() const { return m_launch.records; }
    std::uint64_t records_lost() const { return m_launch.lost_records; }
    std::uint64_t parts_lost() const { return m_launch.parts_lost; }
    std::uint64_t warps() const { return m_launch.warps; }
    std::uint64_t warps_most() const { return m_launch.most_warps; }
    std::uint64_t multiprocessors() const { return m_launch.places; }
    std::uint64_t tail() const { return m_launch.tail_ns; }
    std::uint64_t imbalance() const
    {
        return static_cast<std::uint64_t>(std::llround(m_launch.imbalance * 100));
    }

    std::uint64_t work_group() const { return m_record.group; }
    std::uint64_t warp() const { return m_record.warp; }
    std::uint64_t multiprocessor() const { return m_record.place; }

    std::uint64_t location() const { return m_record.location; }
    std::uint64_t count() const { return m_record.count; }
    std::uint64_t lanes() const { return m_launch.has_warps ? m_record.lanes : 0; }
    std::uint64_t lanes_active() const
    {
        return m_launch.has_warps ? static_cast<std::uint64_t>(std::popcount(m_record.lanes)) : 0;
    }
    std::uint64_t work_item() const { return m_launch.has_warps ? 0 : m_record.lanes; }
    std::string_view function() const { return named(location()).function; }
    std::uint64_t line() const { return named(location()).line; }

    // Of a Location, whose number is its place in the launch's list.
    std::uint64_t sum_location() const { return sum().location; }
    std::string_view sum_kind() const { return named(sum().location).kind; }
    std::string_view sum_function() const { return named(sum().location).function; }
    std::uint64_t sum_line() const { return named(sum().location).line; }
    std::uint64_t sum_column() const { return named(sum().location).column; }
    std::uint64_t executions() const { return sum().executions; }
    std::uint64_t lane_sum() const { return sum().lanes; }
    std::uint64_t time() const { return sum().ns; }

private:
    const device::LocationCount& sum() const { return m_launch.locations[m_record.location]; }
    const device::LocationSum& named(std::uint64_t number) const
    {
        static const device::LocationSum nothing;
        const auto found = m_kernel.locations.find(static_cast<std::uint32_t>(number));
        return found == m_kernel.locations.end() ? nothing : found->second;
    }

    const KernelRecord& m_record;
    const device::LaunchSum& m_launch;
    const device::KernelSum& m_kernel;
};

template <typename Take>
constexpr auto field(const char* name, Take take, const char* meaning,
                     const char* empty_when = never)
{
    return report::make_column<KernelRow>(name, take, meaning, empty_when);
}

constexpr auto launch_field = field("launch", &KernelRow::launch, "the launch's number");
constexpr auto pid_field = field("pid", &KernelRow::pid, "the process");
constexpr auto device_field =
    field("device_handle", &KernelRow::device, "as the layer's events have it", "unknown");
constexpr auto basis_field = field("basis", &KernelRow::basis, "where its time comes from");

constexpr std::tuple begin_fields{
    launch_field,
    field("command", &KernelRow::command, "its number in the events of the layer", "unknown"),
    pid_field,
    device_field,
    field("kernel", &KernelRow::kernel, "its name"),
    basis_field,
    field("error_ns", &KernelRow::error, "times inside may be off by up to this"),
};

constexpr std::tuple end_fields{
    launch_field,
    field("command", &KernelRow::command, "its number in the events of the layer", "unknown"),
    pid_field,
    device_field,
    field("kernel", &KernelRow::kernel, "its name"),
    field("records", &KernelRow::records, "that were read"),
    field("records_lost", &KernelRow::records_lost, "a full buffer"),
    field("parts_lost", &KernelRow::parts_lost, "by the tracer"),
    field("warps", &KernelRow::warps, "of which begin and end are known"),
    field("warps_most", &KernelRow::warps_most, "at once"),
    field("multiprocessors", &KernelRow::multiprocessors, "that ran some"),
    field("imbalance_percent", &KernelRow::imbalance, "the most busy one against the mean"),
    field("tail_ns", &KernelRow::tail, "from the first idle one to the end"),
    basis_field,
    field("error_ns", &KernelRow::error, "times inside may be off by up to this"),
};

constexpr std::tuple warp_fields{
    launch_field,
    pid_field,
    device_field,
    field("work_group", &KernelRow::work_group, "its number"),
    field("warp", &KernelRow::warp, "of the work-group"),
    field("multiprocessor", &KernelRow::multiprocessor, "that it ran on"),
    basis_field,
};

constexpr std::tuple record_fields{
    launch_field,
    pid_field,
    field("work_group", &KernelRow::work_group, "its number"),
    field("warp", &KernelRow::warp, "of the work-group"),
    field("multiprocessor", &KernelRow::multiprocessor, "that it ran on"),
    field("location", &KernelRow::location, "its number in the program"),
    field("function", &KernelRow::function, "that it is in", "unknown"),
    field("line", &KernelRow::line, "of the source", "unknown"),
    field("count", &KernelRow::count, "equal ones that followed one another"),
    field("lanes", &KernelRow::lanes, "a bit for each", "no warps are known"),
    field("lanes_active", &KernelRow::lanes_active, "how many", "no warps are known"),
    field("work_item", &KernelRow::work_item, "of the work-group", "warps are known"),
    basis_field,
};

constexpr std::tuple location_fields{
    launch_field,
    pid_field,
    field("kernel", &KernelRow::kernel, "its name"),
    field("location", &KernelRow::sum_location, "its number in the program"),
    field("kind", &KernelRow::sum_kind, "loop, branch, ...", "unknown"),
    field("function", &KernelRow::sum_function, "that it is in", "unknown"),
    field("line", &KernelRow::sum_line, "of the source", "unknown"),
    field("column", &KernelRow::sum_column, "of the source", "unknown"),
    field("executions", &KernelRow::executions, "by warps, or by work-items"),
    field("lanes", &KernelRow::lane_sum, "active ones, summed over these", "no warps are known"),
    field("time_ns", &KernelRow::time, "of warps", "no times were recorded"),
    basis_field,
};

constexpr auto begin_facts = facts_of(begin_fields);
constexpr auto end_facts = facts_of(end_fields);
constexpr auto warp_facts = facts_of(warp_fields);
constexpr auto record_facts = facts_of(record_fields);
constexpr auto location_facts = facts_of(location_fields);

std::span<const report::ColumnFacts> facts_for(KernelStage stage)
{
    switch (stage) {
    case KernelStage::Begin:
        return begin_facts;
    case KernelStage::Record:
        return record_facts;
    case KernelStage::Location:
        return location_facts;
    case KernelStage::End:
        return end_facts;
    case KernelStage::WarpBegin:
    case KernelStage::WarpEnd:
        break;
    }
    return warp_facts;
}

} // namespace

trace::Bt2FieldClassRef make_kernel_class(bt_trace_class* trace_class, KernelStage stage)
{
    return make_payload_class(trace_class, facts_for(stage));
}

bool set_kernel_fields(bt_field* payload, const KernelEvent& event)
{
    const KernelRow row{event};
    switch (event.record.stage) {
    case KernelStage::Begin:
        return set_payload<begin_fields>(payload, row);
    case KernelStage::Record:
        return set_payload<record_fields>(payload, row);
    case KernelStage::Location:
        return set_payload<location_fields>(payload, row);
    case KernelStage::End:
        return set_payload<end_fields>(payload, row);
    case KernelStage::WarpBegin:
    case KernelStage::WarpEnd:
        break;
    }
    return set_payload<warp_fields>(payload, row);
}

} // namespace lttng_gpu::exporting
