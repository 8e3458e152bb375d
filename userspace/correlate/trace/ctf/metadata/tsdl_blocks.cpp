// SPDX-License-Identifier: MIT
#include "tsdl_blocks.hpp"

#include "shown_name.hpp"

#include <charconv>
#include <fmt/format.h>
#include <limits>

namespace lttng_gpu::trace::ctf {
namespace {

constexpr std::size_t clock_limit = 1024; // looked up one by one

} // namespace

/// `name = value;` calls assign(name, at) with the lexer at the value, `name := type;`
/// calls type(name, at); types declared in between go to `types`.
template <typename Assign, typename Type>
void TsdlBlocks::read_entries(TsdlTypeParser* types, const Assign& assign, const Type& type)
{
    m_lexer.expect_symbol("{");
    while (!m_lexer.failed() && !m_lexer.take_symbol("}")) {
        if (types != nullptr && types->take_type_declaration()) {
            continue;
        }
        const bool is_quoted = m_lexer.peek().kind == TokenKind::Text;
        const TsdlValue name = is_quoted ? read_value(m_lexer) : read_name(m_lexer);
        if (types != nullptr && m_lexer.take_symbol(":=")) {
            type(std::string_view{name.text}, name.at);
        } else {
            m_lexer.expect_symbol("=");
            assign(std::string_view{name.text}, name.at);
        }
        m_lexer.expect_symbol(";");
    }
    m_lexer.expect_symbol(";");
}

template <typename Assign> void TsdlBlocks::read_assignments(const Assign& assign)
{
    read_entries(
        nullptr, [&](std::string_view name, std::size_t) { assign(name); },
        [](std::string_view, std::size_t) {});
}

std::string TsdlBlocks::read_text()
{
    const TsdlValue value = read_value(m_lexer);
    if (!value.is_text()) {
        m_lexer.fail(value.at, "a text");
    }
    return value.text;
}

std::int64_t TsdlBlocks::read_signed()
{
    const TsdlValue value = read_value(m_lexer);
    constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (value.is_text() || (!value.is_negative && value.number > largest)) {
        m_lexer.fail(value.at, "a signed number of 64 bits");
    }
    return static_cast<std::int64_t>(value.number);
}

bool TsdlBlocks::is_lttng() const
{
    return text_of(m_draft.environment, "tracer_name").starts_with("lttng");
}

void TsdlBlocks::read_env()
{
    read_assignments([&](std::string_view name) {
        const TsdlValue value = read_value(m_lexer);
        std::string text = value.text;
        if (!value.is_text()) {
            text = value.is_negative ? std::to_string(static_cast<std::int64_t>(value.number))
                                     : std::to_string(value.number);
        }
        m_draft.environment.insert_or_assign(std::string{name},
                                             EnvironmentValue{std::move(text), !value.is_text()});
    });
}

void TsdlBlocks::read_clock()
{
    const std::size_t at = m_lexer.peek().at;
    ClockClass clock;
    bool is_absolute = false;
    read_assignments([&](std::string_view name) { read_clock_entry(clock, is_absolute, name); });
    if (clock.name.empty()) {
        m_lexer.fail(at, "a clock with a name");
    }
    if (m_draft.clocks.size() == clock_limit) {
        m_lexer.fail(at, fmt::format("no more than {} clocks", clock_limit));
    }
    for (const ClockClass& other : m_draft.clocks) {
        if (other.name == clock.name) {
            m_lexer.fail(at, fmt::format("one clock named \"{}\" only", shown_name(clock.name)));
        }
    }
    // LTTng's monotonic clock is absolute without saying so (babeltrace2, visit_clock_decl()).
    clock.is_origin_unix_epoch = is_absolute || (is_lttng() && clock.name == "monotonic");
    const std::uint64_t seconds = clock.offset_cycles / clock.frequency;
    if (__builtin_add_overflow(clock.offset_seconds, seconds, &clock.offset_seconds)) {
        m_lexer.fail(at, "a clock whose offset is a signed number of 64 bits");
    }
    clock.offset_cycles %= clock.frequency;
    m_draft.clocks.push_back(std::move(clock));
}

void TsdlBlocks::read_clock_entry(ClockClass& clock, bool& is_absolute, std::string_view name)
{
    if (name == "name") {
        clock.name = read_text();
    } else if (name == "uuid") {
        clock.uid = read_text();
    } else if (name == "freq") {
        const std::size_t at = m_lexer.peek().at;
        clock.frequency = read_count(m_lexer, "a frequency in Hz");
        if (clock.frequency == 0) {
            clock.frequency = 1;
            m_lexer.fail(at, "a frequency that is not 0");
        }
    } else if (name == "offset_s") {
        clock.offset_seconds = read_signed();
    } else if (name == "offset") {
        clock.offset_cycles = read_count(m_lexer, "a number of cycles");
    } else if (name == "absolute") {
        is_absolute = read_truth(m_lexer);
    } else {
        read_value(m_lexer);
    }
}

void TsdlBlocks::read_trace(TsdlTypeParser& types)
{
    const auto assign = [&](std::string_view name, std::size_t) {
        const TsdlValue value = read_value(m_lexer);
        const bool is_major = name == "major";
        if (is_major || name == "minor") {
            const std::uint64_t known = is_major ? 1 : 8;
            if (value.is_text() || value.number != known) {
                m_lexer.fail(value.at, fmt::format("{} version {}, of CTF 1.8", name, known));
            }
        } else if (name == "uuid") {
            m_draft.uuid = uuid_value(value.text);
            if (!m_draft.uuid) {
                m_lexer.fail(value.at, "a UUID");
            }
        }
    };
    read_entries(&types, assign, [&](std::string_view name, std::size_t) {
        FieldDraftPtr type = types.read_type();
        if (name == "packet.header") {
            m_draft.packet_header = std::move(type);
        }
    });
}

void TsdlBlocks::read_stream(TsdlTypeParser& types)
{
    const std::size_t at = m_lexer.peek().at;
    StreamDraft stream;
    bool has_id = false;
    const auto assign = [&](std::string_view name, std::size_t) {
        if (name == "id") {
            has_id = true;
            stream.id = read_count(m_lexer, "a stream class id");
        } else {
            read_value(m_lexer);
        }
    };
    read_entries(&types, assign, [&](std::string_view name, std::size_t) {
        FieldDraftPtr type = types.read_type();
        if (name == "event.header") {
            stream.event_header = std::move(type);
        } else if (name == "event.context") {
            stream.common_context = std::move(type);
        } else if (name == "packet.context") {
            stream.packet_context = std::move(type);
        }
    });
    if (!has_id && !m_draft.streams.empty()) {
        m_lexer.fail(at, "an id for each of several stream classes");
    }
    add_stream(std::move(stream), at);
}

void TsdlBlocks::add_stream(StreamDraft stream, std::size_t at)
{
    if (!m_streams.emplace(stream.id, m_draft.streams.size()).second) {
        m_lexer.fail(at, fmt::format("one stream class with id {} only", stream.id));
        return;
    }
    m_draft.streams.push_back(std::move(stream));
    m_event_ids.emplace_back();
}

void TsdlBlocks::read_event(TsdlTypeParser& types)
{
    const std::size_t at = m_lexer.peek().at;
    EventDraft event;
    std::optional<std::uint64_t> stream_id;
    bool has_id = false;
    const auto assign = [&](std::string_view name, std::size_t) {
        if (name == "name") {
            event.name = read_text();
        } else if (name == "id") {
            has_id = true;
            event.id = read_count(m_lexer, "an event class id");
        } else if (name == "stream_id") {
            stream_id = read_count(m_lexer, "a stream class id");
        } else {
            read_value(m_lexer);
        }
    };
    read_entries(&types, assign, [&](std::string_view name, std::size_t) {
        FieldDraftPtr type = types.read_type();
        if (name == "fields") {
            event.payload = std::move(type);
        } else if (name == "context") {
            event.specific_context = std::move(type);
        }
    });
    StreamDraft* const stream = m_lexer.failed() ? nullptr : find_stream(stream_id, at);
    if (stream == nullptr) {
        return;
    }
    if (!has_id && !stream->events.empty()) {
        m_lexer.fail(at, "an id for each of several event classes");
    }
    auto& ids = m_event_ids[static_cast<std::size_t>(stream - m_draft.streams.data())];
    if (!ids.insert(event.id).second) {
        m_lexer.fail(at, fmt::format("one event class with id {} in stream class {} only", event.id,
                                     stream->id));
    }
    stream->events.push_back(std::move(event));
}

/// Without an id it is the only one, or one that the text does not mention.
StreamDraft* TsdlBlocks::find_stream(std::optional<std::uint64_t> id, std::size_t at)
{
    if (!id && m_draft.streams.empty()) {
        add_stream({}, at);
    }
    if (!id && m_draft.streams.size() == 1) {
        return m_draft.streams.data();
    }
    const auto found = id ? m_streams.find(*id) : m_streams.end();
    if (found == m_streams.end()) {
        m_lexer.fail(at, id ? fmt::format("a stream class with id {}", *id)
                            : "an event class with a stream_id, as there are several streams");
        return nullptr;
    }
    return &m_draft.streams[found->second];
}

std::optional<std::array<std::uint8_t, 16>> uuid_value(std::string_view written)
{
    std::array<std::uint8_t, 16> uuid{};
    for (std::size_t byte = 0; byte < uuid.size(); ++byte) {
        const bool has_hyphen = byte == 4 || byte == 6 || byte == 8 || byte == 10;
        if (has_hyphen && !written.starts_with('-')) {
            return {};
        }
        written.remove_prefix(has_hyphen ? 1 : 0);
        const std::string_view digits = written.substr(0, 2);
        const char* const end = digits.data() + digits.size();
        const auto [stop, error] = std::from_chars(digits.data(), end, uuid[byte], 16);
        if (error != std::errc{} || digits.size() != 2 || stop != end) {
            return {};
        }
        written.remove_prefix(2);
    }
    return written.empty() ? std::optional{uuid} : std::nullopt;
}

} // namespace lttng_gpu::trace::ctf
