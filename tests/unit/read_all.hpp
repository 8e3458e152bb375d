// SPDX-License-Identifier: MIT
//
// Reads an event source to its end and keeps what it handed out, texts copied.
#pragma once

#include "trace/event_source.hpp"

#include <deque>
#include <variant>

namespace lttng_gpu::test {

class Collector final : public trace::EventConsumer {
public:
    struct Event {
        trace::RawEvent raw; // its views point into `fields` and `texts`
        std::vector<trace::FieldValue> fields;
    };
    using Item = std::variant<Event, trace::Loss>;

    void on_event(const trace::RawEvent& event) override
    {
        Event kept{event, {}};
        for (const trace::FieldValue& field : event.fields) {
            kept.fields.push_back(keep(field));
        }
        kept.raw.context.procname = keep(event.context.procname);
        items.emplace_back(std::move(kept));
        auto& stored = std::get<Event>(items.back());
        stored.raw.fields = stored.fields;
    }
    void on_loss(const trace::Loss& loss) override { items.emplace_back(loss); }

    std::deque<Item> items;

private:
    trace::FieldValue keep(const trace::FieldValue& value)
    {
        if (value.kind() != trace::FieldValue::Kind::Text) {
            return value;
        }
        return trace::FieldValue{
            std::string_view{m_texts.emplace_back(std::string{value.as_text()})}};
    }

    std::deque<std::string> m_texts;
};

/// Nothing, or why reading stopped.
inline std::optional<Error> read_all(trace::EventSource& source, Collector& collector)
{
    for (;;) {
        const auto has_more = source.read_some(collector);
        if (!has_more) {
            return has_more.error();
        }
        if (!*has_more) {
            return {};
        }
    }
}

} // namespace lttng_gpu::test
