// SPDX-License-Identifier: MIT
//
// See parameters.hpp.
#include "parameters.hpp"

#include "../correlate/report/time_option.hpp"

#include <functional>

namespace lttng_gpu::plugin {
namespace {

/// What is wrong with a parameter; empty when nothing is.
using Problem = std::string;
using Take = std::function<Problem(std::string_view name, const bt_value* value)>;

struct Walk {
    const Take& take;
    Problem problem;
};

bt_value_map_foreach_entry_const_func_status step(const char* name, const bt_value* value,
                                                  void* data) noexcept
{
    Walk& walk = *static_cast<Walk*>(data);
    try {
        walk.problem = walk.take(name, value);
        return walk.problem.empty() ? BT_VALUE_MAP_FOREACH_ENTRY_CONST_FUNC_STATUS_OK
                                    : BT_VALUE_MAP_FOREACH_ENTRY_CONST_FUNC_STATUS_INTERRUPT;
    } catch (const std::exception&) {
        return BT_VALUE_MAP_FOREACH_ENTRY_CONST_FUNC_STATUS_MEMORY_ERROR;
    }
}

/// One parameter after the other, until one has a problem.
Expected<void> for_each_parameter(const bt_value* params, const Take& take)
{
    Walk walk{take, {}};
    const auto status = bt_value_map_foreach_entry_const(params, step, &walk);
    if (status == BT_VALUE_MAP_FOREACH_ENTRY_CONST_STATUS_OK) {
        return {};
    }
    return Failure{{ErrorKind::BadArguments,
                    walk.problem.empty() ? "cannot read the parameters" : walk.problem}};
}

/// Empty for values that are no text.
std::string_view text_of(const bt_value* value)
{
    return bt_value_is_string(value) != BT_FALSE ? bt_value_string_get(value) : "";
}

Problem take_format(const bt_value* value, report::Format& format)
{
    const auto named = report::format_named(text_of(value));
    format = named.value_or(format);
    return named ? "" : "parameter `format` must be \"text\", \"json\" or \"csv\"";
}

/// babeltrace2's command line reads +2 as a number and drops the sign.
Problem take_time(std::string_view name, const bt_value* value,
                  std::optional<report::TimeBound>& bound)
{
    if (bt_value_is_signed_integer(value) != BT_FALSE) {
        bound = report::TimeBound{false, bt_value_integer_signed_get(value)};
        return {};
    }
    bound = report::parse_time(text_of(value));
    return bound ? ""
                 : "parameter `" + std::string{name} +
                       "` must be nanoseconds or, in quotes, \"+seconds\" after the first event";
}

Problem take_output(const bt_value* value, std::string& output)
{
    output = text_of(value);
    return output.empty() ? "parameter `output` must be the path of a file" : "";
}

Problem unknown(std::string_view name, std::string_view known)
{
    return "unknown parameter `" + std::string{name} + "`; " + std::string{known};
}

} // namespace

Expected<ReportParameters> read_report_parameters(const bt_value* params)
{
    ReportParameters read;
    const auto taken = for_each_parameter(params, [&read](std::string_view name,
                                                          const bt_value* value) {
        if (name == "format") {
            return take_format(value, read.format);
        }
        if (name == "begin" || name == "end") {
            return take_time(name, value, name == "begin" ? read.window.begin : read.window.end);
        }
        return name == "output" ? take_output(value, read.output)
                                : unknown(name, "the parameters are format, begin, end and output");
    });
    if (!taken) {
        return Failure{taken.error()};
    }
    if (is_empty(read.window)) {
        return Failure{{ErrorKind::BadArguments, "parameter `begin` must be before `end`"}};
    }
    return read;
}

Expected<void> check_no_parameters(const bt_value* params)
{
    return for_each_parameter(params, [](std::string_view name, const bt_value*) {
        return unknown(name, "this component has no parameters");
    });
}

} // namespace lttng_gpu::plugin
