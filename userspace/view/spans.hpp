// SPDX-License-Identifier: MIT
//
// What threads did on the CPU, in pieces in order of their begins: API calls, and whether they ran.
#pragma once

#include "job_chunks.hpp"
#include "relations.hpp"

namespace lttng_gpu::view {

struct Span {
    Timestamp begin;
    Timestamp end;
    std::uint32_t actor = 0;
    std::uint32_t value = 0; // the call's name, or the state
    std::uint32_t other = 0; // of states: the name of who ran instead; 0: unknown
};

class Spans {
public:
    void add(const Span& span)
    {
        if (x_all.size() < most) {
            x_all.push_back(span);
        } else {
            ++x_left_out;
        }
    }
    void finish(Blobs& blobs, Timestamp origin);
    const std::vector<RelationChunk>& chunks() const { return x_chunks; }
    std::uint64_t left_out() const { return x_left_out; }

private:
    static constexpr std::size_t most = 8'000'000;

    std::vector<Span> x_all;
    std::vector<RelationChunk> x_chunks;
    std::uint64_t x_left_out = 0;
};

} // namespace lttng_gpu::view
