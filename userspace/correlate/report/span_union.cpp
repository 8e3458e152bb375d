// SPDX-License-Identifier: MIT
//
// See span_union.hpp.
#include "span_union.hpp"

#include <algorithm>

namespace lttng_gpu::report {

void SpanUnion::add(std::int64_t begin, std::int64_t end)
{
    if (begin >= end) {
        return;
    }
    if (!x_spans.empty() && x_spans.back().begin <= begin && end <= x_spans.back().end) {
        return;
    }
    x_spans.push_back({begin, end});
    if (x_spans.size() == most_spans) {
        compact();
    }
}

std::vector<SpanUnion::Span> SpanUnion::merged(std::vector<Span> spans)
{
    std::sort(spans.begin(), spans.end(),
              [](const Span& left, const Span& right) { return left.begin < right.begin; });
    std::size_t kept = 0;
    for (const Span& span : spans) {
        if (kept > 0 && span.begin <= spans[kept - 1].end) {
            spans[kept - 1].end = std::max(spans[kept - 1].end, span.end);
        } else {
            spans[kept++] = span;
        }
    }
    spans.resize(kept);
    return spans;
}

/// Overlaps go first; if that is not enough, every second gap does.
void SpanUnion::compact()
{
    x_spans = merged(std::move(x_spans));
    if (x_spans.size() > most_spans / 2) {
        for (std::size_t at = 0; at + 1 < x_spans.size(); at += 2) {
            x_spans[at].end = x_spans[at + 1].begin;
        }
        x_spans = merged(std::move(x_spans));
    }
}

std::int64_t SpanUnion::length(std::int64_t limit) const
{
    std::int64_t sum = 0;
    for (const Span& span : merged(x_spans)) {
        sum += std::max<std::int64_t>(0, std::min(span.end, limit) - span.begin);
    }
    return sum;
}

} // namespace lttng_gpu::report
