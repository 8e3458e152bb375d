// SPDX-License-Identifier: MIT
//
// See output_trace.hpp.
#include "output_trace.hpp"

#include <algorithm>

namespace lttng_gpu::exporting {
namespace {

bool is_equal(const bt_value* left, const bt_value* right)
{
    return bt_value_is_equal(left, right) != BT_FALSE;
}

/// The name of a stream is the path of its file.
std::string stream_name(const bt_stream* original, const InputSource& source)
{
    const char* name = bt_stream_get_name(original);
    const std::string file =
        name == nullptr ? "stream" : std::filesystem::path{name}.filename().string();
    const std::string run = source.run > 0 ? "run" + std::to_string(source.run) + "-" : "";
    return run + source.label + "-" + file;
}

constexpr std::uint64_t nanoseconds = 1'000'000'000;
/// LTTng finds the offset of the same clock anew in each tracer, some microseconds
/// apart. What is further apart is not the same clock.
constexpr std::int64_t furthest_rebase = 10'000'000;

/// Nothing when it is far.
std::optional<std::int64_t> distance(const ClockOffset& from, const NanosecondClock& to)
{
    std::int64_t seconds = 0;
    if (__builtin_sub_overflow(from.seconds, to.seconds, &seconds) || seconds < -2 || seconds > 2) {
        return {};
    }
    constexpr std::uint64_t most_cycles = 10 * nanoseconds; // LTTng's are below a second
    if (from.cycles > most_cycles || to.cycles > most_cycles) {
        return {};
    }
    return seconds * static_cast<std::int64_t>(nanoseconds) +
           static_cast<std::int64_t>(from.cycles) - static_cast<std::int64_t>(to.cycles);
}

/// "run", or "run_2" where an earlier merge has left one.
std::string free_member_name(const bt_field_class* structure)
{
    std::string name = "run";
    for (unsigned number = 2;
         bt_field_class_structure_borrow_member_by_name_const(structure, name.c_str()) != nullptr;
         ++number) {
        name = "run_" + std::to_string(number);
    }
    return name;
}

} // namespace

std::unique_ptr<OutputTrace> OutputTrace::create(bt_self_component* component,
                                                 const InputGroup& group)
{
    std::unique_ptr<OutputTrace> made{new OutputTrace};
    made->m_component = component;
    made->m_group_clock = group.clock;
    made->m_class.reset(bt_trace_class_create(component));
    if (!made->m_class) {
        return {};
    }
    made->m_trace.reset(bt_trace_create(made->m_class.get()));
    made->m_copier = std::make_unique<FieldClassCopier>(made->m_class.get());
    if (!made->m_trace ||
        bt_trace_set_name(made->m_trace.get(), group.name.c_str()) != BT_TRACE_SET_NAME_STATUS_OK) {
        return {};
    }
    return made;
}

bool OutputTrace::add_environment(const bt_trace* original, const InputSource& source)
{
    const std::string label =
        (source.run > 0 ? "run" + std::to_string(source.run) + "_" : "") + source.label;
    const std::uint64_t count = bt_trace_get_environment_entry_count(original);
    for (std::uint64_t index = 0; index < count; ++index) {
        const char* name = nullptr;
        const bt_value* value = nullptr;
        bt_trace_borrow_environment_entry_by_index_const(original, index, &name, &value);
        auto entry = std::find_if(m_environment.begin(), m_environment.end(),
                                  [name](const Entry& known) { return known.name == name; });
        if (entry == m_environment.end()) {
            entry = m_environment.insert(entry, Entry{name, {}});
        }
        entry->values.emplace_back(label, value);
    }
    return true;
}

bool OutputTrace::set_entry(const std::string& name, const bt_value* value)
{
    const auto status = bt_value_is_string(value) != BT_FALSE
                            ? bt_trace_set_environment_entry_string(m_trace.get(), name.c_str(),
                                                                    bt_value_string_get(value))
                            : bt_trace_set_environment_entry_integer(
                                  m_trace.get(), name.c_str(), bt_value_integer_signed_get(value));
    return status == BT_TRACE_SET_ENVIRONMENT_ENTRY_STATUS_OK;
}

bool OutputTrace::settle_environment(const std::vector<std::pair<std::string, std::string>>& notes)
{
    bool is_good = true;
    for (const auto& [name, text] : notes) {
        is_good =
            bt_trace_set_environment_entry_string(m_trace.get(), name.c_str(), text.c_str()) ==
                BT_TRACE_SET_ENVIRONMENT_ENTRY_STATUS_OK &&
            is_good;
    }
    for (const Entry& entry : m_environment) {
        const bt_value* first = entry.values.front().second;
        const bool is_common =
            std::all_of(entry.values.begin(), entry.values.end(),
                        [first](const auto& value) { return is_equal(first, value.second); });
        if (is_common) {
            is_good = set_entry(entry.name, first) && is_good;
            continue;
        }
        for (const auto& [label, value] : entry.values) {
            std::string name = label + "_" + entry.name;
            std::replace(name.begin(), name.end(), '-', '_'); // an identifier in CTF 1.8
            is_good = set_entry(name, value) && is_good;
        }
    }
    m_environment.clear();
    return is_good;
}

std::unique_ptr<StreamCopy> OutputTrace::add_stream(const bt_stream* original,
                                                    const InputSource& source)
{
    StreamClassCopy* copy = stream_class_of(bt_stream_borrow_class_const(original), source);
    if (copy == nullptr) {
        return {};
    }
    auto stream = std::make_unique<StreamCopy>();
    stream->owner.reset(bt_stream_create(copy->owner.get(), m_trace.get()));
    stream->stream_class = copy;
    stream->group = source.group;
    stream->run = source.run;
    if (!stream->owner ||
        bt_stream_set_name(stream->owner.get(), stream_name(original, source).c_str()) !=
            BT_STREAM_SET_NAME_STATUS_OK) {
        return {};
    }
    return stream;
}

StreamClassCopy* OutputTrace::stream_class_of(const bt_stream_class* original,
                                              const InputSource& source)
{
    const auto found = m_stream_classes.find(original);
    if (found != m_stream_classes.end()) {
        return found->second.get();
    }
    const bt_trace_class* trace_class = bt_stream_class_borrow_trace_class_const(original);
    bt_trace_class_get_ref(trace_class);
    m_originals.emplace_back(trace_class);
    auto copy = std::make_unique<StreamClassCopy>();
    if (!copy_stream_class(original, source, *copy)) {
        return nullptr;
    }
    return m_stream_classes.emplace(original, std::move(copy)).first->second.get();
}

bool OutputTrace::copy_stream_class(const bt_stream_class* original, const InputSource& source,
                                    StreamClassCopy& copy)
{
    copy.owner.reset(bt_stream_class_create(m_class.get()));
    bt_stream_class* made = copy.owner.get();
    if (made == nullptr) {
        return false;
    }
    if (const char* name = bt_stream_class_get_name(original);
        name != nullptr &&
        bt_stream_class_set_name(made, name) != BT_STREAM_CLASS_SET_NAME_STATUS_OK) {
        return false;
    }
    if (const auto* clock = bt_stream_class_borrow_default_clock_class_const(original)) {
        bt_clock_class* clock_copy = clock_of(clock, source.shift_ns, copy.rebase);
        if (clock_copy == nullptr || bt_stream_class_set_default_clock_class(made, clock_copy) !=
                                         BT_STREAM_CLASS_SET_DEFAULT_CLOCK_CLASS_STATUS_OK) {
            return false;
        }
    }
    bt_stream_class_set_supports_packets(
        made, bt_stream_class_supports_packets(original),
        bt_stream_class_packets_have_beginning_default_clock_snapshot(original),
        bt_stream_class_packets_have_end_default_clock_snapshot(original));
    bt_stream_class_set_supports_discarded_events(
        made, bt_stream_class_supports_discarded_events(original),
        bt_stream_class_discarded_events_have_default_clock_snapshots(original));
    if (bt_stream_class_supports_packets(original) != BT_FALSE) {
        bt_stream_class_set_supports_discarded_packets(
            made, bt_stream_class_supports_discarded_packets(original),
            bt_stream_class_discarded_packets_have_default_clock_snapshots(original));
    }
    if (!copy_contexts(original, source, copy)) {
        return false;
    }
    const std::uint64_t count = bt_stream_class_get_event_class_count(original);
    for (std::uint64_t index = 0; index < count; ++index) {
        const auto* event = bt_stream_class_borrow_event_class_by_index_const(original, index);
        if (copy_event_class(event, copy) == nullptr) {
            return false;
        }
    }
    return true;
}

bool OutputTrace::copy_contexts(const bt_stream_class* original, const InputSource& source,
                                StreamClassCopy& copy)
{
    ScopeClasses scopes;
    bt_stream_class* made = copy.owner.get();
    const bool has_packets = bt_stream_class_supports_packets(original) != BT_FALSE;
    scopes.packet_context = bt_stream_class_borrow_packet_context_field_class_const(original);
    copy.has_run = source.run > 0 && has_packets;
    trace::Bt2FieldClassRef context;
    if (scopes.packet_context != nullptr) {
        context = m_copier->copy(scopes.packet_context, scopes);
    } else if (copy.has_run) {
        context.reset(bt_field_class_structure_create(m_class.get()));
    }
    if (copy.has_run && context) {
        const trace::Bt2FieldClassRef run{bt_field_class_integer_unsigned_create(m_class.get())};
        if (!run) {
            return false;
        }
        constexpr std::uint64_t bits = 8; // as few as a run number needs
        bt_field_class_integer_set_field_value_range(run.get(), bits);
        if (bt_field_class_structure_append_member(
                context.get(), free_member_name(context.get()).c_str(), run.get()) !=
            BT_FIELD_CLASS_STRUCTURE_APPEND_MEMBER_STATUS_OK) {
            return false;
        }
    }
    if (scopes.packet_context != nullptr || copy.has_run) {
        if (!context || bt_stream_class_set_packet_context_field_class(made, context.get()) !=
                            BT_STREAM_CLASS_SET_FIELD_CLASS_STATUS_OK) {
            return false;
        }
    }
    scopes.common_context = bt_stream_class_borrow_event_common_context_field_class_const(original);
    if (scopes.common_context == nullptr) {
        return true;
    }
    const trace::Bt2FieldClassRef common = m_copier->copy(scopes.common_context, scopes);
    return common && bt_stream_class_set_event_common_context_field_class(made, common.get()) ==
                         BT_STREAM_CLASS_SET_FIELD_CLASS_STATUS_OK;
}

bt_event_class* OutputTrace::event_class_of(StreamCopy& stream, const bt_event_class* original)
{
    const auto found = stream.stream_class->events.find(original);
    return found != stream.stream_class->events.end()
               ? found->second
               : copy_event_class(original, *stream.stream_class);
}

bt_event_class* OutputTrace::copy_event_class(const bt_event_class* original, StreamClassCopy& copy)
{
    const trace::Bt2EventClassRef owner{bt_event_class_create(copy.owner.get())};
    bt_event_class* made = owner.get();
    if (made == nullptr) {
        return nullptr;
    }
    const bt_stream_class* stream_class = bt_event_class_borrow_stream_class_const(original);
    const ScopeClasses scopes{
        bt_stream_class_borrow_packet_context_field_class_const(stream_class),
        bt_stream_class_borrow_event_common_context_field_class_const(stream_class),
        bt_event_class_borrow_specific_context_field_class_const(original),
        bt_event_class_borrow_payload_field_class_const(original)};
    bool is_good = true;
    if (const char* name = bt_event_class_get_name(original)) {
        is_good = bt_event_class_set_name(made, name) == BT_EVENT_CLASS_SET_NAME_STATUS_OK;
    }
    if (const char* uri = bt_event_class_get_emf_uri(original)) {
        is_good = is_good &&
                  bt_event_class_set_emf_uri(made, uri) == BT_EVENT_CLASS_SET_EMF_URI_STATUS_OK;
    }
    bt_event_class_log_level level{};
    if (bt_event_class_get_log_level(original, &level) == BT_PROPERTY_AVAILABILITY_AVAILABLE) {
        bt_event_class_set_log_level(made, level);
    }
    if (scopes.specific_context != nullptr) {
        const trace::Bt2FieldClassRef context = m_copier->copy(scopes.specific_context, scopes);
        is_good = is_good && context &&
                  bt_event_class_set_specific_context_field_class(made, context.get()) ==
                      BT_EVENT_CLASS_SET_FIELD_CLASS_STATUS_OK;
    }
    if (scopes.payload != nullptr) {
        const trace::Bt2FieldClassRef payload = m_copier->copy(scopes.payload, scopes);
        is_good = is_good && payload &&
                  bt_event_class_set_payload_field_class(made, payload.get()) ==
                      BT_EVENT_CLASS_SET_FIELD_CLASS_STATUS_OK;
    }
    if (!is_good) {
        return nullptr;
    }
    copy.events.emplace(original, made); // the stream class keeps it
    return made;
}

/// One for each stream class: sink.ctf.fs writes the clock of each, and names of clocks
/// differ in a trace.
bt_clock_class* OutputTrace::clock_of(const bt_clock_class* original, std::int64_t shift_ns,
                                      std::int64_t& rebase)
{
    const char* original_name = bt_clock_class_get_name(original);
    const std::string name = original_name == nullptr ? "clock" : original_name;
    const std::uint64_t frequency = bt_clock_class_get_frequency(original);
    ClockOffset offset;
    bt_clock_class_get_offset(original, &offset.seconds, &offset.cycles);
    if (m_group_clock && frequency == nanoseconds && shift_ns == 0) {
        const auto further = distance(offset, *m_group_clock);
        if (std::abs(further.value_or(INT64_MAX)) <= furthest_rebase) {
            rebase = *further;
            offset = {m_group_clock->seconds, m_group_clock->cycles};
        }
    }
    offset = shifted(offset, frequency, shift_ns);
    const auto same_names =
        std::ranges::count_if(m_clocks, [&](const Clock& clock) { return clock.name == name; });
    Clock clock{name, trace::Bt2ClockClassRef{bt_clock_class_create(m_component)}};
    bt_clock_class* made = clock.owner.get();
    if (made == nullptr) {
        return nullptr;
    }
    const std::string made_name =
        same_names == 0 ? name : name + "_" + std::to_string(same_names + 1);
    bt_clock_class_set_frequency(made, frequency);
    bt_clock_class_set_offset(made, offset.seconds, offset.cycles);
    bt_clock_class_set_precision(made, bt_clock_class_get_precision(original));
    bt_clock_class_set_origin_is_unix_epoch(made, bt_clock_class_origin_is_unix_epoch(original));
    if (const bt_uuid uuid = bt_clock_class_get_uuid(original)) {
        bt_clock_class_set_uuid(made, uuid);
    }
    const char* description = bt_clock_class_get_description(original);
    if (bt_clock_class_set_name(made, made_name.c_str()) != BT_CLOCK_CLASS_SET_NAME_STATUS_OK ||
        (description != nullptr && bt_clock_class_set_description(made, description) !=
                                       BT_CLOCK_CLASS_SET_DESCRIPTION_STATUS_OK)) {
        return nullptr;
    }
    if (m_earliest_clock == nullptr || std::pair{offset.seconds, offset.cycles} <
                                           std::pair{m_earliest.seconds, m_earliest.cycles}) {
        m_earliest_clock = made;
        m_earliest = offset;
    }
    m_clocks.push_back(std::move(clock));
    return made;
}

} // namespace lttng_gpu::exporting
