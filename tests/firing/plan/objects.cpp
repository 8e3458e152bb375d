// SPDX-License-Identifier: MIT
#include "objects.hpp"

#include "../driver/gpufire_uapi.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace lttng_gpu::firing {
namespace {

constexpr std::uint64_t slack = 256; // behind each object, for arrays of open length

std::uint64_t round_up(std::uint64_t bytes)
{
    return (bytes + 7) / 8 * 8;
}

std::uint64_t extend(std::uint64_t value, unsigned width, bool is_signed)
{
    if (width >= 64)
        return value;
    value &= (std::uint64_t{1} << width) - 1;
    return is_signed && value >> (width - 1) ? value | ~std::uint64_t{0} << width : value;
}

} // namespace

Objects::Objects(KernelGraph& types, std::vector<std::string>& symbols, std::uint64_t seed)
    : types_(types), symbols_(symbols), seed_(seed)
{
}

std::uint32_t Objects::make(TypeId type, std::uint64_t bytes)
{
    if (bytes > GPUFIRE_MAX_OBJECT)
        throw std::runtime_error("an object is too large");
    Object object;
    object.type = type;
    object.seed = gpufire_fill(seed_, objects_.size());
    object.bytes.resize(round_up(bytes));
    for (std::uint64_t i = 0; i < object.bytes.size() / 8; ++i) {
        const std::uint64_t word = gpufire_fill(object.seed, i);
        std::memcpy(&object.bytes[8 * i], &word, 8);
    }
    objects_.push_back(std::move(object));
    return static_cast<std::uint32_t>(objects_.size() - 1);
}

std::uint32_t Objects::make_of(TypeId type, unsigned count)
{
    const std::uint64_t size = types_.size(type);
    const std::uint32_t made = make(type, count * size + slack);
    for (unsigned i = 0; i < count; ++i)
        for (const std::uint32_t offset : types_.bools(type))
            objects_[made].bytes[i * size + offset] &= 1;
    return made;
}

std::uint32_t Objects::make_text(const std::string& text)
{
    const std::uint32_t made = make(0, text.size() + 1 + slack);
    std::memcpy(objects_[made].bytes.data(), text.c_str(), text.size() + 1);
    return made;
}

// A fresh target of the pointer's own type; random letters for char.
Link Objects::make_target(TypeId pointer)
{
    const TypeId type = types_.target(pointer);
    if (type == 0)
        throw std::runtime_error("a pointer to void needs '= &STRUCT'");
    if (!types_.is_char(type))
        return {Link::object, make_of(type, 1), 0};
    std::string text;
    for (std::uint64_t random = gpufire_fill(~seed_, objects_.size()); text.size() < 9;
         random /= 26)
        text += static_cast<char>('a' + random % 26);
    return {Link::object, make_text(text), 0};
}

void Objects::begin(const std::vector<TypeId>& arguments, const std::vector<std::string>& names,
                    const std::vector<std::vector<std::string>>& other_names)
{
    arguments_ = arguments;
    argument_is_set_.assign(arguments.size(), false);
    const std::uint32_t frame = make(0, std::max<std::uint64_t>(8, 8 * arguments.size()));
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const Place slot{frame, 64 * i, 0, arguments[i]};
        names_[names[i]] = slot;
        const Shape shape = types_.shape(arguments[i]);
        // A structure of up to eight bytes, such as i915_reg_t, is passed as a number is.
        if (shape == Shape::array || shape == Shape::other || width(slot) > 64)
            throw std::runtime_error("argument " + names[i] + " is not passed in a register");
        if (shape == Shape::pointer)
            continue;
        const std::uint64_t value =
            extend(get(slot, 64), width(slot), types_.is_signed(arguments[i]));
        put(slot, 64, shape == Shape::boolean ? value & 1 : value);
    }
    for (const auto& others : other_names)
        absent_names_.insert(absent_names_.end(), others.begin(), others.end());
}

void Objects::finish()
{
    for (std::size_t i = 0; i < arguments_.size(); ++i)
        if (types_.shape(arguments_[i]) == Shape::pointer && !argument_is_set_[i] &&
            !objects_[0].links.count(8 * i) && types_.target(arguments_[i]) != 0)
            set_link({0, 64 * i, 0, arguments_[i]}, make_target(arguments_[i]));
}

unsigned Objects::width(const Place& place) const
{
    return place.width ? place.width : static_cast<unsigned>(8 * types_.size(place.type));
}

void Objects::put(const Place& place, unsigned width, std::uint64_t value)
{
    auto& bytes = objects_[place.object].bytes;
    for (unsigned i = 0; i < width; ++i) {
        const std::uint64_t bit = place.bit + i;
        const auto mask = static_cast<std::uint8_t>(1u << (bit % 8));
        if (value >> i & 1)
            bytes[bit / 8] |= mask;
        else
            bytes[bit / 8] &= static_cast<std::uint8_t>(~mask);
    }
}

