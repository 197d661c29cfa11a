# SPDX-License-Identifier: Apache-2.0 OR MIT
# Sets the ELF versions of a shared library's functions. A program that was linked with them requires their version when it
# starts, and two libraries in one process do not mix their functions. All functions whose names begin with the prefix have the
# version of the soname. Functions that a later release adds get a separate version, whose list names them.
# tools/check-install.sh compares names and versions with the public headers.
#
#   sumac_version_symbols(<target> <version> <prefix>)
function(sumac_version_symbols target version prefix)
    if(APPLE) # Mach-O does not have symbol versions
        return()
    endif()
    set(script ${CMAKE_CURRENT_BINARY_DIR}/${target}.map)
    file(CONFIGURE OUTPUT ${script} CONTENT "${version}_${SUMAC_SOVERSION} {\n    global: ${prefix}*;\n    local: *;\n};\n")
    target_link_options(${target} PRIVATE -Wl,--version-script=${script})
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${script})
endfunction()
