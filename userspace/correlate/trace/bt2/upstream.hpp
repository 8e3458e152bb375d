// SPDX-License-Identifier: MIT
//
// The messages that come from upstream, one batch at a time, each owned here until it
// is taken on or the next batch is read.
#pragma once

#include "ref.hpp"

#include <span>

namespace lttng_gpu::trace {

enum class Arrival { Messages, NotYet, End, Error };

/// After an error the thread's error says why.
template <typename Take> Arrival read_batch(bt_message_iterator* iterator, const Take& take)
{
    bt_message_array_const messages = nullptr;
    std::uint64_t count = 0;
    switch (bt_message_iterator_next(iterator, &messages, &count)) {
    case BT_MESSAGE_ITERATOR_NEXT_STATUS_OK:
        for (const bt_message* message : std::span{messages, count}) {
            take(Bt2MessageRef{message});
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

} // namespace lttng_gpu::trace
