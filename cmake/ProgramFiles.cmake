# SPDX-License-Identifier: Apache-2.0 OR MIT
# Installs the other files of the programs. These are manual pages and completions, which the built programs print, the points
# of Ethereum's ceremony, which are the default of --setup, and sumac-plot, which draws pictures of result files.

# If the program runs in the build's folder, it looks for trusted_setup.txt there.
configure_file(${SUMAC_TRUSTED_SETUP} ${PROJECT_BINARY_DIR}/trusted_setup.txt COPYONLY)
install(FILES ${PROJECT_BINARY_DIR}/trusted_setup.txt DESTINATION ${CMAKE_INSTALL_DATADIR}/sumac)
install(PROGRAMS ${PROJECT_SOURCE_DIR}/tools/sumac-plot.py DESTINATION ${CMAKE_INSTALL_BINDIR} RENAME sumac-plot)
install(FILES ${PROJECT_SOURCE_DIR}/docs/man/sumac-plot.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
file(RELATIVE_PATH from_program_to_data ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_DATADIR}/sumac)
set(programs sumac_program)
if(TARGET sumac_mpi_program)
    list(APPEND programs sumac_mpi_program)
endif()
foreach(program ${programs})
    target_compile_definitions(${program} PRIVATE
        SUMAC_PROGRAM_FOLDER="${SUMAC_PROGRAM_FOLDER}" SUMAC_FROM_PROGRAM_TO_DATA="${from_program_to_data}")
endforeach()

add_custom_target(sumac_documents ALL)
if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
    message(STATUS "No manual pages and completions: sumac prints them, and does not run on this machine")
    return()
endif()
file(GLOB manual_sections CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/man/*.roff)
set(documents_dir ${PROJECT_BINARY_DIR}/documents)
set(document_environment)
if(SUMAC_SANITIZE MATCHES "address") # MPI libraries leak when they end
    set(document_environment ${CMAKE_COMMAND} -E env ASAN_OPTIONS=detect_leaks=0)
endif()
foreach(program ${programs})
    set(stamp ${PROJECT_BINARY_DIR}/cmake/documents-${program}.stamp)
    add_custom_command(OUTPUT ${stamp}
        COMMAND ${document_environment} ${CMAKE_COMMAND} "-DPROGRAM=${CMAKE_CROSSCOMPILING_EMULATOR};$<TARGET_FILE:${program}>"
                -DSECTIONS=${PROJECT_SOURCE_DIR}/docs/man -DDIRECTORY=${documents_dir}
                -P ${PROJECT_SOURCE_DIR}/cmake/Documents.cmake
        COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
        DEPENDS ${program} ${manual_sections} ${PROJECT_SOURCE_DIR}/cmake/Documents.cmake
        VERBATIM
        COMMENT "Manual pages and completions of ${program}")
    add_custom_target(documents_of_${program} DEPENDS ${stamp})
    add_dependencies(sumac_documents documents_of_${program})
endforeach()
install(DIRECTORY ${documents_dir}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
install(DIRECTORY ${documents_dir}/bash/ DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(DIRECTORY ${documents_dir}/zsh/ DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(DIRECTORY ${documents_dir}/fish/ DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
