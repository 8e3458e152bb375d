// SPDX-License-Identifier: MIT
//
// Where causality bounds a device's clock to many times the length of a command only, the
// executions of its commands are compared with those of jobs on their rings: all commands of one
// device are moved by one offset, and where they fit at one offset inside of the bounds and at no
// other, that is the clock's, to what fences are late by. It is inferred: the commands' own times
// stay what causality says of them, and only the match of jobs uses this. A load that repeats
// itself fits at several offsets, and what made no jobs at none; there nothing is changed.
#pragma once

#include "../base/time.hpp"
#include "shift_search.hpp"
#include "submit_call.hpp"

#include <deque>
#include <map>
#include <set>

namespace lttng_gpu::model {

struct ClockAccount;

/// Its execution, on the trace's clock.
struct TimedCommand {
    SubmitCall call;
    Timestamp started;
    Timestamp completed;
    Duration error;                // of both
    ClockAccount* clock = nullptr; // the device's, which all its commands have
    Duration offset{};             // trace - device, as far as it is known
    bool is_aligned = false;

    std::int64_t on_device() const { return started.value() - offset.value(); }
};

/// The jobs of one process that threads of drivers queued: executions of each context, in order.
using JobExecutions = std::map<std::uint64_t, std::vector<Execution>>;

class ExecutionAlignment {
public:
    /// Whether it may be handed to align().
    static bool is_comparable(const TimedCommand& command);
    /// Whether its clock is known too little to say in which job it was.
    static bool is_coarse(const TimedCommand& command);

    /// Of one clock, in order of their starts: learns its offsets, and moves them. False: none.
    bool align(const std::vector<TimedCommand*>& commands, const JobExecutions& jobs);
    /// Moves it by what is known of its clock.
    void place(TimedCommand& command);

private:
    static constexpr std::size_t most_pieces = 4096; // of a clock

    /// Of commands that the device began to execute then, by its clock.
    struct Piece {
        std::int64_t first = 0;
        std::int64_t last = 0;
        std::int64_t offset = 0;
        std::int64_t error = 0;
    };
    using Pieces = std::deque<Piece>;
    /// By which offsets change.
    struct Rate {
        double value = 0;
        double error = 500e-6;
    };
    class Pass;

    static Rate rate_at(const Pieces& pieces, std::size_t about);
    static Pieces::const_iterator nearest(const Pieces& pieces, std::int64_t time);

    std::map<const ClockAccount*, Pieces> m_pieces;
};

} // namespace lttng_gpu::model
