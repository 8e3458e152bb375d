// SPDX-License-Identifier: MIT
// See way.hpp.
#include "way.hpp"

namespace lttng_gpu::causes {
namespace {

class IoctlWay final : public Way {
public:
    explicit IoctlWay(const Devices& devices) : m_devices{devices} {}

    Fence submit(std::uint32_t device, std::uint32_t ring, std::uint64_t exec_ns,
                 bool depends) override
    {
        return m_devices.submit(device, ring, exec_ns, depends ? 1 : 0);
    }
    void wait(std::uint32_t device) override { m_devices.wait(device); }

private:
    const Devices& m_devices;
};

} // namespace

std::unique_ptr<Way> make_way(const Devices& devices)
{
    return std::make_unique<IoctlWay>(devices);
}

} // namespace lttng_gpu::causes
