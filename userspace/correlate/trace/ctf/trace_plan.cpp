// SPDX-License-Identifier: MIT
//
// See trace_plan.hpp. Names are compared here and never again.
#include "trace_plan.hpp"

#include "../wanted_pattern.hpp"
#include "header_form.hpp"
#include "located_body.hpp"

#include <algorithm>
#include <charconv>

namespace lttng_gpu::trace::ctf {
namespace {

/// Event ids that have a place in a table, as far as the metadata has events to fill it.
constexpr std::uint64_t small_ids = 1U << 16U;
constexpr std::uint64_t places_per_event = 16;
constexpr std::uint64_t places_at_least = 256;
constexpr std::uint64_t nanosecond = 1'000'000'000;

const Member* find_member(const FieldClassPtr& scope, std::string_view name)
{
    const auto* structure = scope == nullptr ? nullptr : std::get_if<StructureClass>(&scope->kind);
    if (structure == nullptr) {
        return nullptr;
    }
    const auto found = std::find_if(structure->members.begin(), structure->members.end(),
                                    [&](const Member& member) { return member.name == name; });
    return found == structure->members.end() ? nullptr : &*found;
}

/// A value that a slot can take: an integer, a real number or a text.
bool is_leaf(const FieldClass& type)
{
    if (const auto* array = std::get_if<ArrayClass>(&type.kind)) {
        return std::holds_alternative<IntegerClass>(array->element->kind) &&
               std::get<IntegerClass>(array->element->kind).is_character;
    }
    if (const auto* sequence = std::get_if<SequenceClass>(&type.kind)) {
        return is_number_list(type) ||
               (std::holds_alternative<IntegerClass>(sequence->element->kind) &&
                std::get<IntegerClass>(sequence->element->kind).is_character);
    }
    return !std::holds_alternative<StructureClass>(type.kind) &&
           !std::holds_alternative<VariantClass>(type.kind) &&
           !std::holds_alternative<OptionalClass>(type.kind);
}

Enumeration enumeration_of(const Labels& labels, bool is_signed)
{
    Enumeration enumeration{is_signed, {}};
    for (const auto& [label, ranges] : labels) {
        for (const ValueRange& range : ranges) {
            enumeration.enumerators.push_back({range.lower, range.upper, label});
        }
    }
    return enumeration;
}

/// 0 when the field is no enumeration.
std::uint32_t number_of_enumeration(const FieldClass& type, EnumerationTable& enumerations)
{
    const auto number = [&](const auto& integer) {
        return integer.labels == nullptr
                   ? 0
                   : enumerations.add(enumeration_of(*integer.labels, integer.is_signed));
    };
    if (const auto* integer = std::get_if<IntegerClass>(&type.kind)) {
        return number(*integer);
    }
    const auto* variable = std::get_if<VariableIntegerClass>(&type.kind);
    return variable == nullptr ? 0 : number(*variable);
}

/// A member of common or specific context and the slot it goes to.
struct ContextSlot {
    bool is_specific = false;
    std::string_view name; // of the schema
    std::uint32_t slot = EventPlan::none;
};

class EventPlanner {
public:
    /// Without a table values of enumerations are just numbers.
    EventPlanner(const StreamClass& stream, const EventClass& event, EnumerationTable* enumerations)
        : m_stream{stream}, m_event{event}, m_enumerations{enumerations}
    {
        m_plan.name = event.name;
    }

    void want(std::uint32_t index, const WantedEvent& event)
    {
        m_plan.wanted = index;
        if (event.needs_contexts) {
            // Kernel traces carry pid and tid, user space traces vpid and vtid.
            m_plan.pid_slot = find_context({"pid", "vpid"});
            m_plan.tid_slot = find_context({"tid", "vtid"});
            m_plan.procname_slot = find_context({"procname"});
            m_plan.pid_ns_slot = find_context({"pid_ns"});
            m_plan.vpid_slot = find_context({"vpid"});
            m_plan.vtid_slot = find_context({"vtid"});
            m_plan.has_namespace = m_plan.pid_ns_slot != EventPlan::none ||
                                   m_plan.vpid_slot != EventPlan::none ||
                                   m_plan.vtid_slot != EventPlan::none;
        }
        m_plan.context_count = m_plan.slot_count;
        for (const std::string& field : event.fields) {
            if (field == "*") {
                m_is_all = true;
                continue;
            }
            if (field == "$name") {
                m_plan.name_slot = m_plan.slot_count;
            }
            m_fields.push_back(field);
            ++m_plan.slot_count;
        }
        m_plan.field_count = static_cast<std::uint32_t>(m_fields.size());
        find_empty_slots();
    }

