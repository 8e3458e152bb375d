// SPDX-License-Identifier: MIT
//
// See spans.hpp.
#include "spans.hpp"

#include <algorithm>

namespace lttng_gpu::view {

void Spans::finish(Blobs& blobs, Timestamp origin)
{
    std::ranges::stable_sort(x_all, {}, &Span::begin);
    for (std::size_t first = 0; first < x_all.size(); first += jobs_of_chunk) {
        const std::size_t last = std::min<std::size_t>(first + jobs_of_chunk, x_all.size());
        std::array<Packed, 5> columns;
        std::int64_t previous = 0;
        std::int64_t latest = 0;
        for (std::size_t place = first; place < last; ++place) {
            const Span& span = x_all[place];
            const std::int64_t begin = (span.begin - origin).value();
            columns[0].add_signed(begin - previous);
            columns[1].add_signed((span.end - span.begin).value());
            columns[2].add(span.actor);
            columns[3].add(span.value);
            columns[4].add(span.other);
            previous = begin;
            latest = std::max(latest, (span.end - origin).value());
        }
        Packed whole;
        whole.add(last - first);
        std::ranges::for_each(columns, [&](const Packed& column) { whole.append(column); });
        x_chunks.push_back({blobs.add(whole.bytes()), last - first,
                            (x_all[first].begin - origin).value(), previous, latest});
    }
    x_all = {};
}

} // namespace lttng_gpu::view
