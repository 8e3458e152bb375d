// SPDX-License-Identifier: MIT
#include "ctf2_reader.hpp"

#include "ctf2_fields.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unordered_set>

namespace lttng_gpu::trace::ctf {
namespace {

constexpr char record_separator = '\x1e';
// Three levels for each level of fields, and some for attributes.
constexpr std::size_t json_depth_limit = 256;

class Ctf2Reader {
public:
    Ctf2Reader() : m_fields(m_json) { m_draft.is_tsdl = false; }

    Expected<SchemaDraft> read(std::string_view text);

private:
    void read_fragment(std::string_view text);
    void read_object(const JsonPlace& fragment);
    void read_preamble(const JsonPlace& fragment);
    void read_trace_class(const JsonPlace& fragment);
    void read_environment(const JsonPlace& environment);
    void read_clock_class(const JsonPlace& fragment);
    void read_stream_class(const JsonPlace& fragment);
    void read_event_class(const JsonPlace& fragment);

    JsonReader m_json;
    Ctf2Fields m_fields;
    SchemaDraft m_draft;
    std::size_t m_fragment = 0;
    bool m_has_trace_class = false;
    std::unordered_map<std::string, std::size_t> m_clocks;      // index by id
    std::unordered_map<std::uint64_t, std::size_t> m_streams;   // index by id
    std::vector<std::unordered_set<std::uint64_t>> m_event_ids; // of each stream
};

bool is_too_deep(std::string_view json)
{
    std::size_t depth = 0;
    bool is_in_text = false;
    for (std::size_t at = 0; at < json.size(); ++at) {
        const char c = json[at];
        if (is_in_text) {
            at += c == '\\' ? 1 : 0;
            is_in_text = c != '"';
        } else if (c == '"') {
            is_in_text = true;
        } else if (c == '{' || c == '[') {
            if (++depth > json_depth_limit) {
                return true;
            }
        } else if ((c == '}' || c == ']') && depth > 0) {
            --depth;
        }
    }
    return false;
}

Expected<SchemaDraft> Ctf2Reader::read(std::string_view text)
{
    while (!text.empty() && !m_json.failed()) {
        text.remove_prefix(1); // the separator
        const std::string_view fragment = text.substr(0, text.find(record_separator));
        text.remove_prefix(fragment.size());
        // RFC 7464, section 2.1: there may be several separators.
        if (fragment.find_first_not_of(" \t\r\n") != std::string_view::npos) {
            read_fragment(fragment);
        }
    }
    if (m_draft.streams.empty()) {
        m_json.fail({.key = {}, .fragment = m_fragment}, "a data stream class");
    }
    if (m_json.failed()) {
        return Failure{*m_json.error()};
    }
    return std::move(m_draft);
}

void Ctf2Reader::read_fragment(std::string_view text)
{
    ++m_fragment;
    JsonPlace place{.key = {}, .fragment = m_fragment};
    if (is_too_deep(text)) {
        m_json.fail(place, fmt::format("no more than {} levels of JSON", json_depth_limit));
        return;
    }
    // No exceptions, so that the border is here: a failure gives a discarded value.
    const auto json = nlohmann::json::parse(text.begin(), text.end(), nullptr, false);
    // The parser takes a zero byte for the end of its input.
    if (json.is_discarded() || text.find('\0') != std::string_view::npos) {
        m_json.fail(place, "a whole JSON text");
        return;
    }
    place.value = &json;
    m_json.expect_object(place);
    if (!m_json.failed()) {
        read_object(place);
    }
}

void Ctf2Reader::read_object(const JsonPlace& fragment)
{
    constexpr std::pair<std::string_view, void (Ctf2Reader::*)(const JsonPlace&)> kinds[]{
        {"preamble", &Ctf2Reader::read_preamble},
        {"trace-class", &Ctf2Reader::read_trace_class},
        {"clock-class", &Ctf2Reader::read_clock_class},
        {"data-stream-class", &Ctf2Reader::read_stream_class},
        {"event-record-class", &Ctf2Reader::read_event_class},
    };
    const JsonPlace type = json_member(fragment, "type");
    const std::string name = m_json.text(type);
    m_json.expect_no_extensions(fragment);
    if ((name == "preamble") != (m_fragment == 1)) {
        m_json.fail(type, m_fragment == 1 ? "a preamble" : "one preamble only, at the beginning");
    }
    if (m_json.failed()) {
        return;
    }
    if (name == "field-class-alias") {
        m_fields.read_alias(fragment);
        return;
    }
    for (const auto& [kind, read] : kinds) {
        if (kind == name) {
            (this->*read)(fragment);
            return;
        }
    }
    m_json.fail(type, "a type of fragment");
}

void Ctf2Reader::read_preamble(const JsonPlace& fragment)
{
    const JsonPlace version = json_member(fragment, "version");
    if (m_json.count(version) != 2) {
        m_json.fail(version, "version 2 of CTF");
    }
    const JsonPlace uuid = json_member(fragment, "uuid");
    if (!uuid.exists()) {
        return;
    }
    std::array<std::uint8_t, 16> bytes{};
    if (json_size(uuid) != bytes.size()) {
        m_json.fail(uuid, "16 numbers");
        return;
    }
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        const JsonPlace byte = json_element(uuid, at);
        const std::uint64_t value = m_json.count(byte);
        if (value > 255) {
            m_json.fail(byte, "a byte");
        }
        bytes[at] = static_cast<std::uint8_t>(value);
    }
    m_draft.uuid = bytes;
}

void Ctf2Reader::read_trace_class(const JsonPlace& fragment)
{
    if (m_has_trace_class || !m_draft.streams.empty()) {
        m_json.fail(fragment, "one trace class, before any data stream class");
    }
    m_has_trace_class = true;
    const JsonPlace space = json_member(fragment, "namespace");
    const JsonPlace name = json_member(fragment, "name");
    const JsonPlace uid = json_member(fragment, "uid");
    if (space.exists() || name.exists() || uid.exists()) {
        m_draft.identity = fmt::format("{}:{}:{}", m_json.text_or_empty(space),
                                       m_json.text_or_empty(name), m_json.text_or_empty(uid));
    }
    const JsonPlace environment = json_member(fragment, "environment");
    if (environment.exists()) {
        m_json.expect_object(environment);
        read_environment(environment);
    }
    const JsonPlace header = json_member(fragment, "packet-header-field-class");
    m_draft.packet_header = m_fields.read_optional(header);
}

void Ctf2Reader::read_environment(const JsonPlace& environment)
{
    if (m_json.failed()) {
        return;
    }
    for (const auto& entry : environment.value->items()) {
        const JsonPlace value{.value = &entry.value(), .around = &environment, .key = entry.key()};
        if (!value.value->is_string() && !value.value->is_number_integer()) {
            m_json.fail(value, "a text or a number");
            return;
        }
        const bool is_number = !value.value->is_string();
        m_draft.environment[entry.key()] = {
            is_number ? value.value->dump() : value.value->get<std::string>(), is_number};
    }
}

void Ctf2Reader::read_clock_class(const JsonPlace& fragment)
{
    const JsonPlace id = json_member(fragment, "id");
    const JsonPlace name = json_member(fragment, "name");
    const JsonPlace uid = json_member(fragment, "uid");
    const JsonPlace frequency = json_member(fragment, "frequency");
    const JsonPlace origin = json_member(fragment, "origin");
    const JsonPlace offset = json_member(fragment, "offset-from-origin");
    const JsonPlace seconds = json_member(offset, "seconds");
    const JsonPlace cycles = json_member(offset, "cycles");
    const JsonPlace description = json_member(fragment, "description");
    ClockClass clock;
    std::string id_text = m_json.text(id);
    clock.name = name.exists() ? m_json.text(name) : id_text;
    clock.uid = m_json.text_or_empty(uid);
    clock.description = m_json.text_or_empty(description);
    clock.frequency = m_json.count(frequency);
    if (clock.frequency == 0) {
        m_json.fail(frequency, "a frequency that is not 0");
    }
    clock.is_origin_unix_epoch = origin.exists() && origin.value->is_string();
    if (clock.is_origin_unix_epoch && m_json.text(origin) != "unix-epoch") {
        m_json.fail(origin, "unix-epoch or an object");
    }
    if (offset.exists()) {
        m_json.expect_object(offset);
    }
    clock.offset_seconds = seconds.exists() ? m_json.integer(seconds) : 0;
    clock.offset_cycles = m_json.count_or(cycles, 0);
    if (clock.offset_cycles >= clock.frequency) {
        m_json.fail(cycles, "less than the frequency");
    }
    if (!m_clocks.emplace(std::move(id_text), m_draft.clocks.size()).second) {
        m_json.fail(id, "an id that no other clock class has");
    }
    m_draft.clocks.push_back(std::move(clock));
}

void Ctf2Reader::read_stream_class(const JsonPlace& fragment)
{
    const JsonPlace id = json_member(fragment, "id");
    const JsonPlace clock = json_member(fragment, "default-clock-class-id");
    const JsonPlace context = json_member(fragment, "packet-context-field-class");
    const JsonPlace header = json_member(fragment, "event-record-header-field-class");
    const JsonPlace common = json_member(fragment, "event-record-common-context-field-class");
    StreamDraft stream;
    stream.id = m_json.count_or(id, 0);
    if (clock.exists()) {
        const auto found = m_clocks.find(m_json.text(clock));
        if (found == m_clocks.end()) {
            m_json.fail(clock, "the id of a clock class that comes before");
            return;
        }
        stream.clock = found->second;
    }
    stream.packet_context = m_fields.read_optional(context);
    stream.event_header = m_fields.read_optional(header);
    stream.common_context = m_fields.read_optional(common);
    if (!m_streams.emplace(stream.id, m_draft.streams.size()).second) {
        m_json.fail(id, "an id that no other data stream class has");
    }
    m_draft.streams.push_back(std::move(stream));
    m_event_ids.emplace_back();
}

/// Attributes change nothing about the format: one of another shape is none.
std::string attribute_text(const JsonPlace& attributes, std::string_view key)
{
    const JsonPlace attribute = json_member(attributes, key);
    return attribute.exists() && attribute.value->is_string() ? attribute.value->get<std::string>()
                                                              : std::string{};
}

void Ctf2Reader::read_event_class(const JsonPlace& fragment)
{
    const JsonPlace id = json_member(fragment, "id");
    const JsonPlace stream_id = json_member(fragment, "data-stream-class-id");
    const JsonPlace name = json_member(fragment, "name");
    const JsonPlace context = json_member(fragment, "specific-context-field-class");
    const JsonPlace payload = json_member(fragment, "payload-field-class");
    const JsonPlace attributes = json_member(fragment, "attributes");
    const JsonPlace lttng = json_member(attributes, "lttng.org,2009");
    EventDraft event;
    event.id = m_json.count_or(id, 0);
    event.name = m_json.text_or_empty(name);
    event.log_level = attribute_text(lttng, "log-level");
    event.model_uri = attribute_text(lttng, "emf-uri");
    const auto stream = m_streams.find(m_json.count_or(stream_id, 0));
    if (stream == m_streams.end()) {
        m_json.fail(stream_id, "the id of a data stream class that comes before");
        return;
    }
    event.specific_context = m_fields.read_optional(context);
    event.payload = m_fields.read_optional(payload);
    if (!m_event_ids[stream->second].insert(event.id).second) {
        m_json.fail(id, "an id that no other event record class of the stream has");
    }
    m_draft.streams[stream->second].events.push_back(std::move(event));
}

} // namespace

Expected<SchemaDraft> read_ctf2(std::string_view text)
{
    return Ctf2Reader{}.read(text);
}

} // namespace lttng_gpu::trace::ctf
