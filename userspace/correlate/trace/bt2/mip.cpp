// SPDX-License-Identifier: MIT
//
// See mip.hpp. What came with 2.1 is looked up when the program starts, so that one
// built with 2.0 can use it wherever a newer library is installed.
#include "mip.hpp"

#include <algorithm>
#include <fmt/format.h>

#if !__has_include(<babeltrace2/trace-ir/field-location.h>)
extern "C" {
uint64_t bt_trace_class_get_graph_mip_version(const bt_trace_class*);
const char* bt_trace_get_uid(const bt_trace*);
const char* bt_clock_class_get_uid(const bt_clock_class*);
bt_field_class* bt_field_class_option_without_selector_field_location_create(bt_trace_class*,
                                                                             bt_field_class*);
}
#endif
#pragma weak bt_trace_class_get_graph_mip_version
#pragma weak bt_trace_get_uid
#pragma weak bt_clock_class_get_uid
#pragma weak bt_field_class_option_without_selector_field_location_create

namespace lttng_gpu::trace {
namespace {

constexpr std::size_t uuid_size = 16;

} // namespace

bool knows_ctf2()
{
    const unsigned major = bt_version_get_major();
    return major > 2 || (major == 2 && bt_version_get_minor() >= 1);
}

std::uint64_t newest_mip_version()
{
    const bool has_functions =
        &bt_trace_class_get_graph_mip_version != nullptr && &bt_trace_get_uid != nullptr &&
        &bt_clock_class_get_uid != nullptr &&
        &bt_field_class_option_without_selector_field_location_create != nullptr;
    return has_functions ? std::min<std::uint64_t>(bt_get_maximal_mip_version(), 1) : 0;
}

std::uint64_t mip_version_of(const bt_trace_class* trace_class)
{
    return newest_mip_version() > 0 ? bt_trace_class_get_graph_mip_version(trace_class) : 0;
}

std::string identity_of(const bt_trace* trace)
{
    if (mip_version_of(bt_trace_borrow_class_const(trace)) > 0) {
        if (const char* uid = bt_trace_get_uid(trace)) {
            return std::string{"uid "} + uid;
        }
    } else if (const bt_uuid uuid = bt_trace_get_uuid(trace)) {
        return {reinterpret_cast<const char*>(uuid), uuid_size};
    }
    return "#" + std::to_string(reinterpret_cast<std::uintptr_t>(trace));
}

std::string identity_of(const bt_clock_class* clock, const bt_trace_class* trace_class)
{
    if (mip_version_of(trace_class) > 0) {
        const char* uid = bt_clock_class_get_uid(clock);
        return uid != nullptr ? uid : "";
    }
    const bt_uuid uuid = bt_clock_class_get_uuid(clock);
    if (uuid == nullptr) {
        return {};
    }
    std::string text;
    for (std::size_t byte = 0; byte < uuid_size; ++byte) {
        text += byte == 4 || byte == 6 || byte == 8 || byte == 10 ? "-" : "";
        text += fmt::format("{:02x}", uuid[byte]);
    }
    return text;
}

bt_field_class* make_option_class(bt_trace_class* trace_class, bt_field_class* content)
{
    return mip_version_of(trace_class) > 0
               ? bt_field_class_option_without_selector_field_location_create(trace_class, content)
               : bt_field_class_option_without_selector_create(trace_class, content);
}

} // namespace lttng_gpu::trace