std::uint64_t Objects::get(const Place& place, unsigned width) const
{
    const auto& bytes = objects_[place.object].bytes;
    std::uint64_t value = 0;
    for (unsigned i = 0; i < width; ++i) {
        const std::uint64_t bit = place.bit + i;
        value |= std::uint64_t{static_cast<std::uint64_t>(bytes[bit / 8] >> (bit % 8) & 1)} << i;
    }
    return value;
}

// Where a pointer leads, which is made when nothing is there.
Objects::Place Objects::follow(const Place& pointer, TypeId type)
{
    auto& links = objects_[pointer.object].links;
    if (!links.count(pointer.bit / 8))
        set_link(pointer, make_target(pointer.type));
    const Link link = objects_[pointer.object].links.at(pointer.bit / 8);
    if (link.kind != Link::object)
        throw std::runtime_error("the path goes through a pointer that is null or a symbol");
    return {link.index, static_cast<std::uint64_t>(8 * link.addend), 0, type};
}

Objects::Place Objects::step(Place place, const std::string& member)
{
    if (types_.shape(place.type) == Shape::pointer)
        place = follow(place, types_.target(place.type));
    const Member found = types_.find_member(place.type, member);
    return {place.object, place.bit + found.bit, found.width, found.type};
}

Objects::Place Objects::index(Place place, std::uint64_t number)
{
    if (types_.shape(place.type) == Shape::array) {
        const std::uint32_t elements = types_.elements(place.type);
        if (elements && number >= elements)
            throw std::runtime_error(fmt::format("[{}] is beyond the array", number));
        place.type = types_.element(place.type);
    } else if (types_.shape(place.type) == Shape::pointer) {
        place = follow(place, types_.target(place.type));
    } else {
        throw std::runtime_error("[] behind what is neither an array nor a pointer");
    }
    place.bit += 8 * number * types_.size(place.type);
    return place;
}

Objects::Place Objects::find(const std::string& path)
{
    std::size_t at = path.find_first_of(".[");
    const std::string first = path.substr(0, at);
    const auto named = names_.find(first);
    if (named == names_.end()) {
        if (std::find(absent_names_.begin(), absent_names_.end(), first) != absent_names_.end())
            throw NotInThisKernel("this kernel's tracepoint has no argument " + first);
        throw std::runtime_error("nothing is called " + first);
    }
    Place place = named->second;
    while (at != std::string::npos) {
        const std::size_t end = path.find_first_of(".[", at + 1);
        const std::string part = path.substr(at + 1, end - at - 1);
        place = path[at] == '[' ? index(place, std::stoull(part)) : step(place, part);
        at = end;
    }
    const std::uint64_t bytes = objects_[place.object].bytes.size();
    if (place.bit / 8 > bytes || width(place) > 8 * bytes - place.bit)
        throw std::runtime_error(path + " lies outside its object");
    return place;
}

Link Objects::address(const Value& value)
{
    const std::string first = value.words.substr(0, value.words.find_first_of(".["));
    if (const auto named = names_.find(first); named != names_.end()) {
        const bool whole = first == value.words;
        Place place = find(value.words);
        // The frame is no place that a pointer may lead to; an argument stands for its target.
        if (whole && place.object == 0)
            place = follow(place, types_.target(place.type));
        return {Link::object, place.object, static_cast<std::int64_t>(place.bit / 8)};
    }
    TypeId type = types_.find_structure(first);
    std::uint64_t bit = 0;
    for (std::size_t at = first.size(); at < value.words.size();) {
        const std::size_t end =
            std::min(value.words.find_first_of(".[", at + 1), value.words.size());
        if (value.words[at] == '[')
            throw std::runtime_error("&STRUCT.member cannot have []");
        const Member member = types_.find_member(type, value.words.substr(at + 1, end - at - 1));
        bit += member.bit;
        type = member.type;
        at = end;
    }
    return {Link::object, make_of(types_.find_structure(first), value.count),
            static_cast<std::int64_t>(bit / 8)};
}

void Objects::set_link(const Place& place, const Link& link)
{
    if (types_.shape(place.type) != Shape::pointer)
        throw std::runtime_error("not a pointer");
    put(place, 64, 0);
    objects_[place.object].links[place.bit / 8] = link;
}

