// SPDX-License-Identifier: MIT
//
// How traces are to be read; what the readers and who opens them have in common.
#pragma once

#include "../base/workers.hpp"
#include "enumeration_table.hpp"

#include <optional>

namespace lttng_gpu::trace {

/// `automatic` is our own decoder for CTF and our own readers for ftrace.
enum class Reader { Automatic, Babeltrace2 };

/// Nanoseconds of the trace clock, or since the first event.
struct ReadBound {
    bool is_relative = false;
    std::int64_t nanoseconds = 0;
};

struct ReadOptions {
    Reader reader = Reader::Automatic;
    /// Who may decode ahead. Without them the reader starts threads of its own, with
    /// `threads` of 1 none: everything then happens in the caller's.
    Workers* workers = nullptr;
    unsigned threads = 1;
    /// Packets that lie wholly outside need not be read. Events outside may still
    /// come: this saves work and filters nothing.
    std::optional<ReadBound> begin;
    std::optional<ReadBound> end;
    /// Gets the enumerations of wanted fields, also while reading; must live as long as the source.
    /// Without it their values are just numbers.
    EnumerationTable* enumerations = nullptr;
    /// One clock has one offset. LTTng reads the time of day anew for each trace, kernel's and user
    /// space's: on a busy machine their offsets are milliseconds apart, and so would be events of
    /// one moment. Our own decoder only.
    bool aligns_clocks = true;
    /// Traces of several boots of one machine have nothing in common, neither times nor ids: they
    /// are refused, unless who reads tells them apart.
    bool may_mix_boots = false;
    /// Of who makes jobs of the events: API calls are named by what is likely, too.
    bool estimates_calls = false;
};

} // namespace lttng_gpu::trace
