// SPDX-License-Identifier: MIT
//
// The one file that holds doctest's implementation and main().
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