void Objects::set_number(const Place& place, const std::string& digits)
{
    const Shape shape = types_.shape(place.type);
    if (shape != Shape::integer && shape != Shape::boolean && shape != Shape::pointer)
        throw std::runtime_error("not a number");
    const bool negative = digits.front() == '-';
    const auto value = negative ? static_cast<std::uint64_t>(std::stoll(digits, nullptr, 0))
                                : std::stoull(digits, nullptr, 0);
    const unsigned bits = width(place);
    if (extend(value, bits, false) != value && !(negative && extend(value, bits, true) == value))
        throw std::runtime_error(fmt::format("{} does not fit in {} bits", digits, bits));
    objects_[place.object].links.erase(place.bit / 8);
    // What a caller passes is a whole register.
    if (place.object == 0 && types_.shape(arguments_[place.bit / 64]) != Shape::structure)
        put(place, 64, extend(value, bits, types_.is_signed(place.type)));
    else
        put(place, bits, value);
}

void Objects::set_text(const Place& place, const std::string& text)
{
    if (types_.shape(place.type) == Shape::pointer)
        return set_link(place, {Link::object, make_text(text), 0});
    if (types_.shape(place.type) != Shape::array || !types_.is_char(types_.element(place.type)))
        throw std::runtime_error("no place for text");
    if (text.size() + 1 > types_.elements(place.type))
        throw std::runtime_error("the text does not fit");
    std::memcpy(&objects_[place.object].bytes[place.bit / 8], text.c_str(), text.size() + 1);
}

void Objects::run(const Statement& statement)
{
    const Place place = find(statement.path);
    if (statement.kind == Statement::within) {
        Place inside = place;
        if (types_.shape(place.type) == Shape::pointer)
            inside = follow(place, types_.target(place.type));
        const TypeId type = objects_[inside.object].type;
        if (!type || types_.name(type) != statement.structure)
            throw std::runtime_error("that is not within a fresh struct " + statement.structure);
        names_[statement.name] = {inside.object, 0, 0, type};
        return;
    }
    const Value& value = statement.value;
    switch (value.kind) {
    case Value::number:
        set_number(place, value.digits);
        break;
    case Value::text:
        set_text(place, value.words);
        break;
    case Value::symbol: {
        auto known = std::find(symbols_.begin(), symbols_.end(), value.words);
        if (known == symbols_.end())
            known = symbols_.insert(symbols_.end(), value.words);
        set_link(place, {Link::symbol, static_cast<std::uint32_t>(known - symbols_.begin()), 0});
        break;
    }
    case Value::null:
        set_link(place, {});
        break;
    case Value::address:
        set_link(place, address(value));
        break;
    default:
        set_link(place, make_target(place.type));
    }
    if (place.object == 0)
        argument_is_set_[place.bit / 64] = true;
}

std::string Objects::text_at(const Link& link) const
{
    const auto& bytes = objects_[link.index].bytes;
    const auto begin = bytes.begin() + link.addend;
    return {begin, std::find(begin, bytes.end(), 0)};
}

nlohmann::json Objects::describe(const Link& link, std::uint32_t first_object) const
{
    if (link.kind == Link::null)
        return 0;
    if (link.kind == Link::symbol)
        return {{"symbol", link.index}};
    return {{"object", first_object + link.index}, {"addend", link.addend}};
}

nlohmann::json Objects::content(const Place& place, std::uint32_t first_object)
{
    const auto link = objects_[place.object].links.find(place.bit / 8);
    switch (types_.shape(place.type)) {
    case Shape::pointer:
        if (link == objects_[place.object].links.end())
            return get(place, 64);
        if (link->second.kind == Link::object && types_.is_char(types_.target(place.type)))
            return text_at(link->second);
        return describe(link->second, first_object);
    case Shape::array: {
        const TypeId element = types_.element(place.type);
        if (types_.is_char(element))
            return text_at({Link::object, place.object, static_cast<std::int64_t>(place.bit / 8)});
        nlohmann::json list = nlohmann::json::array();
        for (std::uint32_t i = 0; i < types_.elements(place.type); ++i)
            list.push_back(content(index(place, i), first_object));
        return list;
    }
    case Shape::integer:
    case Shape::boolean: {
        const unsigned bits = width(place);
        const bool is_signed = types_.is_signed(place.type);
        const std::uint64_t value = extend(get(place, bits), bits, is_signed);
        if (is_signed)
            return static_cast<std::int64_t>(value);
        return value;
    }
    default:
        throw std::runtime_error("not a number, a text, a pointer or an array");
    }
}

nlohmann::json Objects::expected(const Value& value, std::uint32_t first_object)
{
    switch (value.kind) {
    case Value::number:
        if (value.digits.front() == '-')
            return std::stoll(value.digits, nullptr, 0);
        return std::stoull(value.digits, nullptr, 0);
    case Value::text:
        return value.words;
    case Value::address:
        return describe(address(value), first_object);
    case Value::content:
        return content(find(value.words), first_object);
    default:
        throw std::runtime_error("nothing that a field can have");
    }
}

} // namespace lttng_gpu::firing
