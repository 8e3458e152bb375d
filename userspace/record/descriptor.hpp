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
    explicit Descriptor(int descriptor) : x_descriptor{descriptor} {}
    Descriptor(Descriptor&& other) noexcept : x_descriptor{std::exchange(other.x_descriptor, -1)} {}
    Descriptor& operator=(Descriptor&& other) noexcept
    {
        std::swap(x_descriptor, other.x_descriptor);
        return *this;
    }
    ~Descriptor()
    {
        if (x_descriptor >= 0) {
            close(x_descriptor);
        }
    }

    explicit operator bool() const { return x_descriptor >= 0; }
    int get() const { return x_descriptor; }

private:
    int x_descriptor = -1;
};

} // namespace lttng_gpu::record
