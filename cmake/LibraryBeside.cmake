# SPDX-License-Identifier: Apache-2.0 OR MIT
# A library of its own, which needs libsumac and lies beside it: lib<name>.so and lib<name>.a of the target <name>_objects, as
# the targets <name>_shared and <name>_static, both installed.
#
#   sumac_add_library_beside(<name>
#       WITH <target>                a target that builds both
#       HEADERS <folder>             where its headers are
#       INSTALLED_HEADERS <folder>   where they will be
#       EXPORT <set>                 the set of exported targets that it belongs to
#       PUBLIC_LINKS <library>...    what whoever links it needs, too
#       LINKS <library>...)          what it needs besides
function(sumac_add_library_beside name)
    cmake_parse_arguments(PARSE_ARGV 1 library "" "WITH;HEADERS;INSTALLED_HEADERS;EXPORT" "PUBLIC_LINKS;LINKS")
    # As libsumac.a: one object whose internal functions are local.
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
    # It finds libsumac.so where it lies itself.
    set_target_properties(${name}_shared PROPERTIES
        EXPORT_NAME ${name} VERSION ${PROJECT_VERSION} SOVERSION ${SUMAC_SOVERSION}
        BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN")
    target_link_libraries(${name}_shared PRIVATE sumac_shared ${library_LINKS} PUBLIC ${library_PUBLIC_LINKS})
    target_link_options(${name}_shared PRIVATE $<$<PLATFORM_ID:Linux>:-Wl,--no-undefined>)
    target_link_libraries(${name}_static INTERFACE sumac_static ${library_PUBLIC_LINKS} ${library_LINKS})
    if(SUMAC_SANITIZE)
        # The runtime of a sanitizer is only in the program.
        set_target_properties(${name}_shared PROPERTIES EXCLUDE_FROM_ALL ON)
    endif()
    add_dependencies(${library_WITH} ${name}_shared ${name}_static)
    install(TARGETS ${name}_shared ${name}_static EXPORT ${library_EXPORT}
            LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
            ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endfunction()
