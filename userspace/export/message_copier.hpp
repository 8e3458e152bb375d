// SPDX-License-Identifier: MIT
//
// Messages of the input traces, one after the other, as messages of the output traces.
// Sources are known by the names of their traces, which are their indices in the plan.
#pragma once

#include "output_trace.hpp"

#include <span>

namespace lttng_gpu::exporting {

class MessageCopier {
public:
    /// `kept` gets a reference to each output trace.
    MessageCopier(bt_self_message_iterator* iterator, bt_self_component* component,
                  const InputPlan& plan, std::vector<trace::Bt2KeptTraceRef>& kept);

    /// Before anything is copied: the stream beginnings that came first. Environments
    /// cannot grow once a trace has a stream.
    Expected<void> prepare(std::span<const trace::Bt2MessageRef> beginnings);
    /// Empty for a message that says nothing about a stream.
    Expected<trace::Bt2MessageRef> copy(const bt_message* message);

    /// Of a group of the plan; null when none of its traces has a stream.
    OutputTrace* output(std::size_t group) const { return m_outputs[group].get(); }

private:
    OutputTrace* make_output(std::size_t group);
    Expected<const InputSource*> source_of(const bt_trace* trace) const;
    Expected<trace::Bt2MessageRef> begin_stream(const bt_message* message);
    trace::Bt2MessageRef end_stream(const bt_message* message);
    trace::Bt2MessageRef begin_packet(const bt_message* message);
    trace::Bt2MessageRef end_packet(const bt_message* message);
    trace::Bt2MessageRef copy_event(const bt_message* message);
    trace::Bt2MessageRef copy_discarded_events(const bt_message* message);
    trace::Bt2MessageRef copy_discarded_packets(const bt_message* message);
    StreamCopy* at_stream(const bt_stream* original);

    bt_self_message_iterator* m_iterator;
    bt_self_component* m_component;
    const InputPlan& m_plan;
    std::vector<trace::Bt2KeptTraceRef>& m_kept;
    std::vector<std::unique_ptr<OutputTrace>> m_outputs; // by group
    std::unordered_map<const bt_stream*, std::unique_ptr<StreamCopy>> m_streams;
    const bt_stream* m_last_original = nullptr; // neighbours are often of one stream
    StreamCopy* m_last = nullptr;
};

} // namespace lttng_gpu::exporting
