// SPDX-License-Identifier: MIT
#include "record/narrator.hpp"

#include <doctest/doctest.h>
#include <sstream>

using namespace lttng_gpu::record;

TEST_CASE("narrator: what is said while another process prints comes after it, in order")
{
    std::ostringstream errors;
    std::ostringstream commands;
    Narrator narrator{errors, commands, true, false};
    bool is_printing = true;
    narrator.note("before");
    narrator.hold_while([&] { return is_printing; });
    narrator.note("meanwhile");
    narrator.command("kill 1");
    CHECK(errors.str() == "lttng-gpu: before\n");
    is_printing = false;
    narrator.note("after");
    CHECK(errors.str() == "lttng-gpu: before\nlttng-gpu: meanwhile\n+ kill 1\nlttng-gpu: after\n");
    is_printing = true;
    narrator.note("last");
    CHECK(errors.str().ends_with("after\n"));
    narrator.release();
    CHECK(errors.str().ends_with("after\nlttng-gpu: last\n"));
    narrator.note("held no more");
    CHECK(errors.str().ends_with("last\nlttng-gpu: held no more\n"));
}
