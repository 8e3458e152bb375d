// SPDX-License-Identifier: MIT
//
// The message iterator of a filter: takes what comes from upstream, and hands out, as many at a
// time as are wanted, the messages that became ready with it. The first failure ends it.
#pragma once

#include "../../base/expected.hpp"
#include "upstream.hpp"

#include <deque>
#include <optional>

namespace lttng_gpu::trace {

class Bt2Relay {
public:
    using Status = bt_message_iterator_class_next_method_status;

    explicit Bt2Relay(Bt2MessageIteratorRef upstream) : m_upstream{std::move(upstream)} {}

    /// `take` is called with each message, `finish` after the last; both call push() and fail().
    template <typename Take, typename Finish>
    Expected<Status> next(bt_message_array_const messages, std::uint64_t capacity,
                          std::uint64_t& count, const Take& take, const Finish& finish);

    void push(Bt2MessageRef message) { m_ready.push_back(std::move(message)); }
    void fail(Error error)
    {
        if (!m_failure) {
            m_failure = std::move(error);
        }
    }
    bool failed() const { return m_failure.has_value(); }

    bt_message_iterator* upstream() const { return m_upstream.get(); }
    /// Upstream is at its beginning again.
    void restart();

private:
    Bt2MessageIteratorRef m_upstream;
    std::deque<Bt2MessageRef> m_ready;
    std::optional<Error> m_failure;
    bool m_is_over = false;
};

template <typename Take, typename Finish>
Expected<Bt2Relay::Status> Bt2Relay::next(bt_message_array_const messages, std::uint64_t capacity,
                                          std::uint64_t& count, const Take& take,
                                          const Finish& finish)
{
    while (m_ready.empty() && !m_is_over) {
        switch (read_batch(m_upstream.get(), take)) {
        case Arrival::Messages:
            break;
        case Arrival::NotYet:
            return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_AGAIN;
        case Arrival::End:
            m_is_over = true;
            finish();
            break;
        case Arrival::Error:
            return Failure{{ErrorKind::DamagedTrace, "upstream failed"}};
        }
        if (m_failure) {
            return Failure{*m_failure};
        }
    }
    if (m_ready.empty()) {
        return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_END;
    }
    for (count = 0; count < capacity && !m_ready.empty(); ++count) {
        messages[count] = m_ready.front().release();
        m_ready.pop_front();
    }
    return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK;
}

inline void Bt2Relay::restart()
{
    m_ready.clear();
    m_is_over = false;
}

} // namespace lttng_gpu::trace
