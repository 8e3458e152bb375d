// SPDX-License-Identifier: MIT
//
// LTTng's live protocol (lttng-viewer-abi.h of lttng-tools, version 2.4), as far as it must be
// known to tell what a relay daemon may answer. libbabeltrace2 believes every answer: 2.0.4 writes
// a packet that is larger than what it asked for behind its buffer, and aborts when it is told of
// more metadata than there is memory for.
#pragma once

#include "../../base/expected.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace lttng_gpu::trace {

/// What is sent before each command: the length of what follows, the command and its version.
constexpr std::size_t live_command_head = 16;

struct LiveCommand {
    std::uint32_t number = 0;
    std::string payload;

    /// Who reads has had enough. It is not worth waiting for the answer.
    bool is_last() const;
};

/// The answer to the last one that says that all is well.
constexpr std::string_view live_yes{"\0\0\0\1", 4};

/// Of a command's first bytes; the payload follows.
Expected<std::size_t> live_payload_length(std::string_view head);

class LiveProtocol {
public:
    /// Bytes that each answer to it begins with.
    static Expected<std::size_t> head_length(const LiveCommand& command);
    /// Bytes that follow them, if that can be.
    Expected<std::size_t> rest_length(const LiveCommand& command, std::string_view head);
    /// Of what these are.
    static Expected<void> check_rest(const LiveCommand& command, std::string_view rest);

private:
    Expected<std::size_t> rest_of_index(const LiveCommand& command, std::string_view head);
    Expected<std::size_t> rest_of_streams(std::string_view head);
    Expected<std::size_t> rest_of_metadata(std::string_view head);

    std::map<std::uint64_t, std::uint64_t> m_classes; // of streams
    std::uint64_t m_streams = 0;
    std::uint64_t m_metadata = 0; // bytes
};

} // namespace lttng_gpu::trace
