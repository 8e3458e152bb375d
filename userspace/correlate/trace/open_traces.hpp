// SPDX-License-Identifier: MIT
//
// Opens whatever the command line names with the reader that fits: LTTng
// directories with our own decoder, ftrace files with theirs, sessions of a relay
// daemon, and anything on request, through babeltrace2. Several inputs are merged
// by time.
#pragma once

#include "../base/workers.hpp"
#include "enumeration_table.hpp"
#include "event_source.hpp"

#include <filesystem>
#include <memory>

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
};

/// A session of a relay daemon that is being recorded: net://HOST[:PORT]/host/TARGET/SESSION.
bool is_live(const std::filesystem::path& input);

/// Wanted names and fields may be patterns for tests and tools: the event "*" is
/// every event that no other entry names, the field "*" every leaf value of
/// common context, specific context and payload in order of decoding (texts and
/// arrays of characters as one text), and the field "$name" the event's name.
Expected<std::unique_ptr<EventSource>> open_traces(const std::vector<std::filesystem::path>& inputs,
                                                   std::vector<WantedEvent> wanted,
                                                   const ReadOptions& options);

} // namespace lttng_gpu::trace
