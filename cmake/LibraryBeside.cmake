# SPDX-License-Identifier: Apache-2.0 OR MIT
# Adds a library that uses libsumac and is installed beside it. From the objects of the target <name>_objects it builds
# lib<name>.so and lib<name>.a, as the targets <name>_shared and <name>_static.
#
#   sumac_add_library_beside(<name>
#       WITH <target>                building this target builds both libraries, too
#       HEADERS <folder>             its headers in the source tree
#       INSTALLED_HEADERS <folder>   its headers after the installation
#       EXPORT <set>                 the set of exported targets that it belongs to
#       PUBLIC_LINKS <library>...    libraries that its users link, too
#       LINKS <library>...)          other libraries that it needs
function(sumac_add_library_beside name)
    cmake_parse_arguments(PARSE_ARGV 1 library "" "WITH;HEADERS;INSTALLED_HEADERS;EXPORT" "PUBLIC_LINKS;LINKS")
    # The static library is one object in which internal functions are local, as in libsumac.a.
    set(whole_library ${CMAKE_CURRENT_BINARY_DIR}/lib${name}.o)
    add_custom_command(OUTPUT ${whole_library}
        COMMAND ${CMAKE_C_COMPILER} -r -nostdlib -o ${whole_library} $<TARGET_OBJECTS:${name}_objects>
        COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${whole_library}
        DEPENDS $<TARGET_OBJECTS:${name}_objects> ${name}_objects
        COMMAND_EXPAND_LISTS VERBATIM
        COMMENT "Joining the objects of lib${name}")
    add_library(${name}_shared SHARED $<TARGET_OBJECTS:${name}_objects>)
    add_library(${name}_static STATIC ${whole_library})
    foreach(kind shared static)
        set_target_properties(${name}_${kind} PROPERTIES
            OUTPUT_NAME ${name}
            LINKER_LANGUAGE C
            LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}
            ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
        target_include_directories(${name}_${kind} INTERFACE
            $<BUILD_INTERFACE:${library_HEADERS}>
            $<INSTALL_INTERFACE:${library_INSTALLED_HEADERS}>)
    endforeach()
    # The shared library looks for libsumac.so in its own directory.
    set_target_properties(${name}_shared PROPERTIES
        EXPORT_NAME ${name} VERSION ${PROJECT_VERSION} SOVERSION ${SUMAC_SOVERSION}
        BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN")
    target_link_libraries(${name}_shared PRIVATE sumac_shared ${library_LINKS} PUBLIC ${library_PUBLIC_LINKS})
    target_link_options(${name}_shared PRIVATE $<$<PLATFORM_ID:Linux>:-Wl,--no-undefined>)
    target_link_libraries(${name}_static INTERFACE sumac_static ${library_PUBLIC_LINKS} ${library_LINKS})
    if(SUMAC_SANITIZE)
        # Only programs are linked with the runtime of a sanitizer, so the shared library would have undefined symbols.
        set_target_properties(${name}_shared PROPERTIES EXCLUDE_FROM_ALL ON)
    endif()
    add_dependencies(${library_WITH} ${name}_shared ${name}_static)
    install(TARGETS ${name}_shared ${name}_static EXPORT ${library_EXPORT}
            LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
            ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endfunction()
