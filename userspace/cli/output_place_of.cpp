// SPDX-License-Identifier: MIT
//
// See output_place_of.hpp.
#include "output_place_of.hpp"

namespace lttng_gpu::cli {
namespace {

using report::OutputKind;

OutputKind kind_of(const Options& options)
{
    switch (options.command) {
    case Command::Export:
        return !options.job_format                                   ? OutputKind::Folder
               : *options.job_format == exporting::JobFormat::Chrome ? OutputKind::Text
                                                                     : OutputKind::Binary;
    case Command::Merge:
        return OutputKind::Folder;
    case Command::Report:
        return options.html.empty() ? OutputKind::Text : OutputKind::Page;
    default:
        return OutputKind::Text;
    }
}

} // namespace

Expected<report::OutputPlace> output_place_of(const Options& options)
{
    const OutputKind kind = kind_of(options);
    if (kind == OutputKind::Page) {
        const std::string file = options.html == "-" ? "" : options.html;
        return report::OutputPlace::check(file, kind, options.traces);
    }
    return report::OutputPlace::check(options.output, kind, options.traces);
}

Expected<report::OutputPlace> record_report_place(const Options& options)
{
    const std::string& file = options.record.report_file;
    return report::OutputPlace::check(file == "-" ? "" : file, OutputKind::Text, {});
}

} // namespace lttng_gpu::cli
