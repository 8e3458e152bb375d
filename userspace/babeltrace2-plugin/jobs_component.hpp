// SPDX-License-Identifier: MIT
//
// filter.gpu.jobs: passes all messages on and adds a stream with one event per job.
// The functions are the methods that babeltrace2 calls; the work is a JobsIterator's.
#pragma once

#include <babeltrace2/babeltrace.h>
#include <cstdint>

namespace lttng_gpu::plugin {

bt_component_class_initialize_method_status initialize_jobs(bt_self_component_filter* filter,
                                                            bt_self_component_filter_configuration*,
                                                            const bt_value* params, void*) noexcept;

bt_message_iterator_class_initialize_method_status
initialize_jobs_iterator(bt_self_message_iterator* self, bt_self_message_iterator_configuration*,
                         bt_self_component_port_output*) noexcept;
bt_message_iterator_class_next_method_status next_jobs(bt_self_message_iterator* self,
                                                       bt_message_array_const messages,
                                                       std::uint64_t capacity,
                                                       std::uint64_t* count) noexcept;
bt_message_iterator_class_can_seek_beginning_method_status
can_jobs_seek_beginning(bt_self_message_iterator* self, bt_bool* can_seek) noexcept;
bt_message_iterator_class_seek_beginning_method_status
seek_jobs_beginning(bt_self_message_iterator* self) noexcept;
void finalize_jobs_iterator(bt_self_message_iterator* self) noexcept;

} // namespace lttng_gpu::plugin