    EventPlan make()
    {
        PlanBuilder builder;
        builder.add_scope(m_stream.common_context.get(), context_chooser(false), m_is_all);
        builder.add_scope(m_event.specific_context.get(), context_chooser(true), m_is_all);
        builder.add_scope(
            m_event.payload.get(),
            [&](std::string_view name, const FieldClass& type) { return field_use(name, type); },
            m_is_all);
        m_plan.body = builder.finish();
        m_plan.is_simple = !m_is_all && make_segments();
        if (m_plan.is_simple) {
            locate_reads();
        }
        find_dense_reads();
        return std::move(m_plan);
    }

private:
    std::uint32_t find_context(std::initializer_list<std::string_view> names)
    {
        for (const std::string_view name : names) {
            for (const bool is_specific : {false, true}) {
                const Member* member = find_member(
                    is_specific ? m_event.specific_context : m_stream.common_context, name);
                if (member != nullptr && is_leaf(*member->type)) {
                    return slot_of_context(is_specific, member->name);
                }
            }
        }
        return EventPlan::none;
    }

    /// One that was found before keeps its slot.
    std::uint32_t slot_of_context(bool is_specific, std::string_view name)
    {
        for (const ContextSlot& context : m_contexts) {
            if (context.is_specific == is_specific && context.name == name) {
                return context.slot;
            }
        }
        m_contexts.push_back({is_specific, name, m_plan.slot_count});
        return m_plan.slot_count++;
    }

    LeafChooser context_chooser(bool is_specific) const
    {
        return [this, is_specific](std::string_view name, const FieldClass&) {
            for (const ContextSlot& context : m_contexts) {
                if (context.is_specific == is_specific && context.name == name) {
                    return LeafUse{Target::Slot, context.slot};
                }
            }
            return LeafUse{};
        };
    }

    LeafUse field_use(std::string_view name, const FieldClass& type) const
    {
        const auto found = std::find(m_fields.begin(), m_fields.end(), name);
        if (found == m_fields.end() || !is_leaf(type)) {
            return {};
        }
        return {Target::Slot,
                m_plan.context_count + static_cast<std::uint32_t>(found - m_fields.begin()),
                m_enumerations != nullptr ? number_of_enumeration(type, *m_enumerations) : 0};
    }

    void find_empty_slots()
    {
        for (std::uint32_t field = 0; field < m_plan.field_count; ++field) {
            const auto first = std::find(m_fields.begin(), m_fields.end(), m_fields[field]);
            const Member* member = find_member(m_event.payload, m_fields[field]);
            const bool is_read =
                member != nullptr && is_leaf(*member->type) && first == m_fields.begin() + field;
            if (!is_read) {
                m_plan.empty_slots.push_back(m_plan.context_count + field);
            }
        }
    }

    bool make_segments()
    {
        const Step* step = m_plan.body.steps.data() + m_plan.body.main.first;
        const Step* const end = step + m_plan.body.main.count;
        m_plan.segments.emplace_back();
        while (step != end) {
            if (step->op == Op::Run && is_bytes(*step)) {
                if (!add_run(*step)) {
                    return false;
                }
                step += 1 + step->index;
            } else if (step->op == Op::String && step->bits == 8) {
                Segment& segment = m_plan.segments.back();
                segment.has_string = true;
                segment.is_string_wanted = step->target == Target::Slot;
                segment.string_slot = step->index;
                m_plan.segments.emplace_back();
                ++step;
            } else {
                return false;
            }
        }
        if (m_plan.segments.size() > 1 && m_plan.segments.back().bytes == 0) {
            m_plan.segments.pop_back();
        }
        for (std::uint32_t index = 0; index < m_plan.segments.size(); ++index) {
            const Segment& segment = m_plan.segments[index];
            if (segment.integer_count + segment.text_count > 0 || segment.is_string_wanted) {
                m_plan.wanted_segments = index + 1;
            }
        }
        return true;
    }

