// SPDX-License-Identifier: MIT
//
// See ctf2_translation.hpp.
#include "ctf2_translation.hpp"

#include "tsdl_fields.hpp"

#include <fmt/format.h>
#include <fstream>
#include <iterator>

namespace lttng_gpu::exporting {
namespace {

namespace fs = std::filesystem;
using Json = TsdlJson;

constexpr char record_separator = '\x1e';

/// LTTng's names of log levels (lttng/event.h), with their numbers.
const std::map<std::string, int> log_levels{
    {"emergency", 0},       {"alert", 1},         {"critical", 2},       {"error", 3},
    {"warning", 4},         {"notice", 5},        {"info", 6},           {"debug:system", 7},
    {"debug:program", 8},   {"debug:process", 9}, {"debug:module", 10},  {"debug:unit", 11},
    {"debug:function", 12}, {"debug:line", 13},   {"debug:message", 14}, {"debug", 14}};

std::string uuid_text(const Json& bytes)
{
    std::string text;
    for (std::size_t index = 0; index < bytes.size(); ++index) {
        const bool has_dash = index == 4 || index == 6 || index == 8 || index == 10;
        text += fmt::format("{}{:02x}", has_dash ? "-" : "", bytes[index].get<unsigned>());
    }
    return text;
}

bool is_there(const Json& object, const char* key)
{
    const auto found = object.find(key);
    return found != object.end() && !found->is_null();
}

class Translator {
public:
    std::string translate(std::string_view text);

private:
    void translate_fragment(const Json& fragment);
    void trace_class(const Json& fragment);
    void clock_class(const Json& fragment);
    void stream_class(const Json& fragment);
    void event_class(const Json& fragment);
    void scope(const Json& fragment, const char* key, const char* name, TsdlNames names);

