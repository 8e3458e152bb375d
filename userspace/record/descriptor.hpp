// SPDX-License-Identifier: MIT
//
// Owns a file descriptor.
#pragma once

#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace lttng_gpu::record {

class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int descriptor) : m_descriptor{descriptor} {}
    Descriptor(Descriptor&& other) noexcept : m_descriptor{std::exchange(other.m_descriptor, -1)} {}
    Descriptor& operator=(Descriptor&& other) noexcept
    {
        std::swap(m_descriptor, other.m_descriptor);
        return *this;
    }
    ~Descriptor()
    {
        if (m_descriptor >= 0) {
            close(m_descriptor);
        }
    }

    explicit operator bool() const { return m_descriptor >= 0; }
    int get() const { return m_descriptor; }

private:
    int m_descriptor = -1;
};

} // namespace lttng_gpu::record
