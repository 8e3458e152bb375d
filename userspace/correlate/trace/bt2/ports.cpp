// SPDX-License-Identifier: MIT
//
// See ports.hpp.
#include "ports.hpp"

namespace lttng_gpu::trace {
namespace {

bool is_connected(bt_self_component_port_input* port)
{
    return bt_port_is_connected(bt_port_input_as_port_const(
               bt_self_component_port_input_as_port_input(port))) != BT_FALSE;
}

Failure not_connected()
{
    return Failure{{ErrorKind::BadArguments, "nothing is connected to the port `in`"}};
}

} // namespace

Expected<bt_self_component_port_input*> add_ports(bt_self_component_filter* filter)
{
    if (bt_self_component_filter_add_input_port(filter, "in", nullptr, nullptr) !=
            BT_SELF_COMPONENT_ADD_PORT_STATUS_OK ||
        bt_self_component_filter_add_output_port(filter, "out", nullptr, nullptr) !=
            BT_SELF_COMPONENT_ADD_PORT_STATUS_OK) {
        return Failure{{ErrorKind::BadArguments, "cannot add the ports `in` and `out`"}};
    }
    return bt_self_component_filter_borrow_input_port_by_name(filter, "in");
}

Expected<void> add_port(bt_self_component_sink* sink)
{
    if (bt_self_component_sink_add_input_port(sink, "in", nullptr, nullptr) !=
        BT_SELF_COMPONENT_ADD_PORT_STATUS_OK) {
        return Failure{{ErrorKind::BadArguments, "cannot add the port `in`"}};
    }
    return {};
}

Expected<Bt2MessageIteratorRef> open_upstream(bt_self_message_iterator* iterator,
                                              bt_self_component_port_input* port)
{
    bt_message_iterator* upstream = nullptr;
    if (!is_connected(port) ||
        bt_message_iterator_create_from_message_iterator(iterator, port, &upstream) !=
            BT_MESSAGE_ITERATOR_CREATE_FROM_MESSAGE_ITERATOR_STATUS_OK) {
        return not_connected();
    }
    return Bt2MessageIteratorRef{upstream};
}

Expected<Bt2MessageIteratorRef> open_upstream(bt_self_component_sink* sink)
{
    auto* port = bt_self_component_sink_borrow_input_port_by_name(sink, "in");
    bt_message_iterator* upstream = nullptr;
    if (!is_connected(port) ||
        bt_message_iterator_create_from_sink_component(sink, port, &upstream) !=
            BT_MESSAGE_ITERATOR_CREATE_FROM_SINK_COMPONENT_STATUS_OK) {
        return not_connected();
    }
    return Bt2MessageIteratorRef{upstream};
}

} // namespace lttng_gpu::trace
