// SPDX-License-Identifier: MIT
//
// See spans.hpp.
#include "spans.hpp"

#include <algorithm>

namespace lttng_gpu::view {

void SpanChunks::add(const Span& span)
{
    if (m_is_dropped) {
        return;
    }
    if (m_count == most) {
        ++m_left_out;
        return;
    }
    ++m_count;
    const std::int64_t begin = (span.begin - m_origin).value();
    if (m_open.count == 0) {
        m_previous = 0;
        m_open.first = m_open.last = begin;
        m_open.end = 0;
    }
    m_columns[0].add_signed(begin - m_previous);
    m_columns[1].add_signed((span.end - span.begin).value());
    m_columns[2].add(span.actor);
    m_columns[3].add(span.value);
    m_columns[4].add(span.other);
    m_previous = begin;
    m_open.first = std::min(m_open.first, begin);
    m_open.last = std::max(m_open.last, begin);
    m_open.end = std::max(m_open.end, (span.end - m_origin).value());
    if (++m_open.count == jobs_of_chunk) {
        finish();
    }
}

void SpanChunks::finish()
{
    if (m_open.count == 0) {
        return;
    }
    Packed whole;
    whole.add(m_open.count);
    for (Packed& column : m_columns) {
        whole.append(column);
        column.clear();
    }
    m_open.blob = m_blobs->add(whole.bytes());
    m_chunks.push_back(m_open);
    m_open = {};
}

void SpanChunks::drop()
{
    for (const RelationChunk& chunk : m_chunks) {
        m_blobs->forget(chunk.blob);
    }
    m_chunks = {};
    m_open = {};
    m_is_dropped = true;
}

void Spans::finish(Blobs& blobs, Timestamp origin)
{
    std::ranges::stable_sort(m_all, {}, &Span::begin);
    SpanChunks chunks{blobs, origin};
    for (const Span& span : m_all) {
        chunks.add(span);
    }
    chunks.finish();
    m_chunks = chunks.all();
    m_all = {};
}

} // namespace lttng_gpu::view
