// SPDX-License-Identifier: MIT
//
// One trace of the output: takes in the streams of several input traces, each with its
// classes made again under a new trace class. What the inputs' environments agree on
// stays as it is; what they do not is kept per input ("ust_tracer_name").
#pragma once

#include "clock_offset.hpp"
#include "field_class_copy.hpp"
#include "input_plan.hpp"

#include "../correlate/trace/bt2/ref.hpp"

#include <memory>

namespace lttng_gpu::exporting {

/// An input stream class in the output.
struct StreamClassCopy {
    trace::Bt2StreamClassRef owner;
    std::unordered_map<const bt_event_class*, bt_event_class*> events; // borrowed both
    std::int64_t rebase = 0; // what its clock's values become more, on the copy's clock
    bool has_run = false;    // its packets tell the run as last member of their context
};

/// An input stream in the output, with the packet that is being copied.
struct StreamCopy {
    trace::Bt2StreamRef owner;
    trace::Bt2PacketRef packet;
    StreamClassCopy* stream_class = nullptr;
    std::size_t group = 0; // of the plan
    std::size_t run = 0;
};

class OutputTrace {
public:
    /// Null when memory is short.
    static std::unique_ptr<OutputTrace> create(bt_self_component* component,
                                               const InputGroup& group);

    /// Before the first stream is added.
    bool add_environment(const bt_trace* original, const InputSource& source);
    bool settle_environment(const std::vector<std::pair<std::string, std::string>>& notes);

    std::unique_ptr<StreamCopy> add_stream(const bt_stream* original, const InputSource& source);
    /// The copy of an event class of a stream that was added; null when memory is short.
    bt_event_class* event_class_of(StreamCopy& stream, const bt_event_class* original);

    bt_trace_class* trace_class() const { return m_class.get(); }
    bt_trace* trace() const { return m_trace.get(); }
    /// That whose zero is the earliest, so that it has a value for every time in the
    /// trace; null before the first stream with a clock.
    const bt_clock_class* earliest_clock() const { return m_earliest_clock; }

private:
    struct Entry {
        std::string name;
        std::vector<std::pair<std::string, const bt_value*>> values; // by label of the source
    };
    struct Clock {
        std::string name; // the original's
        trace::Bt2ClockClassRef owner;
    };

    StreamClassCopy* stream_class_of(const bt_stream_class* original, const InputSource& source);
    bool copy_stream_class(const bt_stream_class* original, const InputSource& source,
                           StreamClassCopy& copy);
    bool copy_contexts(const bt_stream_class* original, const InputSource& source,
                       StreamClassCopy& copy);
    bt_event_class* copy_event_class(const bt_event_class* original, StreamClassCopy& copy);
    bt_clock_class* clock_of(const bt_clock_class* original, std::int64_t shift_ns,
                             std::int64_t& rebase);
    bool set_entry(const std::string& name, const bt_value* value);

    OutputTrace() = default;

    bt_self_component* m_component = nullptr;
    std::optional<NanosecondClock> m_group_clock;
    trace::Bt2TraceClassRef m_class;
    trace::Bt2TraceRef m_trace;
    std::unique_ptr<FieldClassCopier> m_copier;
    std::vector<Entry> m_environment;
    std::vector<Clock> m_clocks;
    const bt_clock_class* m_earliest_clock = nullptr;
    ClockOffset m_earliest;
    std::unordered_map<const bt_stream_class*, std::unique_ptr<StreamClassCopy>> m_stream_classes;
    // Copies go by the addresses of originals, which must not be used again.
    std::vector<trace::Bt2KeptTraceClassRef> m_originals;
};

} // namespace lttng_gpu::exporting
