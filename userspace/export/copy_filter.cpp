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
        : m_self{self}, m_component{bt_self_message_iterator_borrow_component(self)}, m_work{work},
          m_relay{std::move(upstream)}, m_copier{self, m_component, *work.plan, work.kept}
    {
    }

    Expected<trace::Bt2Relay::Status> next(bt_message_array_const messages, std::uint64_t capacity,
                                           std::uint64_t& count)
    {
        return m_relay.next(
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

    bt_self_message_iterator* m_self;
    bt_self_component* m_component;
    CopyWork& m_work;
    trace::Bt2Relay m_relay;
    MessageCopier m_copier;
    std::vector<Bt2MessageRef> m_beginnings; // until something else comes
    bool m_has_begun = false;
};

void CopyIterator::keep(const Expected<void>& result)
{
    if (!result) {
        m_relay.fail(result.error());
    }
}

void CopyIterator::take(Bt2MessageRef message)
{
    if (m_relay.failed()) {
        return;
    }
    const bool begins_stream =
        bt_message_get_type(message.get()) == BT_MESSAGE_TYPE_STREAM_BEGINNING;
    if (!m_has_begun && begins_stream) {
        m_beginnings.push_back(std::move(message));
        return;
    }
    keep(begin());
    if (!m_relay.failed()) {
        keep(copy(message.get()));
    }
}

Expected<void> CopyIterator::begin()
{
    if (m_has_begun) {
        return {};
    }
    m_has_begun = true;
    if (auto prepared = m_copier.prepare(m_beginnings); !prepared) {
        return prepared;
    }
    for (const Bt2MessageRef& message : m_beginnings) {
        if (auto copied = copy(message.get()); !copied) {
            return copied;
        }
    }
    m_beginnings.clear();
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
    auto copied = m_copier.copy(message);
    if (!copied) {
        return Failure{copied.error()};
    }
    m_work.events += bt_message_get_type(message) == BT_MESSAGE_TYPE_EVENT ? 1 : 0;
    if (*copied) {
        m_relay.push(std::move(*copied));
    }
    return {};
}

/// The group whose next extra event is the earliest of those due; none: nothing is due.
Expected<std::optional<std::size_t>> CopyIterator::find_due(std::optional<Timestamp> until)
{
    std::optional<std::size_t> earliest;
    std::optional<Timestamp> limit = until;
    for (std::size_t group = 0; group < m_work.extra.size(); ++group) {
        if (m_work.extra[group] == nullptr || m_copier.output(group) == nullptr) {
            continue;
        }
        const auto time = m_work.extra[group]->next_time();
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
        auto messages = m_work.extra[**group]->take(m_self, m_component, *m_copier.output(**group));
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
    for (const auto& extra : m_work.extra) {
        if (extra) {
            auto messages = extra->finish(m_self);
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
        m_relay.push(std::move(message));
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
