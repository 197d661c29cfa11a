# SPDX-License-Identifier: Apache-2.0 OR MIT
# Sets the folder of the curves' generated headers. The headers of the registry's curves are committed. If other data files are
# used, this file generates their headers, which have the same names as the data files.
set(SUMAC_CURVE_HEADERS ${PROJECT_SOURCE_DIR}/src/curves/generated)
if(NOT SUMAC_CURVES_DIR STREQUAL "${PROJECT_SOURCE_DIR}/src/curves")
    find_program(PYTHON3 python3 REQUIRED)
    set(SUMAC_CURVE_HEADERS ${PROJECT_BINARY_DIR}/curve_data/curves/generated)
    file(GLOB data_files CONFIGURE_DEPENDS ${SUMAC_CURVES_DIR}/*.json)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${data_files})
    execute_process(COMMAND ${PYTHON3} -B ${PROJECT_SOURCE_DIR}/tools/gen_curves.py ${SUMAC_CURVES_DIR} ${SUMAC_CURVE_HEADERS}
                    COMMAND_ERROR_IS_FATAL ANY)
    set(SUMAC_OTHER_CURVES ON)
    include_directories(${PROJECT_BINARY_DIR}/curve_data)
endif()
