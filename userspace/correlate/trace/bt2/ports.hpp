// SPDX-License-Identifier: MIT
//
// The ports of this program's components, `in` and `out`, and what comes through `in`.
#pragma once

#include "../../base/expected.hpp"
#include "ref.hpp"

namespace lttng_gpu::trace {

/// Both ports; the first is given.
Expected<bt_self_component_port_input*> add_ports(bt_self_component_filter* filter);
Expected<void> add_port(bt_self_component_sink* sink);

Expected<Bt2MessageIteratorRef> open_upstream(bt_self_message_iterator* iterator,
                                              bt_self_component_port_input* port);
Expected<Bt2MessageIteratorRef> open_upstream(bt_self_component_sink* sink);

} // namespace lttng_gpu::trace
