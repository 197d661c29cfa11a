# SPDX-License-Identifier: Apache-2.0 OR MIT
# Installs headers, libraries, the program, the pkg-config file and the CMake package. ProgramFiles.cmake installs the program's
# other files.
include(CMakePackageConfigHelpers)

install(DIRECTORY include/sumac DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h"
        PATTERN "mpi.h" EXCLUDE)
install(TARGETS sumac_shared sumac_static EXPORT sumac-targets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES LICENSE-APACHE LICENSE-MIT DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/sumac)
if(TARGET sumac_program)
    install(TARGETS sumac_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/sumac)
install(EXPORT sumac-targets NAMESPACE sumac:: DESTINATION ${package_dir})
configure_package_config_file(cmake/sumac-config.cmake.in ${PROJECT_BINARY_DIR}/cmake/sumac-config.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/sumac-config-version.cmake
                                 COMPATIBILITY ${SUMAC_COMPATIBILITY})
install(FILES ${PROJECT_BINARY_DIR}/cmake/sumac-config.cmake ${PROJECT_BINARY_DIR}/cmake/sumac-config-version.cmake
        DESTINATION ${package_dir})

# The prefix is relative to the file's folder, so that `cmake --install --prefix` can move everything.
file(RELATIVE_PATH prefix_from_pkgconfig /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
set(pkgconfig_names sumac)
if(SUMAC_CKZG)
    list(APPEND pkgconfig_names sumac_ckzg)
endif()
if(SUMAC_ETH_KZG)
    list(APPEND pkgconfig_names sumac_eth_kzg)
endif()
if(SUMAC_RAPIDSNARK)
    list(APPEND pkgconfig_names sumac_rapidsnark)
endif()
if(SUMAC_PIL2)
    list(APPEND pkgconfig_names sumac_pil2)
endif()
if(SUMAC_HAVE_MPI)
    list(APPEND pkgconfig_names sumac_mpi)
    install(EXPORT sumac-mpi-targets NAMESPACE sumac:: DESTINATION ${package_dir})
endif()
foreach(name ${pkgconfig_names})
    configure_file(cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/cmake/${name}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/cmake/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

# This comes last. The folder is computed during installation, because `cmake --install --prefix` may have moved everything.
install(CODE "
    cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_PREFIX OUTPUT_VARIABLE LIBRARY_FOLDER)
    cmake_path(APPEND LIBRARY_FOLDER \"${CMAKE_INSTALL_LIBDIR}\")
    include(\"${PROJECT_SOURCE_DIR}/cmake/Ldconfig.cmake\")")
