// SPDX-License-Identifier: MIT
// gl-rounds ROUNDS: draws by OpenGL ES on virtio_gpu, and a thread of Mesa's executes its calls. In
// each round it clears with a colour that is the round's number and draws; every eighth ends in
// glFinish, the others in glFlush. One to five rounds are a frame. The program is also between Mesa
// and the kernel: it looks for these colours in what is submitted (virgl's commands), so it knows
// which rounds a job of the kernel is of, whichever thread submits. Writes in the end
// (CLOCK_MONOTONIC)
//   round NUMBER FRAME BEGIN END           the call that ended it
//   submit BEGIN END TID NAME ROUND...     an ioctl, its thread, and of which rounds it was
//   thread NAME                            of each that there is
#include "../../diagnose/guest/slow_triangle.hpp"
#include "mesa_thread.hpp"

#include <array>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <string>
#include <vector>

#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

// The colour of round n is n of these, which a float has exactly.
constexpr float step = 1.0F / 65536;
constexpr float our_alpha = 0.625F;

long long now_ns()
{
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1'000'000'000LL + time.tv_nsec;
}

struct Submit {
    long long begin = 0;
    long long end = 0;
    long tid = 0;
    std::string name;
    std::vector<int> rounds;
};

std::mutex submits_mutex;
std::vector<Submit>& submits()
{
    static std::vector<Submit> all;
    return all;
}

// The begin of struct drm_virtgpu_execbuffer (include/uapi/drm/virtgpu_drm.h).
struct Execbuffer {
    std::uint32_t flags;
    std::uint32_t size;
    std::uint64_t command;
};
constexpr unsigned execbuffer_number = 0x42;

float as_float(std::uint32_t bits)
{
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

// virgl's commands (virgl_protocol.h): each has a header, in which the upper half is the number of
// words that follow; 7 clears, and its second to fifth words are the colour.
std::vector<int> rounds_in(const Execbuffer& submitted)
{
    constexpr std::uint32_t clear = 7;
    std::vector<int> rounds;
    const auto* const words = reinterpret_cast<const std::uint32_t*>(submitted.command);
    const std::size_t count = submitted.size / sizeof *words;
    for (std::size_t place = 0; place < count; place += 1 + (words[place] >> 16)) {
        if ((words[place] & 0xff) == clear && place + 5 < count &&
            as_float(words[place + 5]) == our_alpha)
            rounds.push_back(static_cast<int>(as_float(words[place + 2]) / step));
    }
    return rounds;
}

void note(long long begin, long long end, std::vector<int> rounds)
{
    std::array<char, 16> name{};
    prctl(PR_GET_NAME, name.data());
    const std::lock_guard lock(submits_mutex);
    submits().push_back({begin, end, syscall(SYS_gettid), name.data(), std::move(rounds)});
}

void print_threads()
{
    for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
        std::ifstream file(thread.path() / "comm");
        std::string name;
        std::getline(file, name);
        std::printf("thread %s\n", name.c_str());
    }
}

} // namespace

// Mesa's libraries find this one before that of the C library.
extern "C" [[gnu::visibility("default")]] int ioctl(int file, unsigned long request, ...)
{
    std::va_list arguments;
    va_start(arguments, request);
    void* const argument = va_arg(arguments, void*);
    va_end(arguments);
    const bool is_submit = _IOC_TYPE(request) == 'd' && _IOC_NR(request) == execbuffer_number;
    std::vector<int> rounds;
    if (is_submit)
        rounds = rounds_in(*static_cast<const Execbuffer*>(argument));
    const long long begin = now_ns();
    const auto result = static_cast<int>(syscall(SYS_ioctl, file, request, argument));
    if (is_submit)
        note(begin, now_ns(), std::move(rounds));
    return result;
}

int main(int argc, char** argv)
{
    using lttng_gpu::guest::SlowTriangle;
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 0;
    constexpr int until_wait = 8;
    lttng_gpu::guest::ask_for_mesa_thread();
    const SlowTriangle triangle(true);
    std::fprintf(stderr, "gl-rounds: %s\n", SlowTriangle::renderer());
    std::vector<std::array<long long, 3>> ends;
    int frame = 1;
    int left = 1; // rounds of this frame
    for (int round = 1; round <= rounds; ++round) {
        triangle.draw_on(static_cast<float>(round) * step, our_alpha,
                         static_cast<float>(1 + round % 5));
        const long long begin = now_ns();
        if (round % until_wait == 0)
            SlowTriangle::finish();
        else
            SlowTriangle::flush();
        ends.push_back({frame, begin, now_ns()});
        if (--left == 0) {
            triangle.end_frame();
            left = 1 + frame % 5;
            ++frame;
        }
    }
    SlowTriangle::finish();
    for (std::size_t round = 0; round < ends.size(); ++round)
        std::printf("round %zu %lld %lld %lld\n", round + 1, ends[round][0], ends[round][1],
                    ends[round][2]);
    const std::lock_guard lock(submits_mutex);
    for (const Submit& submit : submits()) {
        std::printf("submit %lld %lld %ld %s", submit.begin, submit.end, submit.tid,
                    submit.name.c_str());
        for (const int round : submit.rounds)
            std::printf(" %d", round);
        std::printf("\n");
    }
    print_threads();
    return 0;
}
