// SPDX-License-Identifier: MIT
//
// What doctor found out about a machine: facts in the order in which they are
// shown, each with what to do about it.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace lttng_gpu::doctor {

enum class State {
    Ok,
    Warning, // recording works, but something will be absent or surprising
    Missing, // nothing can be recorded without it
};

struct Finding {
    State state;
    std::string topic;
    std::string fact;
    std::string advice; // empty when there is nothing to do
};

class Findings {
public:
    void ok(std::string topic, std::string fact)
    {
        x_all.push_back({State::Ok, std::move(topic), std::move(fact), {}});
    }
    void warn(std::string topic, std::string fact, std::string advice)
    {
        x_all.push_back({State::Warning, std::move(topic), std::move(fact), std::move(advice)});
    }
    void miss(std::string topic, std::string fact, std::string advice)
    {
        x_all.push_back({State::Missing, std::move(topic), std::move(fact), std::move(advice)});
    }
    const std::vector<Finding>& all() const { return x_all; }

private:
    std::vector<Finding> x_all;
};

} // namespace lttng_gpu::doctor
