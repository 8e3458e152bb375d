// SPDX-License-Identifier: MIT
//
// The union of stretches of time that come in any order: how long at least one of them lasted.
// Memory is bounded: when there are too many, neighbours are joined with the time between
// them, so that the length is never too small.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lttng_gpu::report {

class SpanUnion {
public:
    void add(std::int64_t begin, std::int64_t end);
    /// Of the part before `limit`.
    std::int64_t length(std::int64_t limit) const;

private:
    struct Span {
        std::int64_t begin;
        std::int64_t end;
    };
    static constexpr std::size_t most_spans = 8192;

    static std::vector<Span> merged(std::vector<Span> spans);
    void compact();

    std::vector<Span> m_spans;
};

} // namespace lttng_gpu::report
