// SPDX-License-Identifier: MIT
//
// What threads did on the CPU, in pieces: API calls, and whether they ran. Those of one thread are
// in order of their begins.
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

/// Packs spans as they come, so that memory holds packed ones only.
class SpanChunks {
public:
    SpanChunks(Blobs& blobs, Timestamp origin) : m_blobs{&blobs}, m_origin{origin} {}

    void add(const Span& span);
    /// Packs what is left.
    void finish();
    /// Forgets them all, and those that come.
    void drop();
    const std::vector<RelationChunk>& all() const { return m_chunks; }
    std::uint64_t left_out() const { return m_left_out; }

private:
    static constexpr std::uint64_t most = 8'000'000;
    static constexpr std::size_t column_count = 5;

    Blobs* m_blobs;
    Timestamp m_origin;
    std::array<Packed, column_count> m_columns;
    RelationChunk m_open;
    std::int64_t m_previous = 0;
    std::vector<RelationChunk> m_chunks;
    std::uint64_t m_count = 0;
    std::uint64_t m_left_out = 0;
    bool m_is_dropped = false;
};

/// Those that come in any order.
class Spans {
public:
    void add(const Span& span)
    {
        if (m_all.size() < most) {
            m_all.push_back(span);
        } else {
            ++m_left_out;
        }
    }
    void finish(Blobs& blobs, Timestamp origin);
    const std::vector<RelationChunk>& chunks() const { return m_chunks; }
    std::uint64_t left_out() const { return m_left_out; }

private:
    static constexpr std::size_t most = 8'000'000;

    std::vector<Span> m_all;
    std::vector<RelationChunk> m_chunks;
    std::uint64_t m_left_out = 0;
};

} // namespace lttng_gpu::view
