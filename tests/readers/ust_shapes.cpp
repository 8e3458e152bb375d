// SPDX-License-Identifier: MIT
//
// ust-shapes ROUNDS [one-cpu]: records every event of ust_shapes_provider.h with
// values at the edges of their types, ROUNDS times, in two threads; with one-cpu
// all on the first CPU, so that the streams of the others stay empty.
#include "tests/readers/ust_shapes_provider.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <sched.h>
#include <string>
#include <thread>

namespace {

void record_numbers()
{
    for (const std::uint64_t bits :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{0x8182838485868788}, ~std::uint64_t{0},
          std::uint64_t{0x7fffffffffffffff}}) {
        lttng_ust_tracepoint(shapes, integers, bits);
        lttng_ust_tracepoint(shapes, network, bits);
    }
    for (const int number : {-128, -100, -1, 0, 1, 5, 8, 50, 127}) {
        lttng_ust_tracepoint(shapes, enumerations, number);
    }
    using Limits = std::numeric_limits<double>;
    for (const double value : {0.0, -0.0, 1.5, -1e300, Limits::denorm_min(), Limits::infinity(),
                               Limits::quiet_NaN(), 3.141592653589793}) {
        lttng_ust_tracepoint(shapes, reals, value);
    }
}

void record_texts()
{
    const std::string long_text(1000, 'x');
    const std::array<const char*, 5> texts{"", "a", "Grüße, 世界", "\xff\xfe\x80 broken \xc3",
                                           long_text.c_str()};
    for (const char* text : texts) {
        lttng_ust_tracepoint(shapes, texts, text, "other");
        lttng_ust_tracepoint(shapes, texts, "other", text);
    }
    const std::array<std::int32_t, 4> numbers{-1, 0, 0x01020304, 2147483647};
    // A text that fills its field, one that ends early, one with bytes after its end.
    for (const char* text :
         {"sixteen letters!", "short\0\0\0\0\0\0\0\0\0\0", "a\0b\0c\0d\0\0\0\0\0\0\0\0"}) {
        lttng_ust_tracepoint(shapes, arrays, text, numbers.data());
    }
}

void record_sequences()
{
    std::array<std::int64_t, 200> numbers{};
    for (std::size_t index = 0; index < numbers.size(); ++index) {
        numbers[index] = static_cast<std::int64_t>(index * index) - 5;
    }
    const std::string text(numbers.size(), 't');
    for (const std::size_t length : {0U, 1U, 2U, 7U, 200U}) {
        lttng_ust_tracepoint(shapes, sequences, text.c_str(), numbers.data(), length);
    }
    lttng_ust_tracepoint(shapes, sequences, "ab\0cd", numbers.data(), std::size_t{5});
    lttng_ust_tracepoint(shapes, empty);
}

void record_numbered(std::uint32_t number)
{
#define LTTNG_GPU_RECORD(index) lttng_ust_tracepoint(shapes, numbered_##index, number)
    LTTNG_GPU_RECORD(0);
    LTTNG_GPU_RECORD(1);
    LTTNG_GPU_RECORD(2);
    LTTNG_GPU_RECORD(3);
    LTTNG_GPU_RECORD(4);
    LTTNG_GPU_RECORD(5);
    LTTNG_GPU_RECORD(6);
    LTTNG_GPU_RECORD(7);
    LTTNG_GPU_RECORD(8);
    LTTNG_GPU_RECORD(9);
    LTTNG_GPU_RECORD(10);
    LTTNG_GPU_RECORD(11);
    LTTNG_GPU_RECORD(12);
    LTTNG_GPU_RECORD(13);
    LTTNG_GPU_RECORD(14);
    LTTNG_GPU_RECORD(15);
    LTTNG_GPU_RECORD(16);
    LTTNG_GPU_RECORD(17);
    LTTNG_GPU_RECORD(18);
    LTTNG_GPU_RECORD(19);
    LTTNG_GPU_RECORD(20);
    LTTNG_GPU_RECORD(21);
    LTTNG_GPU_RECORD(22);
    LTTNG_GPU_RECORD(23);
#undef LTTNG_GPU_RECORD
}

void record(unsigned index, unsigned rounds, bool is_on_one_cpu)
{
    cpu_set_t cpu;
    CPU_ZERO(&cpu);
    CPU_SET(is_on_one_cpu ? 0 : index % std::thread::hardware_concurrency(), &cpu);
    sched_setaffinity(0, sizeof cpu, &cpu); // where it may not, it runs anywhere
    for (unsigned round = 0; round < rounds; ++round) {
        record_numbers();
        record_texts();
        record_sequences();
        record_numbered(round);
    }
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 2 && argc != 3) {
        std::fprintf(stderr, "usage: ust-shapes ROUNDS [one-cpu]\n");
        return 2;
    }
    const auto rounds = static_cast<unsigned>(std::strtoul(argv[1], nullptr, 10));
    std::thread other{record, 1, rounds, argc == 3};
    record(0, rounds, argc == 3);
    other.join();
    return 0;
}
