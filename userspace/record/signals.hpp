// SPDX-License-Identifier: MIT
//
// The signals that record waits for, read from a descriptor instead of being handled:
// nothing is interrupted half-way. Those that were ignored when record began (nohup)
// stay ignored.
#pragma once

#include "descriptor.hpp"

#include <chrono>
#include <csignal>
#include <optional>

namespace lttng_gpu::record {

struct Caught {
    int number = 0;
    bool is_of_terminal = false; // or of the kernel: the command got it, too
};

class Signals {
public:
    Signals();
    Signals(const Signals&) = delete;
    Signals& operator=(const Signals&) = delete;
    ~Signals();

    /// The next signal, or nothing after that time.
    std::optional<Caught> wait(std::chrono::milliseconds most);
    /// The mask that was in force before.
    const sigset_t& earlier_mask() const { return x_earlier; }

private:
    sigset_t x_earlier{};
    Descriptor x_descriptor;
};

} // namespace lttng_gpu::record
