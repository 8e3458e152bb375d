// SPDX-License-Identifier: MIT
//
// What doctor found out about a machine: facts in the order in which they are
// shown, each with what to do about it, and what can be recorded.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace lttng_gpu::doctor {

enum class State {
    Ok,
    Warning, // recording works, but something will be absent or surprising
    Missing, // kernel events cannot be recorded without it
};

struct Finding {
    State state;
    std::string topic;
    std::string fact;
    std::string advice; // empty when there is nothing to do
};

struct Capability {
    std::string what;
    bool is_possible;
    std::string detail; // when it is not possible: the reason
};

class Findings {
public:
    void ok(std::string topic, std::string fact)
    {
        m_all.push_back({State::Ok, std::move(topic), std::move(fact), {}});
    }
    void warn(std::string topic, std::string fact, std::string advice)
    {
        m_all.push_back({State::Warning, std::move(topic), std::move(fact), std::move(advice)});
    }
    void miss(std::string topic, std::string fact, std::string advice)
    {
        m_all.push_back({State::Missing, std::move(topic), std::move(fact), std::move(advice)});
    }
    void can_record(std::string what, bool is_possible, std::string detail)
    {
        m_capabilities.push_back({std::move(what), is_possible, std::move(detail)});
    }
    const std::vector<Finding>& all() const { return m_all; }
    const std::vector<Capability>& capabilities() const { return m_capabilities; }
    bool has_missing() const
    {
        return std::any_of(m_all.begin(), m_all.end(),
                           [](const Finding& finding) { return finding.state == State::Missing; });
    }

private:
    std::vector<Finding> m_all;
    std::vector<Capability> m_capabilities;
};

} // namespace lttng_gpu::doctor
