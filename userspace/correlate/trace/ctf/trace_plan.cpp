// SPDX-License-Identifier: MIT
//
// See trace_plan.hpp.
#include "trace_plan.hpp"

#include "../wanted_pattern.hpp"
#include "event_header_form.hpp"
#include "event_planner.hpp"

#include <algorithm>
#include <charconv>

namespace lttng_gpu::trace::ctf {
namespace {

/// Event ids that have a place in a table, as far as the metadata has events to fill it.
constexpr std::uint64_t small_ids = 1U << 16U;
constexpr std::uint64_t places_per_event = 16;
constexpr std::uint64_t places_at_least = 256;

/// The entry of an event by its name, else by a pattern.
std::optional<std::size_t> find_wanted(const std::vector<WantedEvent>& wanted,
                                       std::string_view name)
{
    for (std::size_t index = 0; index < wanted.size(); ++index) {
        if (wanted[index].name == name) {
            return index;
        }
    }
    return find_pattern(wanted, name);
}

/// Whether each wanted event of the trace comes with pid, tid and procname, not
/// counting those that are wanted only because others may lack them.
bool have_contexts(const Schema& schema, const std::vector<WantedEvent>& wanted)
{
    for (const StreamClass& stream : schema.streams) {
        for (const EventClass& event : stream.events) {
            const auto index = find_wanted(wanted, event.name);
            if (!index || wanted[*index].only_without_contexts ||
                (!wanted[*index].needs_contexts && wanted[*index].name != event.name)) {
                continue;
            }
            const auto has = [&](std::string_view name) {
                return find_member(stream.common_context, name) != nullptr ||
                       find_member(event.specific_context, name) != nullptr;
            };
            if (!(has("pid") || has("vpid")) || !(has("tid") || has("vtid")) || !has("procname")) {
                return false;
            }
        }
    }
    return true;
}

void plan_events(const StreamClass& stream, const std::vector<WantedEvent>& wanted,
                 StreamPlan& plan, bool has_contexts, EnumerationTable* enumerations)
{
    const std::uint64_t places =
        std::min(small_ids, places_at_least + places_per_event * stream.events.size());
    plan.events.reserve(stream.events.size());
    for (const EventClass& event : stream.events) {
        EventPlanner planner{stream, event, enumerations};
        const auto index = find_wanted(wanted, event.name);
        if (index && !(has_contexts && wanted[*index].only_without_contexts)) {
            planner.want(static_cast<std::uint32_t>(*index), wanted[*index]);
        }
        plan.events.push_back(planner.make());
        const EventPlan& made = plan.events.back();
        plan.max_slot_count = std::max(plan.max_slot_count, made.slot_count);
        if (event.id >= places) {
            plan.by_large_id.emplace(event.id, &made);
            continue;
        }
        if (plan.by_small_id.size() <= event.id) {
            plan.by_small_id.resize(event.id + 1);
        }
        plan.by_small_id[event.id] = &made;
    }
}

/// Nothing when the fast loop cannot go over events of the class.
std::optional<FastEvent> make_fast_event(const EventPlan& event)
{
    FastEvent fast{&event, 0, 0, event.wanted != EventPlan::none, {}};
    for (std::size_t index = 0; index < event.segments.size(); ++index) {
        const Segment& segment = event.segments[index];
        if (segment.bytes > FastEvent::most_bytes || index > FastEvent::most_strings) {
            return {};
        }
        (index == 0 ? fast.bytes : fast.bytes_behind[index - 1]) =
            static_cast<std::uint16_t>(segment.bytes);
        fast.strings = static_cast<std::uint8_t>(fast.strings + (segment.has_string ? 1 : 0));
    }
    return fast.strings > FastEvent::most_strings ? std::nullopt : std::optional{fast};
}

void plan_fast_events(StreamPlan& plan)
{
    plan.fast_events.resize(plan.by_small_id.size());
    for (std::size_t id = 0; id < plan.by_small_id.size(); ++id) {
        const EventPlan* event = plan.by_small_id[id];
        // In a header, the id that marks a long one is not that of a class.
        if (event == nullptr || !event->is_simple || id == mark_of_long_header(plan.header_form)) {
            continue;
        }
        if (const auto fast = make_fast_event(*event)) {
            plan.fast_events[id] = *fast;
            plan.needs_lengths = plan.needs_lengths || (fast->is_wanted && !event->is_dense);
            plan.max_fast_bytes = std::max<std::uint32_t>(plan.max_fast_bytes, fast->bytes);
            plan.max_bytes_behind = std::max<std::uint32_t>(
                plan.max_bytes_behind,
                *std::max_element(fast->bytes_behind.begin(), fast->bytes_behind.end()));
        }
    }
}

StructurePlan plan_scope_with_roles(const FieldClass* scope, bool with_cpu)
{
    StructurePlanBuilder builder{true};
    builder.add_scope(
        scope,
        [&](std::string_view name, const FieldClass& type) {
            const bool is_cpu = with_cpu && name == "cpu_id" && is_leaf(type);
            return is_cpu ? LeafUse{Target::Slot, cpu_slot} : LeafUse{};
        },
        false);
    return builder.finish();
}

/// lttng-modules before 2.9.13, 2.10.10 and 2.11 and LTTng-UST before 2.11 could
/// write an event later than the end of its packet.
bool is_end_binding(const Environment& environment)
{
    const auto number = [&](const char* name) {
        const std::string_view text = text_of(environment, name);
        int value = -1;
        std::from_chars(text.data(), text.data() + text.size(), value);
        return value;
    };
    const bool is_lttng = text_of(environment, "tracer_name").starts_with("lttng-");
    const int major = number("tracer_major");
    return is_lttng && (major > 2 || (major == 2 && number("tracer_minor") >= 12));
}

} // namespace

const StreamPlan* TracePlan::find(std::uint64_t stream_class) const
{
    const auto found = std::find_if(streams.begin(), streams.end(), [&](const StreamPlan& plan) {
        return plan.id == stream_class;
    });
    return found == streams.end() ? nullptr : &*found;
}

std::unique_ptr<TracePlan> make_trace_plan(const Schema& schema,
                                           const std::vector<WantedEvent>& wanted,
                                           EnumerationTable* enumerations)
{
    auto plan = std::make_unique<TracePlan>();
    plan->uuid = schema.uuid;
    plan->register_count = schema.register_count;
    plan->is_packet_end_binding = is_end_binding(schema.environment);
    plan->packet_header = plan_scope_with_roles(schema.packet_header.get(), false);
    plan->has_contexts = have_contexts(schema, wanted);
    plan->streams.reserve(schema.streams.size());
    for (const StreamClass& stream : schema.streams) {
        StreamPlan& made = plan->streams.emplace_back();
        made.id = stream.id;
        made.packet_context = plan_scope_with_roles(stream.packet_context.get(), true);
        made.header_form = recognise_header(stream.event_header.get());
        made.event_header = plan_scope_with_roles(stream.event_header.get(), false);
        if (stream.clock && *stream.clock < schema.clocks.size()) {
            made.clock = ClockMap{schema.clocks[*stream.clock]};
        }
        plan_events(stream, wanted, made, plan->has_contexts, enumerations);
        plan_fast_events(made);
        made.needs_outer_values =
            needs_outer_registers(made.event_header) ||
            std::any_of(made.events.begin(), made.events.end(),
                        [](const EventPlan& event) { return needs_outer_registers(event.body); });
        if (made.needs_outer_values) {
            made.header_form = HeaderForm::Steps; // the other forms keep nothing
        }
    }
    return plan;
}

} // namespace lttng_gpu::trace::ctf
