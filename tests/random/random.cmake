# SPDX-License-Identifier: Apache-2.0 OR MIT
# This file links random cases (random/cases.h) into random_calls and the fuzz targets. Apart from the library they need GMP,
# and jansson for the curves' data files.
include(${CMAKE_CURRENT_LIST_DIR}/../support/failing.cmake)
foreach(library gmp jansson)
    find_path(${library}_INCLUDE_DIR ${library}.h REQUIRED)
    find_library(${library}_LIBRARY ${library} REQUIRED)
endforeach()

# If RUNTIME is given, it is the target of CUDA's runtime or its fake. The default is the runtime of a library with the CUDA
# engine.
function(sumac_link_random target)
    set(runtime ${ARGN})
    if(NOT ARGN AND TARGET sumac_cuda)
        set(runtime sumac_cuda_runtime)
    endif()
    if(runtime)
        target_link_libraries(${target} PRIVATE ${runtime})
        target_compile_definitions(${target} PRIVATE SUMAC_RANDOM_CUDA)
    endif()
    set(sources support/files.c support/oracle.c support/plan.c)
    foreach(source draws known world scalars bases calls tables partials plans device)
        list(APPEND sources random/${source}.c)
    endforeach()
    list(TRANSFORM sources PREPEND ${SUMAC_TESTS_DIR}/)
    target_sources(${target} PRIVATE ${sources})
    target_include_directories(${target} PRIVATE
        ${SUMAC_TESTS_DIR} ${PROJECT_SOURCE_DIR}/src ${gmp_INCLUDE_DIR} ${jansson_INCLUDE_DIR})
    target_compile_definitions(${target} PRIVATE SUMAC_TEST_CURVES="${SUMAC_CURVES_DIR}")
    target_link_libraries(${target} PRIVATE sumac_internal ${gmp_LIBRARY} ${jansson_LIBRARY} pthread)
    sumac_link_failing(${target})
endfunction()
