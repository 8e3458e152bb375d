// SPDX-License-Identifier: MIT
//
// See copy_filter.hpp.
#include "copy_filter.hpp"

#include "../correlate/trace/bt2/border.hpp"
#include "../correlate/trace/bt2/message_clock.hpp"
#include "../correlate/trace/bt2/message_reader.hpp"
#include "../correlate/trace/bt2/ports.hpp"
#include "../correlate/trace/bt2/relay.hpp"
#include "message_copier.hpp"

namespace lttng_gpu::exporting {
namespace {

using trace::at_border;
using trace::Bt2MessageRef;

struct Component {
    CopyWork* work;
    bt_self_component_port_input* input;
};

class CopyIterator {
public:
    CopyIterator(bt_self_message_iterator* self, CopyWork& work,
                 trace::Bt2MessageIteratorRef upstream)
        : x_self{self}, x_component{bt_self_message_iterator_borrow_component(self)}, x_work{work},
          x_relay{std::move(upstream)}, x_copier{self, x_component, *work.plan, work.kept}
    {
    }

    Expected<trace::Bt2Relay::Status> next(bt_message_array_const messages, std::uint64_t capacity,
                                           std::uint64_t& count)
    {
        return x_relay.next(
            messages, capacity, count, [this](Bt2MessageRef message) { take(std::move(message)); },
            [this] { keep(finish()); });
    }

private:
    void take(Bt2MessageRef message);
    Expected<void> begin();
    Expected<void> copy(const bt_message* message);
    /// Extra events that are not later; without a time all that are left.
    Expected<void> add_extra(std::optional<Timestamp> until);
    Expected<std::optional<std::size_t>> find_due(std::optional<Timestamp> until);
    Expected<void> finish();
    void queue(std::vector<Bt2MessageRef> messages);
    void keep(const Expected<void>& result);

