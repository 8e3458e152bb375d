// SPDX-License-Identifier: MIT
//
// See canonical_lines.hpp.
#include "canonical_lines.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <tuple>

namespace lttng_gpu::test {
namespace {

using trace::FieldValue;
using trace::NumberList;

void append_text(std::string& line, std::string_view text)
{
    constexpr char digits[] = "0123456789abcdef";
    line += '"';
    for (const char character : text) {
        const auto byte = static_cast<unsigned char>(character);
        if (byte < 0x20 || byte >= 0x7f || byte == '"' || byte == '\\') {
            line += "\\x";
            line += digits[byte >> 4U];
            line += digits[byte & 15U];
        } else {
            line += character;
        }
    }
    line += '"';
}

void append_real(std::string& line, double value)
{
    if (std::isnan(value)) { // which one is lost on the way from a float to a double
        line += "nan";
        return;
    }
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%a", value);
    line += text.data();
}

void append_numbers(std::string& line, const NumberList& numbers)
{
    line += '[';
    for (std::size_t index = 0; index < numbers.size(); ++index) {
        line += std::to_string(numbers[index]) + ',';
    }
    line += ']';
}

/// Signed numbers carry a sign, so that the two kinds of integers differ.
void append_value(std::string& line, const FieldValue& value)
{
    line += ' ';
    switch (value.kind()) {
    case FieldValue::Kind::None:
        line += "none";
        break;
    case FieldValue::Kind::Unsigned:
        line += std::to_string(*value.as_unsigned());
        break;
    case FieldValue::Kind::Signed:
        line += *value.as_signed() < 0 ? "" : "+";
        line += std::to_string(*value.as_signed());
        break;
    case FieldValue::Kind::Real:
        append_real(line, *value.as_real());
        break;
    case FieldValue::Kind::Text:
        append_text(line, value.as_text());
        break;
    case FieldValue::Kind::Numbers:
        append_numbers(line, value.as_numbers());
        break;
    }
}

std::string event_line(const trace::RawEvent& event, bool shows_contexts)
{
    std::string line = std::to_string(event.time.value()) + " cpu " +
                       std::to_string(event.cpu.value()) + ' ' +
                       std::string{event.fields.front().as_text()} + ':';
    for (const FieldValue& value : event.fields.subspan(1)) {
        append_value(line, value);
    }
    if (shows_contexts) {
        line += " | context";
        append_value(line, event.context.pid);
        append_value(line, event.context.tid);
        append_value(line, event.context.procname);
    }
    return line;
}

std::string time_text(std::optional<Timestamp> time)
{
    return time ? std::to_string(time->value()) : "none";
}

auto order_of(const trace::Loss& loss)
{
    return std::tuple{loss.begin.value(), loss.end.value(), loss.cpu.value(), loss.unit,
                      loss.count};
}

} // namespace

std::string loss_line(const trace::Loss& loss)
{
    return "lost cpu " + std::to_string(loss.cpu.value()) + " from " +
           std::to_string(loss.begin.value()) + " to " + std::to_string(loss.end.value()) +
           (loss.unit == trace::LossUnit::Events ? ": events " : ": packets ") +
           (loss.count ? std::to_string(*loss.count) : "unknown");
}

CanonicalLines::CanonicalLines(std::unique_ptr<trace::EventSource> source, bool shows_contexts)
    : m_source{std::move(source)}, m_shows_contexts{shows_contexts}
{
}

void CanonicalLines::on_event(const trace::RawEvent& event)
{
    const std::int64_t time = event.time.value();
    if (m_moments.empty() || m_moments.back().time != time) {
        m_moments.push_back({time, {}});
    }
    m_moments.back().lines.push_back(event_line(event, m_shows_contexts));
}

/// babeltrace2 knows no late begins, so they are only counted.
void CanonicalLines::on_loss(const trace::Loss& loss)
{
    if (loss.unit == trace::LossUnit::LateBegin) {
        ++m_late_begins;
        return;
    }
    m_losses.push_back(loss);
}

/// The last moment may still grow.
bool CanonicalLines::has_whole_moment() const
{
    return m_moments.size() > (m_is_at_end ? 0U : 1U);
}

std::optional<Moment> CanonicalLines::next()
{
    while (!has_whole_moment() && !m_is_at_end) {
        const auto has_more = m_source->read_some(*this);
        m_is_at_end = !has_more || !*has_more;
        if (!has_more) {
            m_error = has_more.error();
        }
        if (m_is_at_end) {
            std::sort(m_losses.begin(), m_losses.end(),
                      [](const trace::Loss& a, const trace::Loss& b) {
                          return order_of(a) < order_of(b);
                      });
        }
    }
    if (m_moments.empty()) {
        return {};
    }
    Moment moment = std::move(m_moments.front());
    m_moments.pop_front();
    std::sort(moment.lines.begin(), moment.lines.end());
    return moment;
}

std::string CanonicalLines::totals() const
{
    const trace::SourceTotals& totals = m_source->totals();
    return "events " + std::to_string(totals.events) + ", without clock " +
           std::to_string(totals.events_without_clock) + ", first " + time_text(totals.first) +
           ", last " + time_text(totals.last);
}

} // namespace lttng_gpu::test
