// SPDX-License-Identifier: MIT
//
// See jobs_component.hpp.
#include "jobs_component.hpp"

#include "../correlate/trace/bt2/border.hpp"
#include "../correlate/trace/bt2/ports.hpp"
#include "jobs_iterator.hpp"
#include "parameters.hpp"

namespace lttng_gpu::plugin {
namespace {

using trace::at_border;

bt_self_component* component_of(bt_self_message_iterator* self)
{
    return bt_self_message_iterator_borrow_component(self);
}

JobsIterator* data_of(bt_self_message_iterator* self)
{
    return static_cast<JobsIterator*>(bt_self_message_iterator_get_data(self));
}

Expected<bt_component_class_initialize_method_status> set_up(bt_self_component_filter* filter,
                                                             const bt_value* params)
{
    if (const auto checked = check_no_parameters(params); !checked) {
        return Failure{checked.error()};
    }
    const auto input = trace::add_ports(filter);
    if (!input) {
        return Failure{input.error()};
    }
    // All that the iterators need of their component.
    bt_self_component_set_data(bt_self_component_filter_as_self_component(filter), *input);
    return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

Expected<bt_message_iterator_class_initialize_method_status>
set_up_iterator(bt_self_message_iterator* self)
{
    auto* port =
        static_cast<bt_self_component_port_input*>(bt_self_component_get_data(component_of(self)));
    auto upstream = trace::open_upstream(self, port);
    if (!upstream) {
        return Failure{upstream.error()};
    }
    auto iterator = std::make_unique<JobsIterator>(self, std::move(*upstream));
    bt_self_message_iterator_set_data(self, iterator.release());
    return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

} // namespace

bt_component_class_initialize_method_status initialize_jobs(bt_self_component_filter* filter,
                                                            bt_self_component_filter_configuration*,
                                                            const bt_value* params, void*) noexcept
{
    return at_border(bt_self_component_filter_as_self_component(filter),
                     BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR,
                     [&] { return set_up(filter, params); });
}

bt_message_iterator_class_initialize_method_status
initialize_jobs_iterator(bt_self_message_iterator* self, bt_self_message_iterator_configuration*,
                         bt_self_component_port_output*) noexcept
{
    return at_border(component_of(self), BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_ERROR,
                     [&] { return set_up_iterator(self); });
}

bt_message_iterator_class_next_method_status next_jobs(bt_self_message_iterator* self,
                                                       bt_message_array_const messages,
                                                       std::uint64_t capacity,
                                                       std::uint64_t* count) noexcept
{
    return at_border(component_of(self), BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_ERROR,
                     [&] { return data_of(self)->next(messages, capacity, *count); });
}

bt_message_iterator_class_can_seek_beginning_method_status
can_jobs_seek_beginning(bt_self_message_iterator* self, bt_bool* can_seek) noexcept
{
    // Both enumerations are made of the library's general codes.
    return static_cast<bt_message_iterator_class_can_seek_beginning_method_status>(
        bt_message_iterator_can_seek_beginning(data_of(self)->upstream(), can_seek));
}

bt_message_iterator_class_seek_beginning_method_status
seek_jobs_beginning(bt_self_message_iterator* self) noexcept
{
    using Status = bt_message_iterator_class_seek_beginning_method_status;
    return at_border(
        component_of(self), BT_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHOD_STATUS_ERROR,
        [&]() -> Expected<Status> {
            JobsIterator& iterator = *data_of(self);
            const auto status =
                static_cast<Status>(bt_message_iterator_seek_beginning(iterator.upstream()));
            if (status == BT_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHOD_STATUS_OK) {
                iterator.restart();
            }
            return status;
        });
}

void finalize_jobs_iterator(bt_self_message_iterator* self) noexcept
{
    delete data_of(self);
}

} // namespace lttng_gpu::plugin
