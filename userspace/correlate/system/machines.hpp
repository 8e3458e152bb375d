// SPDX-License-Identifier: MIT
//
// Which traces are of one machine, by what they say of it: the identity of the kernel's boot, else
// the name of the host. A trace that says neither is of the machine of the others, as long as
// these name one only.
#pragma once

#include "../base/per_trace.hpp"
#include "../trace/trace_facts.hpp"

#include <vector>

namespace lttng_gpu::model {

enum class SameMachine : std::uint8_t { Yes, No, Unknown };

class Machines {
public:
    void set(TraceId trace, const trace::MachineName& name);
    SameMachine compare(TraceId left, TraceId right);

private:
    /// Numbers of texts; 0: not said.
    struct Machine {
        std::size_t boot = 0;
        std::size_t host = 0;
    };

    static SameMachine compare(const Machine& left, const Machine& right);
    std::size_t number_of(const std::string& text);

    std::vector<std::string> m_texts;
    std::vector<Machine> m_named;
    PerTrace<Machine> m_machines;
};

} // namespace lttng_gpu::model
