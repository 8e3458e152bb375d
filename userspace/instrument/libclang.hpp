// SPDX-License-Identifier: MIT
//
// libclang, found when the program runs: each release of a distribution has other versions of it,
// whose interface in C is the same.
#pragma once

#include <clang-c/Index.h>
#include <string>

// Functions that are used, without the beginning that they all have.
#define LTTNG_GPU_LIBCLANG_FUNCTIONS(function)                                                     \
    function(Cursor_isNull) function(Location_isFromMainFile) function(createIndex) function(      \
        disposeDiagnostic) function(disposeIndex) function(disposeString) function(disposeTokens)  \
        function(disposeTranslationUnit) function(formatDiagnostic) function(getAddressSpace)      \
            function(getCString) function(getCursorDefinition) function(getCursorExtent)           \
                function(getCursorKind) function(getCursorLocation) function(getCursorReferenced)  \
                    function(getCursorSpelling) function(getCursorType) function(getDiagnostic)    \
                        function(getDiagnosticSeverity) function(getExpansionLocation) function(   \
                            getFileLocation) function(getNullCursor) function(getNumDiagnostics)   \
                            function(getPointeeType) function(getRangeEnd) function(getRangeStart) \
                                function(getTokenSpelling) function(getTranslationUnitCursor)      \
                                    function(isAttribute) function(isConstQualifiedType)           \
                                        function(isCursorDefinition) function(isStatement)         \
                                            function(isVolatileQualifiedType)                      \
                                                function(parseTranslationUnit2) function(tokenize) \
                                                    function(visitChildren)

namespace lttng_gpu::instrument {

struct Libclang {
#define LTTNG_GPU_LIBCLANG_MEMBER(name) decltype(&clang_##name) name = nullptr;
    LTTNG_GPU_LIBCLANG_FUNCTIONS(LTTNG_GPU_LIBCLANG_MEMBER)
#undef LTTNG_GPU_LIBCLANG_MEMBER
};

/// Its functions, after load_libclang().
extern Libclang libclang;

/// The newest version that is installed together with its declarations of OpenCL C, of whose folder
/// `includes` becomes the name. False: there is none.
bool load_libclang(std::string& includes);

} // namespace lttng_gpu::instrument
