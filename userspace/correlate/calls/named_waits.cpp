// SPDX-License-Identifier: MIT
//
// See named_waits.hpp.
#include "named_waits.hpp"

#include <algorithm>

namespace lttng_gpu::model {

void LastEnded::take(const Job& job, std::uint64_t of_number)
{
    const bool is_later =
        completed && job.completed
            ? *completed < *job.completed || (*completed == *job.completed && number < of_number)
            : number < of_number;
    if (is_later) {
        *this = {job.ring, job.fence, job.completed, of_number};
    }
}

bool NamedWait::is_for(const ApiObjects& objects, unsigned of_queue, std::uint64_t command) const
{
    if (process != &objects) {
        return false;
    }
    return queue != 0 ? queue == of_queue && command <= newest
                      : std::ranges::find(listed, command) != listed.end();
}

void NamedWaits::add(NamedWait wait)
{
    if (wait.left == 0) {
        tell(wait);
        return;
    }
    if (m_waits.size() == most_waits) {
        tell(m_waits.front());
        m_waits.erase(m_waits.begin());
    }
    m_waits.push_back(std::move(wait));
}

void NamedWaits::note_done(const ApiObjects& process, unsigned queue, std::uint64_t command,
                           const Job& job)
{
    std::erase_if(m_waits, [&](NamedWait& wait) {
        if (!wait.is_for(process, queue, command)) {
            return false;
        }
        wait.last.take(job, command);
        if (--wait.left > 0) {
            return false;
        }
        tell(wait);
        return true;
    });
}

void NamedWaits::tell(NamedWait& named)
{
    Wait& wait = named.wait;
    if (named.last.number != 0) {
        wait.ring = named.last.ring ? named.last.ring : wait.ring;
        wait.fence = named.last.fence;
        wait.signaled = named.last.completed;
    }
    m_rows.on_wait(wait);
}

void NamedWaits::finish()
{
    for (NamedWait& wait : m_waits) {
        tell(wait);
    }
    m_waits.clear();
}

} // namespace lttng_gpu::model
