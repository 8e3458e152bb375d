// SPDX-License-Identifier: MIT
//
// Calls of APIs that return an error: what is counted, and what is said of them.
#include "base/api_errors.hpp"
#include "job_feeder.hpp"
#include "report/text_failed_calls.hpp"

#include <doctest/doctest.h>

using namespace lttng_gpu;

TEST_CASE("errors_when_their_name_is_known_then_it_is_told")
{
    CHECK(error_text("clBuildProgram", -11) == "CL_BUILD_PROGRAM_FAILURE (-11)");
    CHECK(error_text("vkQueueSubmit", -4) == "VK_ERROR_DEVICE_LOST (-4)");
    CHECK(error_text("hsa_queue_create", 0x1008) == "HSA_STATUS_ERROR_OUT_OF_RESOURCES (4104)");
    CHECK(error_text("clBuildProgram", -9'999) == "-9999");
    CHECK(error_text("other", -11) == "-11");
}

TEST_CASE("failed_calls_when_there_are_several_errors_then_each_is_counted")
{
    report::ApiCallReport call;
    call.name = "clCreateKernel";
    CHECK(report::failed_calls_text(call).empty());
    call.failed = 1;
    call.errors = {{-46, 1}};
    CHECK(report::failed_calls_text(call) ==
          "clCreateKernel: 1 call failed: CL_INVALID_KERNEL_NAME (-46)");
    call.failed = 6;
    call.errors = {{-46, 3}, {-44, 1}};
    CHECK(report::failed_calls_text(call) ==
          "clCreateKernel: 6 calls failed: CL_INVALID_KERNEL_NAME (-46) 3 times, "
          "CL_INVALID_PROGRAM (-44) once, others twice");
}

TEST_CASE("failed_calls_when_a_name_has_many_errors_then_the_list_is_bounded")
{
    StringPool strings;
    const StringId name = strings.intern("clCreateKernel");
    report::ApiCallTable table;
    for (std::int32_t error = 1; error <= 100; ++error) {
        table.add_call({{}, name, Timestamp{0}, Timestamp{1}, -error});
    }
    table.add_call({{}, name, Timestamp{0}, Timestamp{1}});
    model::RingTable texts{strings};
    const auto calls = table.finish(texts);
    REQUIRE(calls.size() == 1);
    CHECK(calls[0].count == 101);
    CHECK(calls[0].failed == 100);
    CHECK(calls[0].errors.size() == 16);
}
