// SPDX-License-Identifier: MIT
//
// The objects of one firing: random bytes in which the statements of a recipe set members.
#pragma once

#include "kernel_graph.hpp"
#include "recipe.hpp"

#include <map>
#include <nlohmann/json.hpp>

namespace lttng_gpu::firing {

// What a pointer leads to.
struct Link {
    enum Kind { null, object, symbol } kind = null;
    std::uint32_t index = 0; // of the object, or of the symbol's name
    std::int64_t addend = 0;
};

struct Object {
    TypeId type = 0; // 0: the frame, or text
    std::uint64_t seed = 0;
    std::vector<std::uint8_t> bytes;
    std::map<std::uint64_t, Link> links; // by offset
};

class Objects {
public:
    // symbols collects the names of all symbols that links refer to.
    Objects(KernelGraph& types, std::vector<std::string>& symbols, std::uint64_t seed);

    // The first object, the frame, gets a slot of eight bytes for each argument.
    void begin(const std::vector<TypeId>& arguments, const std::vector<std::string>& names,
               const std::vector<std::vector<std::string>>& other_names);
    void run(const Statement& statement); // assign or within
    void finish();                        // gives arguments that are not set what they need
    // What the field must be: a number, a string, a list, {"object": i, "addend": n} with the index
    // counted from first_object, or {"symbol": i}.
    nlohmann::json expected(const Value& value, std::uint32_t first_object);

    const std::vector<Object>& all() const { return objects_; }

private:
    struct Place {
        std::uint32_t object = 0;
        std::uint64_t bit = 0;
        unsigned width = 0; // of a bit field
        TypeId type = 0;
    };
    std::uint32_t make(TypeId type, std::uint64_t bytes);
    std::uint32_t make_of(TypeId type, unsigned count);
    std::uint32_t make_text(const std::string& text);
    Link make_target(TypeId pointer);
    Place find(const std::string& path);
    Place step(Place place, const std::string& member);
    Place index(Place place, std::uint64_t number);
    Place follow(const Place& pointer, TypeId type);
    Link address(const Value& value);
    void set_number(const Place& place, const std::string& digits);
    void set_text(const Place& place, const std::string& text);
    void set_link(const Place& place, const Link& link);
    void put(const Place& place, unsigned width, std::uint64_t value);
    std::uint64_t get(const Place& place, unsigned width) const;
    unsigned width(const Place& place) const;
    nlohmann::json content(const Place& place, std::uint32_t first_object);
    nlohmann::json describe(const Link& link, std::uint32_t first_object) const;
    std::string text_at(const Link& link) const;

    KernelGraph& types_;
    std::vector<std::string>& symbols_;
    std::uint64_t seed_;
    std::vector<Object> objects_;
    std::map<std::string, Place> names_;
    std::vector<std::string> absent_names_; // of arguments that other prototypes have
    std::vector<TypeId> arguments_;
    std::vector<bool> argument_is_set_;
};

} // namespace lttng_gpu::firing