    /// The reads of all segments as seen from the beginning of the body.
    void locate_reads()
    {
        if (m_plan.segments.size() > RecordForm::most_texts + 1) {
            return; // no FastEvent
        }
        const IntegerRead* integer = m_plan.integer_reads.data();
        const TextRead* text = m_plan.text_reads.data();
        std::uint64_t begin = 0;
        for (std::uint32_t index = 0; index < m_plan.segments.size(); ++index) {
            const Segment& segment = m_plan.segments[index];
            const std::uint32_t lane = index * TextSums::lane_bits;
            const auto offset = [begin](std::uint64_t in_segment) {
                return static_cast<std::uint32_t>(begin + in_segment);
            };
            for (std::uint32_t count = segment.integer_count; count > 0; --count, ++integer) {
                m_plan.located.integers.push_back(
                    {offset(integer->offset), lane, integer->slot, integer->mask, integer->sign});
            }
            for (std::uint32_t count = segment.text_count; count > 0; --count, ++text) {
                m_plan.located.texts.push_back(
                    {offset(text->offset), lane, text->slot, text->length});
            }
            if (segment.is_string_wanted) {
                m_plan.located.strings.push_back({offset(segment.bytes), lane, segment.string_slot,
                                                  index * RecordForm::length_bits});
            }
            begin += segment.bytes + 1; // and the zero of its text
        }
    }

    void find_dense_reads()
    {
        auto& reads = m_plan.integer_reads;
        if (!m_plan.is_simple || reads.empty() || reads.size() != m_plan.slot_count ||
            m_plan.wanted_segments != 1) {
            return;
        }
        std::sort(reads.begin(), reads.end(),
                  [](const auto& left, const auto& right) { return left.slot < right.slot; });
        m_plan.is_dense = true;
    }

    static bool is_bytes(const Step& run)
    {
        constexpr unsigned byte_alignment = 3;
        return run.bits <= byte_alignment && run.argument % 8 == 0;
    }

    bool add_run(const Step& run)
    {
        Segment& segment = m_plan.segments.back();
        for (const Step* step = &run + 1; step != &run + 1 + run.index; ++step) {
            const bool is_integer = step->op == Op::ReadByteAligned &&
                                    (step->byte_order == ByteOrder::Little || step->bits == 8);
            const bool is_text = step->op == Op::ReadText && step->bits == 8;
            if (step->target == Target::Kept) {
                continue; // who needs it makes a step that is not simple
            }
            if (step->target != Target::Slot || !(is_integer || is_text)) {
                return false;
            }
            const auto offset = static_cast<std::uint32_t>(segment.bytes + step->argument / 8);
            if (is_text) {
                m_plan.text_reads.push_back({offset, step->index, step->side});
                ++segment.text_count;
            } else {
                m_plan.integer_reads.push_back(
                    {offset, step->index,
                     FieldValue::tag_of(step->is_signed ? FieldValue::Kind::Signed
                                                        : FieldValue::Kind::Unsigned,
                                        step->side),
                     UINT64_MAX >> (64U - step->bits),
                     step->is_signed ? std::uint64_t{1} << (step->bits - 1U) : 0});
                m_plan.is_any_signed = m_plan.is_any_signed || step->is_signed;
                ++segment.integer_count;
            }
        }
        segment.bytes += run.argument / 8;
        return segment.bytes <= INT32_MAX; // sums of offsets fit into 32 bits, too
    }

    const StreamClass& m_stream;
    const EventClass& m_event;
    EnumerationTable* m_enumerations;
    EventPlan m_plan;
    std::vector<std::string> m_fields;
    std::vector<ContextSlot> m_contexts;
    bool m_is_all = false;
};

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

DecodePlan plan_scope_with_roles(const FieldClass* scope, bool with_cpu)
{
    PlanBuilder builder{true};
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

ClockMap::ClockMap(const ClockClass& clock) : m_frequency{clock.frequency}
{
    m_is_nanoseconds = m_frequency == nanosecond;
    std::int64_t seconds = 0;
    m_is_usable =
        m_frequency > 0 && !__builtin_mul_overflow(clock.offset_seconds,
                                                   static_cast<std::int64_t>(nanosecond), &seconds);
    if (!m_is_nanoseconds) {
        m_offset_cycles = clock.offset_cycles;
        m_offset = seconds;
        return;
    }
    m_is_usable =
        m_is_usable && clock.offset_cycles <= INT64_MAX &&
        !__builtin_add_overflow(seconds, static_cast<std::int64_t>(clock.offset_cycles), &m_offset);
}

bool ClockMap::scale(std::uint64_t cycles, std::int64_t& nanoseconds) const
{
    __extension__ using Wide = unsigned __int128;
    const Wide scaled = (static_cast<Wide>(cycles) + m_offset_cycles) * nanosecond / m_frequency;
    return scaled <= INT64_MAX &&
           !__builtin_add_overflow(static_cast<std::int64_t>(scaled), m_offset, &nanoseconds);
}

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
