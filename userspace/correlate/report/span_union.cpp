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
    if (!m_spans.empty() && m_spans.back().begin <= begin && end <= m_spans.back().end) {
        return;
    }
    m_spans.push_back({begin, end});
    if (m_spans.size() == most_spans) {
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
    m_spans = merged(std::move(m_spans));
    if (m_spans.size() > most_spans / 2) {
        for (std::size_t at = 0; at + 1 < m_spans.size(); at += 2) {
            m_spans[at].end = m_spans[at + 1].begin;
        }
        m_spans = merged(std::move(m_spans));
    }
}

std::int64_t SpanUnion::length(std::int64_t limit) const
{
    std::int64_t sum = 0;
    for (const Span& span : merged(m_spans)) {
        sum += std::max<std::int64_t>(0, std::min(span.end, limit) - span.begin);
    }
    return sum;
}

} // namespace lttng_gpu::report
