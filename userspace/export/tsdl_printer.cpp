// SPDX-License-Identifier: MIT
//
// See tsdl_printer.hpp.
#include "tsdl_printer.hpp"

#include "tsdl_field_printer.hpp"

#include <fmt/format.h>

namespace lttng_gpu::exporting {
namespace {

using namespace trace::ctf;

/// LTTng's names of log levels (lttng/event.h), with their numbers.
constexpr std::pair<std::string_view, int> log_levels[]{
    {"emergency", 0},       {"alert", 1},         {"critical", 2},       {"error", 3},
    {"warning", 4},         {"notice", 5},        {"info", 6},           {"debug:system", 7},
    {"debug:program", 8},   {"debug:process", 9}, {"debug:module", 10},  {"debug:unit", 11},
    {"debug:function", 12}, {"debug:line", 13},   {"debug:message", 14}, {"debug", 14}};

std::string uuid_text(const std::array<std::uint8_t, 16>& bytes)
{
    std::string text;
    for (std::size_t index = 0; index < bytes.size(); ++index) {
        const bool has_dash = index == 4 || index == 6 || index == 8 || index == 10;
        text += fmt::format("{}{:02x}", has_dash ? "-" : "", bytes[index]);
    }
    return text;
}

/// TSDL refers to a clock by an identifier.
std::string clock_name(const ClockClass& clock)
{
    std::string name = clock.name;
    for (char& c : name) {
        const bool is_good =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        c = is_good ? c : '_';
    }
    return name;
}

class TsdlPrinter {
public:
    explicit TsdlPrinter(const Schema& schema) : m_schema{schema} {}

    std::string print();

private:
    void print_trace();
    void print_environment();
    void print_clock(const ClockClass& clock);
    void print_stream(const StreamClass& stream);
    void print_event(const StreamClass& stream, const EventClass& event);
    void print_scope(Scope scope, const FieldClassPtr& type);
    void print_text(std::string_view key, std::string_view text);

    const Schema& m_schema;
    TsdlFieldPrinter m_fields;
    std::string m_text = "/* CTF 1.8 */\n";
};

std::string TsdlPrinter::print()
{
    print_trace();
    print_environment();
    for (const ClockClass& clock : m_schema.clocks) {
        print_clock(clock);
    }
    for (const StreamClass& stream : m_schema.streams) {
        print_stream(stream);
        for (const EventClass& event : stream.events) {
            print_event(stream, event);
        }
    }
    return std::move(m_text);
}

void TsdlPrinter::print_scope(Scope scope, const FieldClassPtr& type)
{
    m_text += type == nullptr ? "" : m_fields.scope(scope, *type);
}

void TsdlPrinter::print_text(std::string_view key, std::string_view text)
{
    m_text += text.empty() ? "" : fmt::format("{} = {};\n", key, tsdl_text(text));
}

void TsdlPrinter::print_trace()
{
    // Every integer says its own byte order.
    m_text += "trace {\nmajor = 1;\nminor = 8;\nbyte_order = le;\n";
    print_text("uuid", m_schema.uuid ? uuid_text(*m_schema.uuid) : "");
    print_scope(Scope::PacketHeader, m_schema.packet_header);
    m_text += "};\n";
}

void TsdlPrinter::print_environment()
{
    if (m_schema.environment.empty()) {
        return;
    }
    m_text += "env {\n";
    for (const auto& [name, value] : m_schema.environment) {
        m_text +=
            fmt::format("{} = {};\n", name, value.is_number ? value.text : tsdl_text(value.text));
    }
    m_text += "};\n";
}

void TsdlPrinter::print_clock(const ClockClass& clock)
{
    constexpr std::size_t uuid_size = 36;
    m_text += fmt::format("clock {{\nname = {};\nfreq = {};\n", clock_name(clock), clock.frequency);
    print_text("uuid", clock.uid.size() == uuid_size ? clock.uid : "");
    print_text("description", clock.description);
    m_text += fmt::format("offset_s = {};\noffset = {};\nabsolute = {};\n}};\n",
                          clock.offset_seconds, clock.offset_cycles, clock.is_origin_unix_epoch);
}

void TsdlPrinter::print_stream(const StreamClass& stream)
{
    m_fields.set_clock(stream.clock ? clock_name(m_schema.clocks[*stream.clock]) : "");
    m_text += fmt::format("stream {{\nid = {};\n", stream.id);
    print_scope(Scope::PacketContext, stream.packet_context);
    print_scope(Scope::EventHeader, stream.event_header);
    print_scope(Scope::CommonContext, stream.common_context);
    m_text += "};\n";
}

void TsdlPrinter::print_event(const StreamClass& stream, const EventClass& event)
{
    m_text += fmt::format("event {{\nname = {};\nid = {};\nstream_id = {};\n",
                          tsdl_text(event.name), event.id, stream.id);
    for (const auto& [name, number] : log_levels) {
        m_text += name == event.log_level ? fmt::format("loglevel = {};\n", number) : "";
    }
    print_text("model.emf.uri", event.model_uri);
    print_scope(Scope::SpecificContext, event.specific_context);
    print_scope(Scope::Payload, event.payload);
    m_text += "};\n";
}

} // namespace

Expected<std::string> print_tsdl(const Schema& schema)
{
    try {
        return TsdlPrinter{schema}.print();
    } catch (const Untranslatable& missing) {
        return Failure{{ErrorKind::UnreadableTrace,
                        "CTF 2 metadata has " + missing.what +
                            ", which CTF 1.8 cannot express; record with `lttng create "
                            "--trace-format=ctf-1.8`"}};
    }
}

} // namespace lttng_gpu::exporting
