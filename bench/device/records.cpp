// SPDX-License-Identifier: MIT
#include "records.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <unistd.h>

#include "preload/device/pack.hpp"

std::uint64_t read_records(std::span<const std::uint32_t> words,
                           lttng_gpu::device::RecordConsumer& consumer)
{
    using namespace lttng_gpu::device;
    std::vector<std::uint8_t> bytes(1U << 20);
    Packer packer{bytes.data(), {true, false}};
    std::uint64_t packed = 0;
    const auto hand_out = [&] {
        if (!unpack(std::span{bytes}.first(packer.size()), false, consumer))
            std::fprintf(stderr, "records that cannot be read\n");
        packed += packer.size();
        packer.restart();
    };
    const std::size_t count = words.size() / chunk_words;
    for (const Phase phase : {Phase::Blocks, Phase::Chunks, Phase::Ends}) {
        for (std::size_t at = 0; at < count;) {
            const unsigned taken = for_each_piece(
                words.data() + at * chunk_words, count - at, phase, [&](const Piece& piece) {
                    packer.put(piece);
                    if (packer.size() + most_chunk_bytes > bytes.size())
                        hand_out();
                });
            at += taken > 0 ? taken : count - at;
        }
    }
    hand_out();
    return packed;
}

void print_compressed(const std::vector<std::uint32_t>& words)
{
    for (const char* tool : {"gzip", "bzip2", "zstd"}) {
        char name[] = "/tmp/device-bench-XXXXXX";
        const int made = mkstemp(name);
        const std::string command = std::string{tool} + " -c >" + name + " 2>/dev/null";
        std::FILE* pipe = popen(command.c_str(), "w");
        std::fwrite(words.data(), 4, words.size(), pipe);
        const bool is_done = pclose(pipe) == 0;
        std::ifstream file{name, std::ios::ate | std::ios::binary};
        const double bytes = double(file.tellg());
        if (is_done)
            std::printf(" %s %.1f", tool, double(words.size()) * 4 / bytes);
        else
            std::printf(" %s -", tool); // it is not there
        close(made);
        unlink(name);
    }
}
