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
    explicit KeptItem(const RawEvent& event) : x_time{event.time}, x_what{event}
    {
        for (const FieldValue& field : event.fields) {
            x_values.push_back(keep(field));
        }
        std::get<RawEvent>(x_what).context.procname = keep(event.context.procname);
    }
    explicit KeptItem(const Loss& loss) : x_time{loss.begin}, x_what{loss} {}
    KeptItem(const KeptItem&) = delete;
    KeptItem& operator=(const KeptItem&) = delete;

    Timestamp time() const { return x_time; }

    void hand_out(EventConsumer& consumer)
    {
        if (const auto* loss = std::get_if<Loss>(&x_what)) {
            consumer.on_loss(*loss);
            return;
        }
        auto& event = std::get<RawEvent>(x_what);
        event.fields = x_values;
        consumer.on_event(event);
    }

private:
    FieldValue keep(const FieldValue& value) { return keep_value(value, x_texts); }

    Timestamp x_time;
    std::variant<RawEvent, Loss> x_what;
    std::vector<FieldValue> x_values;
    std::deque<std::string> x_texts;
};

} // namespace lttng_gpu::trace
