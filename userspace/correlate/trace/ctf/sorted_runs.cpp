// SPDX-License-Identifier: MIT
//
// See sorted_runs.hpp.
#include "sorted_runs.hpp"

#include <algorithm>

namespace lttng_gpu::trace::ctf {

/// From both ends at once: each of the two chains waits for its last comparison, and
/// the processor works on one while the other waits. As many steps as the shorter run
/// is long take half of it at most from either end, so no step looks for a run's end.
void merge_two(Run first, Run second, Record* out)
{
    const Record* a = first.data();
    const Record* b = second.data();
    const Record* a_end = a + first.size();
    const Record* b_end = b + second.size();
    Record* out_end = out + first.size() + second.size();
    for (;;) {
        std::ptrdiff_t steps = std::min(a_end - a, b_end - b) / 2;
        if (steps == 0) {
            break;
        }
        do {
            const std::ptrdiff_t is_b = b->time < a->time ? 1 : 0;
            *out++ = *(is_b != 0 ? b : a);
            b += is_b;
            a += 1 - is_b;
            const std::ptrdiff_t is_last_b = b_end[-1].time >= a_end[-1].time ? 1 : 0;
            *--out_end = *(is_last_b != 0 ? b_end - 1 : a_end - 1);
            b_end -= is_last_b;
            a_end -= 1 - is_last_b;
        } while (--steps > 0);
    }
    while (a != a_end && b != b_end) {
        *out++ = b->time < a->time ? *b++ : *a++;
    }
    out = std::copy(a, a_end, out);
    std::copy(b, b_end, out);
}

void RunMerge::merge(std::vector<Run>& runs, RecordList& out)
{
    std::size_t total = 0;
    for (const Run& run : runs) {
        total += run.size();
    }
    std::size_t room = 0;
    while (runs.size() > 2) {
        std::vector<Record>& records = m_rooms[room];
        if (records.size() < total) {
            records.resize(total);
        }
        Record* at = records.data();
        std::size_t kept = 0;
        for (std::size_t index = 0; index < runs.size(); index += 2) {
            const Run second = index + 1 < runs.size() ? runs[index + 1] : Run{};
            const std::size_t size = runs[index].size() + second.size();
            merge_two(runs[index], second, at);
            runs[kept++] = {at, size};
            at += size;
        }
        runs.resize(kept);
        room = 1 - room;
    }
    if (!runs.empty()) {
        merge_two(runs[0], runs.size() == 2 ? runs[1] : Run{}, out.reserve(total));
        out.take(total);
    }
    runs.clear();
}

} // namespace lttng_gpu::trace::ctf
