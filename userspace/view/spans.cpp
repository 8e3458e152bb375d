// SPDX-License-Identifier: MIT
//
// See spans.hpp.
#include "spans.hpp"

#include <algorithm>

namespace lttng_gpu::view {

void SpanChunks::add(const Span& span)
{
    if (x_is_dropped) {
        return;
    }
    if (x_count == most) {
        ++x_left_out;
        return;
    }
    ++x_count;
    const std::int64_t begin = (span.begin - x_origin).value();
    if (x_open.count == 0) {
        x_previous = 0;
        x_open.first = x_open.last = begin;
        x_open.end = 0;
    }
    x_columns[0].add_signed(begin - x_previous);
    x_columns[1].add_signed((span.end - span.begin).value());
    x_columns[2].add(span.actor);
    x_columns[3].add(span.value);
    x_columns[4].add(span.other);
    x_previous = begin;
    x_open.first = std::min(x_open.first, begin);
    x_open.last = std::max(x_open.last, begin);
    x_open.end = std::max(x_open.end, (span.end - x_origin).value());
    if (++x_open.count == jobs_of_chunk) {
        finish();
    }
}

void SpanChunks::finish()
{
    if (x_open.count == 0) {
        return;
    }
    Packed whole;
    whole.add(x_open.count);
    for (Packed& column : x_columns) {
        whole.append(column);
        column.clear();
    }
    x_open.blob = x_blobs->add(whole.bytes());
    x_chunks.push_back(x_open);
    x_open = {};
}

void SpanChunks::drop()
{
    for (const RelationChunk& chunk : x_chunks) {
        x_blobs->forget(chunk.blob);
    }
    x_chunks = {};
    x_open = {};
    x_is_dropped = true;
}

void Spans::finish(Blobs& blobs, Timestamp origin)
{
    std::ranges::stable_sort(x_all, {}, &Span::begin);
    SpanChunks chunks{blobs, origin};
    for (const Span& span : x_all) {
        chunks.add(span);
    }
    chunks.finish();
    x_chunks = chunks.all();
    x_all = {};
}

} // namespace lttng_gpu::view
