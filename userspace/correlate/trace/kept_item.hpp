// SPDX-License-Identifier: MIT
//
// Items of a source that outlive the call in which they were handed out: values are copied,
// with the texts and lists that they point to.
#pragma once

#include "event_source.hpp"

#include <deque>
#include <string>
#include <variant>
#include <vector>

namespace lttng_gpu::trace {

/// The value with what it points to in `texts`, a deque because that never moves its elements.
inline FieldValue keep_value(const FieldValue& value, std::deque<std::string>& texts)
{
    if (value.kind() == FieldValue::Kind::Numbers) {
        const NumberList numbers = value.as_numbers();
        const std::string& bytes =
            texts.emplace_back(reinterpret_cast<const char*>(numbers.bytes()), numbers.size() * 8);
        return FieldValue{NumberList{bytes.data(), static_cast<std::uint32_t>(numbers.size())}};
    }
    if (value.kind() != FieldValue::Kind::Text) {
        return value;
    }
    return FieldValue{std::string_view{texts.emplace_back(value.as_text())}};
}

/// An item whose values and texts are its own.
class KeptItem {
public:
    explicit KeptItem(const RawEvent& event) : m_time{event.time}, m_what{event}
    {
        for (const FieldValue& field : event.fields) {
            m_values.push_back(keep(field));
        }
        std::get<RawEvent>(m_what).context.procname = keep(event.context.procname);
    }
    explicit KeptItem(const Loss& loss) : m_time{loss.begin}, m_what{loss} {}
    KeptItem(const KeptItem&) = delete;
    KeptItem& operator=(const KeptItem&) = delete;

    Timestamp time() const { return m_time; }

    void hand_out(EventConsumer& consumer)
    {
        if (const auto* loss = std::get_if<Loss>(&m_what)) {
            consumer.on_loss(*loss);
            return;
        }
        auto& event = std::get<RawEvent>(m_what);
        event.fields = m_values;
        consumer.on_event(event);
    }

private:
    FieldValue keep(const FieldValue& value) { return keep_value(value, m_texts); }

    Timestamp m_time;
    std::variant<RawEvent, Loss> m_what;
    std::vector<FieldValue> m_values;
    std::deque<std::string> m_texts;
};

} // namespace lttng_gpu::trace
