// SPDX-License-Identifier: MIT
//
// See passes.hpp.
#include "passes.hpp"

#include "trace/ctf/metadata/read_metadata.hpp"
#include "trace/trace_discovery.hpp"

#include <map>
#include <set>

namespace lttng_gpu::test {
namespace {

/// The payload's members of each event, over all traces.
using Fields = std::map<std::string, std::set<std::string>>;

void add_fields(const trace::ctf::Schema& schema, Fields& fields)
{
    for (const trace::ctf::StreamClass& stream : schema.streams) {
        for (const trace::ctf::EventClass& event : stream.events) {
            auto& names = fields[event.name];
            const auto* payload =
                event.payload ? std::get_if<trace::ctf::StructureClass>(&event.payload->kind)
                              : nullptr;
            for (std::size_t index = 0; payload != nullptr && index < payload->members.size();
                 ++index) {
                names.insert(payload->members[index].name);
            }
        }
    }
}

/// Every `step`th field of every `step`th event.
Pass by_name(const char* pass, const Fields& fields, std::size_t step)
{
    Pass made{pass, {}, true};
    std::size_t number = 0;
    for (const auto& [event, names] : fields) {
        if (number++ % step != 0) {
            continue;
        }
        made.wanted.push_back({event, {"$name"}});
        std::size_t field = 0;
        for (const std::string& name : names) {
            if (++field % step == 0) {
                made.wanted.back().fields.push_back(name);
            }
        }
    }
    return made;
}

} // namespace

Expected<std::vector<Pass>> make_passes(const std::vector<std::filesystem::path>& traces)
{
    const auto found = trace::find_traces(traces);
    if (!found) {
        return Failure{found.error()};
    }
    Fields fields;
    for (const trace::TraceDirectory& trace : *found) {
        const auto schema = trace::ctf::read_metadata_file(trace.path / "metadata");
        if (!schema) {
            return Failure{schema.error()};
        }
        add_fields(*schema, fields);
    }
    return std::vector<Pass>{{"every value", {{"*", {"$name", "*"}}}, false},
                             by_name("every field by name", fields, 1),
                             by_name("some fields of some events", fields, 2),
                             {"nothing", {}, false}};
}

} // namespace lttng_gpu::test
