// SPDX-License-Identifier: MIT
//
// What counts as lost in the report's first line and for the exit code.
#include "report/report.hpp"

#include <doctest/doctest.h>

using namespace lttng_gpu;
using report::TraceAccount;
using trace::LossUnit;

namespace {

trace::Loss loss(LossUnit unit, std::optional<std::uint64_t> count)
{
    return {Timestamp{0}, Timestamp{10}, TraceId{}, Cpu{1}, unit, count};
}

} // namespace

TEST_CASE("trace_account_when_a_buffer_was_overwritten_on_purpose_then_nothing_is_lost")
{
    TraceAccount account;
    account.count(loss(LossUnit::LateBegin, {}));
    account.count(loss(LossUnit::LateBegin, 7));
    CHECK_FALSE(account.has_losses());
}

TEST_CASE("trace_account_when_an_earlier_reading_found_it_then_it_is_counted_as_an_anomaly_only")
{
    TraceAccount account;
    account.count(loss(LossUnit::Silent, {}));
    CHECK_FALSE(account.has_losses());
    account.anomalies.count(Anomaly::QueueEventMissing);
    CHECK(account.has_losses());
}

TEST_CASE("trace_account_when_the_tracer_announces_losses_then_each_unit_has_its_sum")
{
    TraceAccount account;
    account.count(loss(LossUnit::Events, 3));
    account.count(loss(LossUnit::Events, 4));
    account.count(loss(LossUnit::Packets, 2));
    account.count(loss(LossUnit::Packets, {}));
    CHECK(account.events_lost == 7);
    CHECK(account.packets_lost == 2);
    CHECK(account.losses_of_unknown_size == 1);
    CHECK(account.has_losses());
}
