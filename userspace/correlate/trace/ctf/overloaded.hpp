// SPDX-License-Identifier: MIT
//
// One handler for each class of fields, for std::visit().
#pragma once

namespace lttng_gpu::trace::ctf {

template <typename... Handlers> struct Overloaded : Handlers... {
    using Handlers::operator()...;
};
template <typename... Handlers> Overloaded(Handlers...) -> Overloaded<Handlers...>;

} // namespace lttng_gpu::trace::ctf
