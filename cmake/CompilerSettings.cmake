# SPDX-License-Identifier: Apache-2.0 OR MIT
# Sets the compiler options of every target.

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON) # for unsigned __int128 and POSIX
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# These are only for C, because nvcc names its equivalents of these warnings differently.
add_compile_options("$<$<COMPILE_LANGUAGE:C>:-Wall;-Wextra;-Wconversion;-Wshadow;-Wmissing-prototypes;-Wstrict-prototypes>")
if(SUMAC_WERROR)
    add_compile_options($<$<COMPILE_LANGUAGE:C>:-Werror>)
endif()
if(SUMAC_VERIFY)
    add_compile_definitions(SUMAC_VERIFY)
endif()
if(SUMAC_SANITIZE)
    # -Og is enough. At -O3, inlining and unrolling would only multiply the code that is checked, and compiling would take
    # several times as long. At -O1 gcc would inline formulas, and compile for twice as long. For clang -Og is -O1.
    add_compile_options(
        "$<$<COMPILE_LANGUAGE:C>:-fsanitize=${SUMAC_SANITIZE};-fno-sanitize-recover=all;-fno-omit-frame-pointer>"
        "$<$<AND:$<COMPILE_LANGUAGE:C>,$<CONFIG:Release>>:-Og>")
    add_link_options(-fsanitize=${SUMAC_SANITIZE})
    # The address sanitizer detects uses of bad pointers. gcc's checks of each computed pointer are left out, because they would
    # be half of the code and of the time. The fuzz targets have clang's checks.
    if(SUMAC_SANITIZE MATCHES "address" AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
        add_compile_options($<$<COMPILE_LANGUAGE:C>:-fno-sanitize=null,object-size,pointer-overflow>)
    endif()
endif()

if(SUMAC_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()

set(SUMAC_X86_64 OFF)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$" AND CMAKE_SIZEOF_VOID_P EQUAL 8)
    set(SUMAC_X86_64 ON)
endif()
set(SUMAC_AARCH64 OFF)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$" AND CMAKE_SIZEOF_VOID_P EQUAL 8)
    set(SUMAC_AARCH64 ON)
endif()
