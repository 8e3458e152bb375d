// SPDX-License-Identifier: MIT
//
// warp-lockstep: the recorder's code for warps on the CPU. Each kernel of diverging.cl runs with it
// in many orders; what is decoded from its buffer equals, in each lane and location, what the
// kernel did. Prints TAP.
#include "kernels.hpp"

#include "device/unpack.hpp"
#include "preload/device/pack.hpp"

#include <algorithm>
#include <cstdio>

namespace {

using namespace lttng_gpu::device;
using Counts = std::vector<std::map<uint, ulong>>;

constexpr uint groups = 2, items = 70; // the last warp has six lanes
constexpr uint orders = 12;

class Decoded final : public RecordConsumer {
public:
    void on_chunk(const Chunk&) override {}
    void on_record(const Chunk& chunk, const Record& record) override
    {
        if (record.location == end_location)
            return;
        for (uint lane = 0; lane < 32; ++lane) {
            if ((record.lanes >> lane & 1) == 0)
                continue;
            const uint item = chunk.group * items + chunk.warp * 32 + lane;
            if (item < counts.size())
                counts[item][record.location] += record.count;
            else
                is_sound = false;
        }
        ++records;
    }

    Counts counts = Counts(std::size_t{groups} * items);
    bool is_sound = true;
    unsigned records = 0;
};

struct Run {
    std::vector<int> out = std::vector<int>(std::size_t{groups} * items);
    std::vector<uint> buffer;
};

Run run(const lockstep::Kernel& kernel, uint luck, uint chunks)
{
    Run made;
    made.buffer.resize((std::size_t{chunks} + 1) * chunk_words);
    made.buffer[1] = chunks;
    for (uint group = 0; group < groups; ++group) {
        std::vector<uint> words(4 + 32 * 32);
        lockstep::run_group(group, groups, items, luck, [&] {
            kernel.run(made.out.data(), 5, made.buffer.data(), words.data());
        });
    }
    return made;
}

/// As the layer packs the buffer and the report reads it.
bool decode(const Run& made, Decoded& decoded)
{
    const std::size_t used = std::min(made.buffer[0], made.buffer[1]);
    std::vector<std::uint8_t> bytes((used + 1) * 3 * most_chunk_bytes);
    Packer packer(bytes.data(), {true, false});
    for (const Phase phase : {Phase::Blocks, Phase::Chunks, Phase::Ends}) {
        for (std::size_t done = 0; done < used;) {
            const unsigned taken = for_each_piece(made.buffer.data() + (done + 1) * chunk_words,
                                                  static_cast<unsigned>(used - done), phase,
                                                  [&](const Piece& piece) { packer.put(piece); });
            done += taken != 0 ? taken : used - done;
        }
    }
    return unpack({bytes.data(), packer.size()}, false, decoded) && decoded.is_sound;
}

unsigned number;

void tell(bool is_good, const char* kernel, const char* words)
{
    std::printf("%sok %u - %s: %s\n", is_good ? "" : "not ", ++number, kernel, words);
}

void compare(const Counts& noted, const Counts& decoded, uint luck)
{
    unsigned shown = 0;
    for (std::size_t item = 0; item < noted.size(); ++item) {
        for (const auto& [location, count] : noted[item]) {
            const auto found = decoded[item].find(location);
            const ulong got = found == decoded[item].end() ? 0 : found->second;
            if (got != count && ++shown < 8)
                std::printf("# order %u, work-item %zu, location %u: %lu, recorded %lu\n", luck,
                            item, location, count, got);
        }
    }
}

bool is_within(const Counts& some, const Counts& all)
{
    for (std::size_t item = 0; item < all.size(); ++item) {
        for (const auto& [location, count] : some[item]) {
            const auto found = all[item].find(location);
            if (found == all[item].end() || found->second < count)
                return false;
        }
    }
    return true;
}

void check(const lockstep::Kernel& recorded, const lockstep::Kernel& noted)
{
    lockstep::notes.assign(std::size_t{groups} * items, {});
    const Run plain = run(noted, 0, 1);
    const Counts notes = lockstep::notes;
    bool is_same = true, is_equal = true, is_counted = true, is_short = true;
    for (uint luck = 0; luck < orders; ++luck) {
        const Run made = run(recorded, luck, 4000);
        Decoded decoded;
        const bool is_read = decode(made, decoded);
        is_same &= made.out == plain.out;
        if (!is_read || made.buffer[2] != 0 || decoded.counts != notes) {
            is_equal = false;
            compare(notes, decoded.counts, luck);
        }
        const Run full = run(recorded, luck, 2);
        Decoded kept;
        is_counted &= decode(full, kept) && full.out == plain.out &&
                      is_within(kept.counts, notes) &&
                      (full.buffer[2] != 0) == (kept.counts != notes);
        is_short &= luck != 0 || decoded.records > 0;
    }
    tell(is_same, noted.name, "results are the same");
    tell(is_equal && is_short, noted.name, "each lane has each of its events, in each order");
    tell(is_counted, noted.name, "a full buffer counts what it loses, and what it has is so");
}

} // namespace

int main()
{
    for (std::size_t place = 0; place < lockstep::recorded.size(); ++place)
        check(lockstep::recorded[place], lockstep::noted[place]);
    std::printf("1..%u\n", number);
}
