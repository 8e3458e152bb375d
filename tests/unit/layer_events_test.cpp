// SPDX-License-Identifier: MIT
//
// Of events that layers write, each field that is wanted is one that is written.
#include "device/collector.hpp"
#include "device/record_reader.hpp"
#include "drivers/event_family.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <map>
#include <set>
#include <string>

using namespace lttng_gpu;

namespace {

// The lists of events again, as tables.
#define gpu_records_version(number)
#define gpu_enumeration(name, ...)
#define gpu_api_enumeration(name, ...)
#define gpu_event(name, ...) {#name, {__VA_ARGS__}},
#define gpu_integer(type, field) #field,
#define gpu_integer_hex(type, field) #field,
#define gpu_enum(enumeration, type, field) #field,
#define gpu_string(field) #field,
#define gpu_count(count)
#define gpu_sequence(type, field, count) #field,
#define gpu_sequence_hex(type, field, count) #field,

using Fields = std::set<std::string, std::less<>>;
using Events = std::map<std::string, Fields>;

const std::map<std::string, Events> written{
    {"lttng_gpu_opencl",
     {
#include "../../instrumentation/events/lttng_gpu_opencl.h"
     }},
    {"lttng_gpu_gl",
     {
#include "../../instrumentation/events/lttng_gpu_gl.h"
     }},
    {"lttng_gpu_vulkan",
     {
#include "../../instrumentation/events/lttng_gpu_vulkan.h"
     }},
    {"lttng_gpu_hsa",
     {
#include "../../instrumentation/events/lttng_gpu_hsa.h"
     }},
    {"lttng_gpu_devicetrace",
     {
#include "../../instrumentation/events/lttng_gpu_devicetrace.h"
     }},
};

/// What is wanted of a layer's event that it does not have.
template <class Names>
void note_missing(std::set<std::string>& missing, std::string_view event, const Names& fields)
{
    const std::size_t colon = event.find(':');
    const auto provider = written.find(std::string{event.substr(0, colon)});
    if (provider == written.end()) {
        return;
    }
    const auto found = provider->second.find(std::string{event.substr(colon + 1)});
    if (found == provider->second.end()) {
        missing.insert(std::string{event});
        return;
    }
    for (const auto& field : fields) {
        if (!found->second.contains(field)) {
            missing.insert(fmt::format("{} {}", event, field));
        }
    }
}

} // namespace

TEST_CASE("layers_events_when_fields_are_wanted_then_they_are_written")
{
    std::set<std::string> missing;
    for (const model::EventFamily& family : model::all_families()) {
        for (const model::EventSpec& event : family.events) {
            note_missing(missing, event.name, event.fields);
        }
    }
    for (const auto& wanted : {device::Collector::wanted(), device::RecordReader::wanted()}) {
        for (const trace::WantedEvent& event : wanted) {
            note_missing(missing, event.name, event.fields);
        }
    }
    // Events of several kinds share a handler: what one of them does not have is empty for it.
    const std::set<std::string> known{
        "lttng_gpu_gl:blit result",
        "lttng_gpu_gl:command_times status",
        "lttng_gpu_gl:context_create result",
        "lttng_gpu_gl:device parent",
        "lttng_gpu_gl:dispatch result",
        "lttng_gpu_gl:fence_create result",
        "lttng_gpu_gl:upload result",
        "lttng_gpu_hsa:device parent",
        "lttng_gpu_hsa:frame",
        "lttng_gpu_hsa:queue begin_ns",
        "lttng_gpu_hsa:queue function",
        "lttng_gpu_hsa:queue result",
        "lttng_gpu_hsa:queue_destroy device",
        "lttng_gpu_opencl:command_buffer_enqueue bytes",
        "lttng_gpu_opencl:command_buffer_enqueue name",
        "lttng_gpu_opencl:command_enqueue bytes",
        "lttng_gpu_opencl:command_enqueue commands",
        "lttng_gpu_opencl:command_enqueue name",
        "lttng_gpu_opencl:frame",
        "lttng_gpu_opencl:kernel_enqueue bytes",
        "lttng_gpu_opencl:kernel_enqueue commands",
        "lttng_gpu_opencl:transfer_enqueue commands",
        "lttng_gpu_opencl:transfer_enqueue name",
        "lttng_gpu_vulkan:device parent",
    };
    for (const std::string& field : missing) {
        CHECK_MESSAGE(known.contains(field), field);
    }
    for (const std::string& field : known) {
        CHECK_MESSAGE(missing.contains(field), field);
    }
}