    TsdlFields x_fields;
    std::string x_text = "/* CTF 1.8 */\n";
    std::string x_uuid;
    std::map<std::string, std::string> x_clocks; // name by id
    std::map<std::uint64_t, std::string> x_clock_of_stream;
    bool x_has_trace = false;
};

std::string Translator::translate(std::string_view text)
{
    std::size_t begin = 0;
    while (begin < text.size()) {
        const std::size_t end = std::min(text.find(record_separator, begin), text.size());
        const std::string_view fragment = text.substr(begin, end - begin);
        if (fragment.find_first_not_of(" \t\r\n") != std::string_view::npos) {
            translate_fragment(Json::parse(fragment));
        }
        begin = end + 1;
    }
    if (!x_has_trace) {
        trace_class(Json::object());
    }
    return x_text;
}

void Translator::translate_fragment(const Json& fragment)
{
    const auto type = fragment.at("type").get<std::string>();
    if (type == "preamble") {
        x_uuid = is_there(fragment, "uuid") ? uuid_text(fragment.at("uuid")) : "";
    } else if (type == "field-class-alias") {
        x_fields.add_alias(fragment.at("name").get<std::string>(), fragment.at("field-class"));
    } else if (type == "trace-class") {
        trace_class(fragment);
    } else if (type == "clock-class") {
        clock_class(fragment);
    } else if (type == "data-stream-class") {
        stream_class(fragment);
    } else if (type == "event-record-class") {
        event_class(fragment);
    } else {
        throw Untranslatable{"the fragment type " + type};
    }
}

void Translator::scope(const Json& fragment, const char* key, const char* name, TsdlNames names)
{
    if (is_there(fragment, key)) {
        x_text += fmt::format("{} := {};\n", name, x_fields.structure(fragment.at(key), names));
    }
}

void Translator::trace_class(const Json& fragment)
{
    x_has_trace = true;
    // Every integer says its own byte order.
    x_text += "trace {\nmajor = 1;\nminor = 8;\nbyte_order = le;\n";
    x_text += x_uuid.empty() ? "" : fmt::format("uuid = \"{}\";\n", x_uuid);
    scope(fragment, "packet-header-field-class", "packet.header", TsdlNames::ByRole);
    x_text += "};\n";
    if (!is_there(fragment, "environment")) {
        return;
    }
    x_text += "env {\n";
    for (const auto& [name, value] : fragment.at("environment").items()) {
        x_text +=
            fmt::format("{} = {};\n", name,
                        value.is_string() ? tsdl_text(value.get<std::string>()) : value.dump());
    }
    x_text += "};\n";
}

void Translator::clock_class(const Json& fragment)
{
    const auto id = fragment.at("id").get<std::string>();
    std::string name = is_there(fragment, "name") ? fragment.at("name").get<std::string>() : id;
    for (char& c : name) {
        const bool is_good =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        c = is_good ? c : '_';
    }
    x_clocks[id] = name;
    x_text +=
        fmt::format("clock {{\nname = {};\nfreq = {};\n", name, fragment.at("frequency").dump());
    if (is_there(fragment, "uid") && fragment.at("uid").get<std::string>().size() == 36) {
        x_text += fmt::format("uuid = {};\n", tsdl_text(fragment.at("uid").get<std::string>()));
    }
    if (is_there(fragment, "description")) {
        x_text += fmt::format("description = {};\n",
                              tsdl_text(fragment.at("description").get<std::string>()));
    }
    if (is_there(fragment, "offset-from-origin")) {
        const Json& offset = fragment.at("offset-from-origin");
        x_text += fmt::format("offset_s = {};\noffset = {};\n",
                              is_there(offset, "seconds") ? offset.at("seconds").dump() : "0",
                              is_there(offset, "cycles") ? offset.at("cycles").dump() : "0");
    }
    const bool is_absolute = is_there(fragment, "origin") && fragment.at("origin") == "unix-epoch";
    x_text += fmt::format("absolute = {};\n}};\n", is_absolute);
}

void Translator::stream_class(const Json& fragment)
{
    const std::uint64_t id = fragment.value("id", std::uint64_t{0});
    const std::string clock = is_there(fragment, "default-clock-class-id")
                                  ? x_clocks.at(fragment.at("default-clock-class-id"))
                                  : "";
    x_clock_of_stream[id] = clock;
    x_fields.set_clock(clock);
    x_text += fmt::format("stream {{\nid = {};\n", id);
    scope(fragment, "packet-context-field-class", "packet.context", TsdlNames::ByRole);
    scope(fragment, "event-record-header-field-class", "event.header", TsdlNames::ByRole);
    scope(fragment, "event-record-common-context-field-class", "event.context",
          TsdlNames::Prefixed);
    x_text += "};\n";
}

void Translator::event_class(const Json& fragment)
{
    const std::uint64_t stream = fragment.value("data-stream-class-id", std::uint64_t{0});
    x_fields.set_clock(x_clock_of_stream[stream]);
    x_text += fmt::format("event {{\nname = {};\nid = {};\nstream_id = {};\n",
                          tsdl_text(fragment.value("name", std::string{})),
                          fragment.value("id", std::uint64_t{0}), stream);
    if (is_there(fragment, "attributes") && is_there(fragment.at("attributes"), "lttng.org,2009")) {
        const Json& lttng = fragment.at("attributes").at("lttng.org,2009");
        if (is_there(lttng, "log-level")) {
            const auto level = log_levels.find(lttng.at("log-level").get<std::string>());
            if (level != log_levels.end()) {
                x_text += fmt::format("loglevel = {};\n", level->second);
            }
        }
        if (is_there(lttng, "emf-uri")) {
            x_text += fmt::format("model.emf.uri = {};\n",
                                  tsdl_text(lttng.at("emf-uri").get<std::string>()));
        }
    }
    scope(fragment, "specific-context-field-class", "context", TsdlNames::Prefixed);
    scope(fragment, "payload-field-class", "fields", TsdlNames::Prefixed);
    x_text += "};\n";
}

Expected<std::string> read_file(const fs::path& path)
{
    std::ifstream file{path, std::ios::binary};
    if (!file) {
        return Failure{{ErrorKind::UnreadableTrace, "cannot read " + path.string()}};
    }
    return std::string{std::istreambuf_iterator<char>{file}, {}};
}

} // namespace

Expected<std::string> translate_ctf2_metadata(std::string_view json)
{
    try {
        return Translator{}.translate(json);
    } catch (const Untranslatable& missing) {
        return Failure{{ErrorKind::UnreadableTrace,
                        "CTF 2 metadata has " + missing.what +
                            ", which CTF 1.8 cannot express; record with `lttng create "
                            "--trace-format=ctf-1.8`"}};
    } catch (const Json::exception& error) {
        return Failure{{ErrorKind::UnreadableTrace,
                        std::string{"CTF 2 metadata cannot be translated: "} + error.what()}};
    } catch (const std::out_of_range&) {
        return Failure{{ErrorKind::UnreadableTrace,
                        "CTF 2 metadata refers to a class or clock that does not exist"}};
    }
}

Expected<ScratchDirectory> translate_ctf2_trace(const fs::path& directory)
{
    const auto json = read_file(directory / "metadata");
    if (!json) {
        return Failure{json.error()};
    }
    const auto tsdl = translate_ctf2_metadata(*json);
    if (!tsdl) {
        return Failure{
            {tsdl.error().kind, "cannot read " + directory.string() + ": " + tsdl.error().message}};
    }
    auto scratch = ScratchDirectory::create();
    if (!scratch) {
        return scratch;
    }
    std::error_code error;
    for (fs::directory_iterator entry{directory, error};
         !error && entry != fs::directory_iterator{}; entry.increment(error)) {
        const fs::path name = entry->path().filename();
        if (name != "metadata" && (entry->is_regular_file() || name == "index")) {
            fs::create_symlink(fs::absolute(entry->path()), scratch->path() / name, error);
        }
    }
    std::ofstream metadata{scratch->path() / "metadata", std::ios::binary};
    metadata << *tsdl;
    metadata.close();
    if (error || !metadata) {
        return Failure{{ErrorKind::Output, "cannot write " + scratch->path().string()}};
    }
    return scratch;
}

} // namespace lttng_gpu::exporting
