// SPDX-License-Identifier: MIT
//
// One call that puts a command into a queue: asks for an event where the command's times are wanted
// and the application wants none, records the command, and remembers it until it is complete.
#pragma once

#include "calls.hpp"
#include "queues.hpp"

namespace lttng_gpu::opencl {

/// In place of the application's pointer, for functions that give no event.
inline cl_event* const no_event = reinterpret_cast<cl_event*>(-1);
/// The size of what clEnqueueTask enqueues.
inline const size_t one_work_item[] = {1};

class EnqueueCall {
public:
    enum class Kind : unsigned char { kernel, transfer, command_buffer, command };

    EnqueueCall(Name function, cl_command_type type, Kind kind, cl_command_queue queue,
                bool is_blocking, cl_event* event);
    EnqueueCall(const EnqueueCall&) = delete;
    EnqueueCall& operator=(const EnqueueCall&) = delete;

    /// What the driver's function is given.
    cl_event* event() { return m_event; }
    /// Right after the driver's function. True if the command is to be recorded.
    bool returned(cl_int result, cl_uint waits_count, const cl_event* waits);
    void record_kernel(cl_kernel kernel, cl_uint work_dim, const size_t* offset,
                       const size_t* global, const size_t* local);
    void record_transfer(cl_mem source, cl_mem destination, size_t bytes);
    void record_command_buffer(cl_command_buffer_khr buffer);
    void record_command();
    /// After the record, so that a command's times never come before it.
    void end();

private:
    /// Writes a record with the fields that all commands have; `fill` adds the others.
    template <class Record, class Fill>
    void write(void (*write_record)(const Record*), Fill&& fill) const;
    /// The queue could not be noted.
    void count_unknown() const;
    bool has_application_event() const
    {
        return m_event != &m_own_event && m_event && m_event != no_event;
    }
    /// What the layer knows of the application's event from now on. False without memory.
    bool note_event(bool is_pending);
    void follow();

    Call m_call;
    cl_command_queue m_handle;
    Queue* m_queue = nullptr;
    cl_event* m_event;
    cl_event m_own_event = nullptr;
    const cl_event* m_waits = nullptr;
    uint64_t m_enqueued_before = 0;
    uint64_t m_number = 0; ///< 0: the call failed
    cl_command_type m_type;
    cl_uint m_waits_count = 0;
    Kind m_kind;
    bool m_is_blocking;
    bool m_wants_times;
    bool m_is_timed = false;
};

/// Bytes of a region of a buffer, and of one of an image.
size_t volume(const size_t* region);
size_t image_bytes(cl_mem image, const size_t* region);

} // namespace lttng_gpu::opencl
