// SPDX-License-Identifier: MIT
//
// Traces are read as mapped memory. A file that becomes shorter meanwhile leaves
// pages with nothing behind them, and touching one is a signal, not an error to
// return: the process ends, but with a word and the exit code of a damaged trace.
#pragma once

namespace lttng_gpu::cli {

/// For the whole process; installs a handler of SIGBUS.
void end_with_a_word_when_a_file_shrinks();

} // namespace lttng_gpu::cli
