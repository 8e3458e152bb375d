// SPDX-License-Identifier: MIT
//
// See reading_options.hpp.
#include "reading_options.hpp"

namespace lttng_gpu::cli {
namespace {

std::optional<trace::ReadBound> read_bound(const std::optional<report::TimeBound>& bound)
{
    return bound ? std::optional{trace::ReadBound{bound->is_relative, bound->nanoseconds}}
                 : std::nullopt;
}

} // namespace

trace::ReadOptions read_options(const Options& options, Workers& workers)
{
    trace::ReadOptions read;
    read.reader = options.reader;
    read.workers = &workers;
    read.estimates_calls = options.estimates_calls;
    read.begin = read_bound(options.window.begin);
    read.end = read_bound(options.window.end);
    return read;
}

} // namespace lttng_gpu::cli
