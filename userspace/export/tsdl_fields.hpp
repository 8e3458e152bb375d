// SPDX-License-Identifier: MIT
//
// Field classes of CTF 2 (CTF2-SPEC-2.0, section 5.3) as declarations of TSDL.
#pragma once

#include "../correlate/base/expected.hpp"

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace lttng_gpu::exporting {

/// Keeps the order of members, and with it that of labels.
using TsdlJson = nlohmann::ordered_json;

/// TSDL tells meanings by names, CTF 2 by roles; outside of headers names get the
/// underscore that readers take off again, so that no name is a word of TSDL.
enum class TsdlNames { ByRole, Prefixed };

/// Ends the recursion when TSDL cannot express something; caught inside this
/// translation.
struct Untranslatable {
    std::string what;
};

class TsdlFields {
public:
    void add_alias(const std::string& name, TsdlJson field_class);
    /// Of the stream class that follows: what timestamps are mapped to.
    void set_clock(std::string name) { x_clock = std::move(name); }

    /// "struct { ... } align(8)".
    std::string structure(const TsdlJson& field_class, TsdlNames names);

private:
    /// A type and what comes after the name: "[16]" of an array.
    struct Declaration {
        std::string type;
        std::string suffix;
    };
    using Json = TsdlJson;

    const Json& resolve(const Json& field_class) const;
    Declaration declare(const Json& field_class, TsdlNames names, const Json& around);
    std::string integer(const Json& field_class, bool is_signed, bool is_text) const;
    std::string enumeration(const Json& field_class, bool is_signed) const;
    std::string real(const Json& field_class) const;
    std::string variant(const Json& field_class, TsdlNames names, const Json& around);
    Declaration text(const Json& field_class, const std::string& length) const;
    Declaration array(const Json& field_class, const std::string& length, TsdlNames names,
                      const Json& around);
    std::string place(const Json& location, TsdlNames names, const Json& around) const;
    std::string name_of(const Json& member, const Json& field_class, TsdlNames names) const;

    std::map<std::string, Json> x_aliases;
    std::string x_clock;
};

/// A quoted text of TSDL.
std::string tsdl_text(const std::string& text);

} // namespace lttng_gpu::exporting
