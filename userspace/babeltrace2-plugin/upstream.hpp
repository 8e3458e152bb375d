// SPDX-License-Identifier: MIT
//
// The messages that come from upstream, one batch at a time, each owned here until it
// is taken on or the next batch is read.
#pragma once

#include "../correlate/trace/bt2/ref.hpp"

#include <span>

namespace lttng_gpu::plugin {

enum class Arrival { Messages, NotYet, End, Error };

class Upstream {
public:
    Upstream() = default;
    explicit Upstream(bt_message_iterator* owned) : x_iterator{owned} {}

    /// After an error the thread's error says why.
    template <typename Take> Arrival read(const Take& take)
    {
        bt_message_array_const messages = nullptr;
        std::uint64_t count = 0;
        switch (bt_message_iterator_next(x_iterator.get(), &messages, &count)) {
        case BT_MESSAGE_ITERATOR_NEXT_STATUS_OK:
            for (const bt_message* message : std::span{messages, count}) {
                take(trace::Bt2MessageRef{message});
            }
            return Arrival::Messages;
        case BT_MESSAGE_ITERATOR_NEXT_STATUS_AGAIN:
            return Arrival::NotYet;
        case BT_MESSAGE_ITERATOR_NEXT_STATUS_END:
            return Arrival::End;
        default:
            return Arrival::Error;
        }
    }

    bt_message_iterator* get() const { return x_iterator.get(); }

private:
    trace::Bt2MessageIteratorRef x_iterator;
};

} // namespace lttng_gpu::plugin
