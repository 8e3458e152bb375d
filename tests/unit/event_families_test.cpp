// SPDX-License-Identifier: MIT
//
// What drivers register: all of them are found, no event or fence is claimed twice, and the numbers
// that they get are their own.
#include "calls/row_merge.hpp"
#include "drivers/event_family.hpp"
#include "jobs/per_job.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <set>

using namespace lttng_gpu;

TEST_CASE("families_when_built_then_each_is_there_once_and_claims_its_own")
{
    std::set<std::string_view> names;
    std::set<std::string_view> events;
    std::set<std::string_view> fences;
    for (const model::EventFamily& family : model::all_families()) {
        CHECK(names.insert(family.name).second);
        for (const model::EventSpec& event : family.events) {
            CHECK_MESSAGE(events.insert(event.name).second, event.name);
        }
        for (const model::FenceSpec& fence : family.fences) {
            CHECK_MESSAGE((fence.is_own != nullptr || fences.insert(fence.driver).second),
                          fence.driver);
        }
    }
    for (const char* driver : {"amdgpu", "drm_sched", "gl", "gpu_fence", "hsa", "i915", "opencl",
                               "radeon", "intel_vpu", "amdxdna", "virtio_gpu", "vulkan", "xe"}) {
        CHECK_MESSAGE(names.contains(driver), driver);
    }
}

TEST_CASE("steps_when_they_are_more_than_a_set_has_bits_then_are_refused")
{
    model::JobSteps steps;
    std::set<model::Step> given{model::JobSteps::fence_made, model::JobSteps::fence_scheduled,
                                model::JobSteps::fence_signaled};
    while (given.size() < 64) {
        CHECK(given.insert(steps.add({})).second);
    }
    CHECK_THROWS_AS(steps.add({}), std::length_error);
}

TEST_CASE("fences_when_names_are_alike_then_only_the_same_is_found")
{
    static constexpr model::FenceSpec short_name{"vc4"};
    static constexpr model::FenceSpec long_name{"a_driver_with_a_long_name"};
    static constexpr model::FenceSpec middle{"drm_sched"};
    StringPool strings;
    model::RingTable rings{strings};
    AnomalyCounters anomalies;
    model::NullSink sink;
    model::JobTracker tracker{rings, anomalies, sink};
    model::DeviceClocks clocks;
    const trace::EnumerationTable enumerations;
    model::RowMerge rows{sink, anomalies};
    model::EventContext context{strings, rings, anomalies, tracker, rows, clocks, enumerations};
    model::FamilyState state{context};
    for (const model::FenceSpec* spec : {&short_name, &long_name, &middle}) {
        context.fences.add(*spec, state);
        REQUIRE(context.fences.find(spec->driver, "") != nullptr);
        CHECK(context.fences.find(spec->driver, "")->spec == spec);
    }
    for (const char* other : {"", "vc5", "v3d", "a_driver_with_1_long_name", "drm_sche",
                              "drm_schxd", "drm_sched_", "amd_sched"}) {
        CHECK_MESSAGE(context.fences.find(other, "") == nullptr, other);
    }
}

TEST_CASE("per_job_when_another_job_has_the_number_then_nothing_is_remembered")
{
    model::OpenJobs jobs;
    model::PerJob<int> remembered{jobs};
    const model::JobIndex first = jobs.allocate(TraceId{}, model::JobState::Open);
    remembered.of(first) = 7;
    CHECK(remembered.of(first) == 7);
    jobs.free(first);
    const model::JobIndex second = jobs.allocate(TraceId{}, model::JobState::Open);
    REQUIRE(second == first);
    CHECK(remembered.of(second) == 0);
}
