// SPDX-License-Identifier: MIT
//
// Executions that two clocks tell of, and by how much one clock must be moved so that they are the
// same ones. An execution agrees at a shift if its begin is one of the other side's begins then,
// and its end one of the ends: what lies between is of no matter, so that it may be one part of
// several, or several in one, on the other side.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace lttng_gpu::model {

struct Execution {
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

/// Each in order.
struct ExecutionEdges {
    std::vector<std::int64_t> begins;
    std::vector<std::int64_t> ends;
    std::int64_t usual_length = 0; // of these executions
};

std::int64_t usual_length(std::span<const Execution> executions);

ExecutionEdges edges_of(std::span<const Execution> executions);

struct Shift {
    std::int64_t value = 0;   // to be added
    std::int64_t error = 0;   // most of those that agree are within that
    std::size_t agreeing = 0; // executions
};

/// The one shift from -most to most at which the executions agree with the edges. Nothing: too few
/// do, or another shift, here or a little beyond, is nearly as good.
std::optional<Shift> find_shift(std::span<const Execution> executions, const ExecutionEdges& edges,
                                std::int64_t most);

/// Near `about`, to `error` beside what executions may differ by. Nothing: less than half agree.
std::optional<Shift> follow_shift(std::span<const Execution> executions,
                                  const ExecutionEdges& edges, std::int64_t about,
                                  std::int64_t error);

} // namespace lttng_gpu::model
