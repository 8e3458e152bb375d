// SPDX-License-Identifier: MIT
//
// What a browser may ask for. Anything else has an answer without data.
#pragma once

#include <cstdint>
#include <string_view>
#include <variant>

namespace lttng_gpu::view {

struct PageItself {};
struct IndexOfData {};
struct StateOfReading {};
struct Piece {
    std::uint32_t number = 0;
};
enum class Refusal : unsigned { Forbidden = 403, NotFound = 404, BadMethod = 405 };
using Asked = std::variant<PageItself, IndexOfData, StateOfReading, Piece, Refusal>;

struct Request {
    std::string_view method;
    std::string_view path;
    std::string_view host; // of its header
};

/// A wrong `Host` is a page of another name that leads here (DNS rebinding).
Asked understand(const Request& request, std::string_view secret, unsigned short port);

} // namespace lttng_gpu::view
