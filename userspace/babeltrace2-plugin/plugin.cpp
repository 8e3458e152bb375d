// SPDX-License-Identifier: MIT
//
// The babeltrace2 plugin `gpu`: what it holds and what `babeltrace2 help` says of it.
// babeltrace2 finds this through sections of the shared object.
#include "../correlate/trace/bt2/mip.hpp"
#include "jobs_component.hpp"
#include "report_component.hpp"

namespace {

using namespace lttng_gpu::plugin;

constexpr const char* report_help =
    "Writes what `lttng-gpu report` writes: occupancy and latency of every ring.\n"
    "\n"
    "Parameters:\n"
    "\n"
    "  format=\"text\" (default), \"json\" or \"csv\"\n"
    "  begin=NS or begin=\"+SECONDS\", end=NS or end=\"+SECONDS\"\n"
    "      Only this window: nanoseconds of the trace's clock, or seconds after the\n"
    "      first event.\n"
    "  output=PATH\n"
    "      Write to this file, not to standard output.\n"
    "\n"
    "Example: babeltrace2 TRACE -c sink.gpu.report --params='format=\"json\"'\n"
    "\n"
    "See lttng-gpu(1).";

constexpr const char* jobs_help =
    "Passes all messages on. Adds a stream `gpu_jobs` with one event `gpu_job` for each\n"
    "job. Its fields are the columns of `lttng-gpu jobs`; an unknown value is absent.\n"
    "Times in the fields are in nanoseconds. The event itself has the time at which all\n"
    "facts about the job were known. There are no parameters. The input must be sorted\n"
    "by time over all streams of a machine, as the output of filter.utils.muxer is.\n"
    "\n"
    "Example: babeltrace2 TRACE -c filter.gpu.jobs\n"
    "\n"
    "See lttng-gpu(1).";

/// babeltrace2 2.1 reads CTF 2 only into graphs of the newer version.
bt_component_class_get_supported_mip_versions_method_status
add_mip_versions(bt_integer_range_set_unsigned* versions) noexcept
{
    // The two enumerations are made of the library's general codes.
    return static_cast<bt_component_class_get_supported_mip_versions_method_status>(
        bt_integer_range_set_unsigned_add_range(versions, 0,
                                                lttng_gpu::trace::newest_mip_version()));
}

bt_component_class_get_supported_mip_versions_method_status
report_mip_versions(bt_self_component_class_sink*, const bt_value*, void*, bt_logging_level,
                    bt_integer_range_set_unsigned* versions) noexcept
{
    return add_mip_versions(versions);
}

bt_component_class_get_supported_mip_versions_method_status
jobs_mip_versions(bt_self_component_class_filter*, const bt_value*, void*, bt_logging_level,
                  bt_integer_range_set_unsigned* versions) noexcept
{
    return add_mip_versions(versions);
}

} // namespace

BT_PLUGIN_MODULE();

BT_PLUGIN(gpu);
BT_PLUGIN_DESCRIPTION("Where GPU jobs spend their time: host queue, device queue, execution");
BT_PLUGIN_AUTHOR("the lttng-gpu developers");
BT_PLUGIN_LICENSE("MIT");

BT_PLUGIN_SINK_COMPONENT_CLASS(report, consume_report);
BT_PLUGIN_SINK_COMPONENT_CLASS_DESCRIPTION(report, "Write the report of lttng-gpu.");
BT_PLUGIN_SINK_COMPONENT_CLASS_HELP(report, report_help);
BT_PLUGIN_SINK_COMPONENT_CLASS_GET_SUPPORTED_MIP_VERSIONS_METHOD(report, report_mip_versions);
BT_PLUGIN_SINK_COMPONENT_CLASS_INITIALIZE_METHOD(report, initialize_report);
BT_PLUGIN_SINK_COMPONENT_CLASS_GRAPH_IS_CONFIGURED_METHOD(report, configure_report);
BT_PLUGIN_SINK_COMPONENT_CLASS_FINALIZE_METHOD(report, finalize_report);

BT_PLUGIN_FILTER_COMPONENT_CLASS(jobs, next_jobs);
BT_PLUGIN_FILTER_COMPONENT_CLASS_DESCRIPTION(jobs, "Add an event for each GPU job.");
BT_PLUGIN_FILTER_COMPONENT_CLASS_HELP(jobs, jobs_help);
BT_PLUGIN_FILTER_COMPONENT_CLASS_GET_SUPPORTED_MIP_VERSIONS_METHOD(jobs, jobs_mip_versions);
BT_PLUGIN_FILTER_COMPONENT_CLASS_INITIALIZE_METHOD(jobs, initialize_jobs);
BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD(jobs,
                                                                          initialize_jobs_iterator);
BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_FINALIZE_METHOD(jobs,
                                                                        finalize_jobs_iterator);
BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHODS(
    jobs, seek_jobs_beginning, can_jobs_seek_beginning);