    bt_self_message_iterator* x_self;
    bt_self_component* x_component;
    CopyWork& x_work;
    trace::Bt2Relay x_relay;
    MessageCopier x_copier;
    std::vector<Bt2MessageRef> x_beginnings; // until something else comes
    bool x_has_begun = false;
};

void CopyIterator::keep(const Expected<void>& result)
{
    if (!result) {
        x_relay.fail(result.error());
    }
}

void CopyIterator::take(Bt2MessageRef message)
{
    if (x_relay.failed()) {
        return;
    }
    const bool begins_stream =
        bt_message_get_type(message.get()) == BT_MESSAGE_TYPE_STREAM_BEGINNING;
    if (!x_has_begun && begins_stream) {
        x_beginnings.push_back(std::move(message));
        return;
    }
    keep(begin());
    if (!x_relay.failed()) {
        keep(copy(message.get()));
    }
}

Expected<void> CopyIterator::begin()
{
    if (x_has_begun) {
        return {};
    }
    x_has_begun = true;
    if (auto prepared = x_copier.prepare(x_beginnings); !prepared) {
        return prepared;
    }
    for (const Bt2MessageRef& message : x_beginnings) {
        if (auto copied = copy(message.get()); !copied) {
            return copied;
        }
    }
    x_beginnings.clear();
    return {};
}

Expected<void> CopyIterator::copy(const bt_message* message)
{
    if (const auto* snapshot = trace::clock_snapshot_of(message)) {
        if (const auto time = trace::time_of(snapshot)) {
            if (auto added = add_extra(*time); !added) {
                return added;
            }
        }
    }
    auto copied = x_copier.copy(message);
    if (!copied) {
        return Failure{copied.error()};
    }
    x_work.events += bt_message_get_type(message) == BT_MESSAGE_TYPE_EVENT ? 1 : 0;
    if (*copied) {
        x_relay.push(std::move(*copied));
    }
    return {};
}

/// The group whose next extra event is the earliest of those due; none: nothing is due.
Expected<std::optional<std::size_t>> CopyIterator::find_due(std::optional<Timestamp> until)
{
    std::optional<std::size_t> earliest;
    std::optional<Timestamp> limit = until;
    for (std::size_t group = 0; group < x_work.extra.size(); ++group) {
        if (x_work.extra[group] == nullptr || x_copier.output(group) == nullptr) {
            continue;
        }
        const auto time = x_work.extra[group]->next_time();
        if (!time) {
            return Failure{time.error()};
        }
        if (*time && (!limit || **time <= *limit)) {
            earliest = group;
            limit = **time;
        }
    }
    return earliest;
}

Expected<void> CopyIterator::add_extra(std::optional<Timestamp> until)
{
    for (;;) {
        const auto group = find_due(until);
        if (!group) {
            return Failure{group.error()};
        }
        if (!*group) {
            return {};
        }
        auto messages = x_work.extra[**group]->take(x_self, x_component, *x_copier.output(**group));
        if (!messages) {
            return Failure{messages.error()};
        }
        queue(std::move(*messages));
    }
}

Expected<void> CopyIterator::finish()
{
    if (auto begun = begin(); !begun) { // streams without anything in them
        return begun;
    }
    if (auto added = add_extra({}); !added) {
        return added;
    }
    for (const auto& extra : x_work.extra) {
        if (extra) {
            auto messages = extra->finish(x_self);
            if (!messages) {
                return Failure{messages.error()};
            }
            queue(std::move(*messages));
        }
    }
    return {};
}

void CopyIterator::queue(std::vector<Bt2MessageRef> messages)
{
    for (Bt2MessageRef& message : messages) {
        x_relay.push(std::move(message));
    }
}

Component* component_of(bt_self_message_iterator* self)
{
    return static_cast<Component*>(
        bt_self_component_get_data(bt_self_message_iterator_borrow_component(self)));
}

CopyIterator* data_of(bt_self_message_iterator* self)
{
    return static_cast<CopyIterator*>(bt_self_message_iterator_get_data(self));
}

Expected<bt_component_class_initialize_method_status> set_up(bt_self_component_filter* filter,
                                                             void* work)
{
    const auto input = trace::add_ports(filter);
    if (!input) {
        return Failure{input.error()};
    }
    auto component = std::make_unique<Component>(Component{static_cast<CopyWork*>(work), *input});
    bt_self_component_set_data(bt_self_component_filter_as_self_component(filter),
                               component.release());
    return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

bt_component_class_initialize_method_status initialize(bt_self_component_filter* filter,
                                                       bt_self_component_filter_configuration*,
                                                       const bt_value*, void* work) noexcept
{
    return at_border(bt_self_component_filter_as_self_component(filter),
                     BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR,
                     [&] { return set_up(filter, work); });
}

void finalize(bt_self_component_filter* filter) noexcept
{
    delete static_cast<Component*>(
        bt_self_component_get_data(bt_self_component_filter_as_self_component(filter)));
}

Expected<bt_message_iterator_class_initialize_method_status>
set_up_iterator(bt_self_message_iterator* self)
{
    auto upstream = trace::open_upstream(self, component_of(self)->input);
    if (!upstream) {
        return Failure{upstream.error()};
    }
    auto iterator =
        std::make_unique<CopyIterator>(self, *component_of(self)->work, std::move(*upstream));
    bt_self_message_iterator_set_data(self, iterator.release());
    return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

bt_message_iterator_class_initialize_method_status
initialize_iterator(bt_self_message_iterator* self, bt_self_message_iterator_configuration*,
                    bt_self_component_port_output*) noexcept
{
    return at_border(bt_self_message_iterator_borrow_component(self),
                     BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_ERROR,
                     [&] { return set_up_iterator(self); });
}

void finalize_iterator(bt_self_message_iterator* self) noexcept
{
    delete data_of(self);
}

bt_message_iterator_class_next_method_status next(bt_self_message_iterator* self,
                                                  bt_message_array_const messages,
                                                  std::uint64_t capacity,
                                                  std::uint64_t* count) noexcept
{
    return at_border(bt_self_message_iterator_borrow_component(self),
                     BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_ERROR,
                     [&] { return data_of(self)->next(messages, capacity, *count); });
}

} // namespace

trace::Bt2FilterClassRef make_copy_filter_class()
{
    const trace::Bt2IteratorClassRef iterator{bt_message_iterator_class_create(next)};
    if (!iterator) {
        return {};
    }
    trace::Bt2FilterClassRef filter{bt_component_class_filter_create("copy", iterator.get())};
    const bool is_good =
        filter != nullptr &&
        bt_message_iterator_class_set_initialize_method(iterator.get(), initialize_iterator) ==
            BT_MESSAGE_ITERATOR_CLASS_SET_METHOD_STATUS_OK &&
        bt_message_iterator_class_set_finalize_method(iterator.get(), finalize_iterator) ==
            BT_MESSAGE_ITERATOR_CLASS_SET_METHOD_STATUS_OK &&
        bt_component_class_filter_set_initialize_method(filter.get(), initialize) ==
            BT_COMPONENT_CLASS_SET_METHOD_STATUS_OK &&
        bt_component_class_filter_set_finalize_method(filter.get(), finalize) ==
            BT_COMPONENT_CLASS_SET_METHOD_STATUS_OK;
    return is_good ? std::move(filter) : trace::Bt2FilterClassRef{};
}

} // namespace lttng_gpu::exporting
