// SPDX-License-Identifier: MIT
//
// What happens to captures before they reach a bug report. Each damage is one function
// under the name that the matrix gives it. What is missing is marked, not removed, so
// that the judge knows of it; an announced loss leaves gaps, too.
#pragma once

#include "capture.hpp"
#include "random.hpp"

#include <functional>

namespace lttng_gpu::captures {

using simulator::Random;

struct Damage {
    std::string name;
    std::function<void(Capture&, Random&)> apply;
};

/// Events that a tracer lost or that were never recorded.
std::vector<Damage> losses();
/// What truly happened to the machine: its jobs change with its events.
std::vector<Damage> incidents();

/// Throws std::runtime_error when there is no damage of that name.
Damage find_damage(std::string_view name);

/// Clocks of trace and trace-cmd tell microseconds: everything does from now on.
void round_to_microseconds(Capture& capture);

} // namespace lttng_gpu::captures
