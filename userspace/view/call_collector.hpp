// SPDX-License-Identifier: MIT
//
// Keeps the API calls of a reading, on the thread that reads; the page takes them when it is over.
#pragma once

#include "../correlate/calls/call_sink.hpp"
#include "name_tables.hpp"
#include "spans.hpp"

namespace lttng_gpu::view {

class CallCollector final : public model::CallSink {
public:
    void on_call(const model::ApiCall& call) override
    {
        if (m_calls.size() < most) {
            m_calls.push_back(call);
        } else {
            ++m_left_out;
        }
    }

    /// Of two that tell of one call, the one that says more is taken.
    void give(NameTables& names, Spans& spans) const;
    std::uint64_t left_out() const { return m_left_out; }

private:
    static constexpr std::size_t most = 8'000'000;

    std::vector<model::ApiCall> m_calls;
    std::uint64_t m_left_out = 0;
};

} // namespace lttng_gpu::view
