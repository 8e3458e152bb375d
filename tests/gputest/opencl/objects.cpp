// SPDX-License-Identifier: MIT
#include "objects.hpp"

#include "submitter.hpp"

namespace lttng_gpu::gputest {

Syncobj::Syncobj(cl_device_id device) : m_device(device), m_handle(0)
{
    const std::lock_guard lock(device->mutex);
    if (device->free_syncobjs.empty()) {
        m_handle = device->file.make_syncobj();
        return;
    }
    m_handle = device->free_syncobjs.back();
    device->free_syncobjs.pop_back();
}

Syncobj::~Syncobj()
{
    const std::lock_guard lock(m_device->mutex);
    m_device->free_syncobjs.push_back(m_handle);
}

} // namespace lttng_gpu::gputest

using lttng_gpu::gputest::Submitter;
using lttng_gpu::gputest::Syncobj;

_cl_device_id::_cl_device_id(cl_platform_id owner, const std::string& path)
    : platform(owner), file(path), info(file.info()), submitter(std::make_unique<Submitter>(*this))
{
}

_cl_device_id::~_cl_device_id() = default;

_cl_command_queue::_cl_command_queue(cl_context owner, cl_command_queue_properties its_properties)
    : context(owner), device(owner->device), properties(its_properties),
      ring(device->queues++ % device->info.num_rings)
{
    context->retain();
}

_cl_command_queue::~_cl_command_queue()
{
    context->release();
}

_cl_event::_cl_event(cl_command_queue owner, cl_command_type its_type, std::string its_label)
    : queue(owner), type(its_type), label(std::move(its_label)),
      syncobj(std::make_shared<Syncobj>(owner->device))
{
    queue->retain();
}

_cl_event::~_cl_event()
{
    queue->release();
}
