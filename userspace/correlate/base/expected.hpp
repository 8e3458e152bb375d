// SPDX-License-Identifier: MIT
//
// Errors as values. An Error is for input or output that cannot be used at
// all; what is merely odd inside a trace is an anomaly and gets counted.
#pragma once

#include <string>
#include <tl/expected.hpp>

namespace lttng_gpu {

enum class ErrorKind {
    BadArguments,
    UnreadableTrace,
    DamagedTrace,
    Output,
};

struct Error {
    ErrorKind kind;
    std::string message; // one line, without the program's name
};

template <typename T> using Expected = tl::expected<T, Error>;
using Failure = tl::unexpected<Error>;

} // namespace lttng_gpu
