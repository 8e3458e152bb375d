// SPDX-License-Identifier: MIT
//
// See feed.hpp.
#include "feed.hpp"

#include <algorithm>

namespace lttng_gpu::simulator {

Feed::Feed(const std::vector<trace::WantedEvent>& wanted)
{
    for (std::size_t index = 0; index < wanted.size(); ++index) {
        const auto name = std::find(names.begin(), names.end(), wanted[index].name);
        if (name == names.end()) {
            continue;
        }
        Plan plan;
        plan.wanted = index;
        for (const std::string& field : wanted[index].fields) {
            const auto found = std::find(field_names.begin(), field_names.end(), field);
            // "name" is a ring's, a thread's in the state dump
            const bool is_thread = *name == names[static_cast<std::size_t>(Name::ProcessState)];
            if (field == "name" && is_thread) {
                plan.fields.emplace_back(Field::CommName);
            } else if (found != field_names.end()) {
                plan.fields.emplace_back(static_cast<Field>(found - field_names.begin()));
            } else {
                plan.fields.emplace_back();
            }
        }
        m_plans[static_cast<std::size_t>(name - names.begin())] = std::move(plan);
    }
}

void Feed::play(const World& world, const Stream& stream, trace::EventConsumer& consumer) const
{
    auto loss = stream.losses.begin();
    const auto tell_losses_until = [&](Time time) {
        for (; loss != stream.losses.end() && loss->begin <= time; ++loss) {
            consumer.on_loss({Timestamp{loss->begin}, Timestamp{loss->end}, TraceId{},
                              Cpu{loss->cpu}, loss->unit, loss->count});
        }
    };
    for (const Event& event : stream.events) {
        tell_losses_until(event.time);
        play(world, stream, event, consumer);
    }
    tell_losses_until(never);
}

void Feed::play(const World& world, const Stream& stream, const Event& event,
                trace::EventConsumer& consumer) const
{
    const auto& plan = m_plans[static_cast<std::size_t>(event.name)];
    if (!plan) {
        return;
    }
    std::array<trace::FieldValue, 64> values;
    for (std::size_t place = 0; place < plan->fields.size(); ++place) {
        for (std::size_t value = 0; value < event.count; ++value) {
            if (plan->fields[place] == event.fields[value]) {
                values[place] = event.values[value];
            }
        }
    }
    trace::RawEvent raw;
    raw.time = Timestamp{event.time};
    raw.cpu = Cpu{event.cpu};
    raw.wanted = plan->wanted;
    raw.fields = {values.data(), plan->fields.size()};
    if (stream.has_contexts && event.thread != nobody) {
        const Thread& thread = thread_at(world, event.thread);
        raw.context = {trace::FieldValue{thread.pid},
                       trace::FieldValue{thread.tid},
                       trace::FieldValue{std::string_view{thread.name}},
                       {},
                       {},
                       {}};
    } else if (stream.has_contexts) {
        raw.context = {trace::FieldValue{std::int64_t{0}},
                       trace::FieldValue{std::int64_t{0}},
                       trace::FieldValue{std::string_view{"swapper/0"}},
                       {},
                       {},
                       {}};
    }
    consumer.on_event(raw);
}

} // namespace lttng_gpu::simulator
