# SPDX-License-Identifier: Apache-2.0 OR MIT
# Installs the files that the Python package needs in addition to its sources: the library, and the files that are generated
# from the headers. pyproject.toml uses this.
find_package(Python REQUIRED COMPONENTS Interpreter)
set(generated ${CMAKE_CURRENT_BINARY_DIR}/python)
file(MAKE_DIRECTORY ${generated})
execute_process(COMMAND ${Python_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tools/gen_bindings.py python ${generated}
    COMMAND_ERROR_IS_FATAL ANY)
install(DIRECTORY ${generated}/ DESTINATION . COMPONENT python)
# A wheel has no links, so the file has the name by which the package opens it.
install(FILES $<TARGET_FILE:sumac_shared> DESTINATION lib RENAME libsumac.so.${SUMAC_SOVERSION} COMPONENT python)
