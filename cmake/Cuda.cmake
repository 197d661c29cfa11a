# SPDX-License-Identifier: Apache-2.0 OR MIT
# The CUDA engine is a separate shared object, libsumac_cuda.so, which the library loads on demand. It contains the CUDA
# runtime, and needs only the driver. tools/install-deps.sh cuda installs nvcc in the last of these folders.
find_program(SUMAC_NVCC nvcc HINTS ENV CUDA_HOME
    PATHS /usr/local/cuda ${PROJECT_SOURCE_DIR}/build-cuda-toolkit/nvidia/cu13 PATH_SUFFIXES bin)

# Every configuration looks for the GPU, because a build folder may be moved to a machine with or without a GPU.
set(gpu_found OFF)
execute_process(COMMAND nvidia-smi -L RESULT_VARIABLE status OUTPUT_VARIABLE list ERROR_QUIET)
if((status EQUAL 0 AND list MATCHES "GPU") OR EXISTS /dev/nvidia0 OR EXISTS /proc/driver/nvidia/version)
    set(gpu_found ON)
endif()

set(SUMAC_CUDA_ARCHITECTURES "AUTO" CACHE STRING
    "GPU architectures, such as \"80;86;89;90;100;120\" or \"native\"; AUTO: this machine's GPUs or, without one, 90")
option(SUMAC_CUDA_PTX "Also embed PTX of the last architecture in the list, which the driver compiles for later GPUs" OFF)
option(SUMAC_CUDA_REPORT "Keep the report of ptxas on each kernel, for tools/check-kernels.py" OFF)
option(SUMAC_CUDA_NAMED_PLANS "Also build the named plans, which are a tenth of the engine" ${SUMAC_NAMED_PLANS})

if(SUMAC_CUDA STREQUAL "AUTO")
    set(cuda_wanted ${gpu_found})
else()
    set(cuda_wanted ${SUMAC_CUDA})
endif()
if(cuda_wanted AND NOT SUMAC_NVCC)
    if(SUMAC_CUDA STREQUAL "AUTO")
        message(STATUS "There is a GPU, but no nvcc: the CUDA engine is not built")
        set(cuda_wanted OFF)
    else()
        message(FATAL_ERROR "The CUDA engine needs nvcc, which was not found: CUDA_HOME names the folder of one that is "
            "installed, and tools/install-deps.sh cuda fetches one")
    endif()
endif()
if(NOT cuda_wanted)
    # The library would still load the engine of an earlier build, so it is removed.
    file(REMOVE ${PROJECT_BINARY_DIR}/${CMAKE_SHARED_LIBRARY_PREFIX}sumac_cuda${CMAKE_SHARED_LIBRARY_SUFFIX})
    message(STATUS "The CUDA engine is not built (make CUDA=1 or -DSUMAC_CUDA=ON builds it)")
    return()
endif()
if(NOT CMAKE_CUDA_COMPILER)
    set(CMAKE_CUDA_COMPILER ${SUMAC_NVCC})
endif()

set(CMAKE_CUDA_STANDARD 20)
set(CMAKE_CUDA_FLAGS_RELEASE "-O3")
set(CMAKE_CUDA_VISIBILITY_PRESET hidden)
if(NOT CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 90)
endif()
enable_language(CUDA)

set(architectures ${SUMAC_CUDA_ARCHITECTURES})
if(architectures STREQUAL "AUTO")
    set(architectures 90)
    if(CMAKE_CUDA_ARCHITECTURES_NATIVE) # CMake's check of the compiler found the architecture, for example 90-real
        string(REPLACE "-real" "" architectures "${CMAKE_CUDA_ARCHITECTURES_NATIVE}")
    endif()
endif()
set(CMAKE_CUDA_ARCHITECTURES)
foreach(architecture ${architectures})
    if(NOT architecture STREQUAL "native") # "native" means the architecture of this machine's GPU
        string(APPEND architecture -real)
    endif()
    list(APPEND CMAKE_CUDA_ARCHITECTURES ${architecture})
endforeach()
if(SUMAC_CUDA_PTX)
    list(GET architectures -1 architecture)
    if(architecture STREQUAL "native")
        message(FATAL_ERROR "SUMAC_CUDA_PTX needs SUMAC_CUDA_ARCHITECTURES by number, not native")
    endif()
    list(APPEND CMAKE_CUDA_ARCHITECTURES ${architecture}-virtual)
endif()
list(JOIN architectures ", " architectures_text)
message(STATUS "The CUDA engine is built for architecture ${architectures_text}")

# Kernels are unrolled for a field, and compression makes them three times smaller. When the first kernel of a file is used, the
# driver decompresses all kernels of the file.
if(CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 12.8)
    string(APPEND CMAKE_CUDA_FLAGS " --compress-mode=size")
else()
    string(APPEND CMAKE_CUDA_FLAGS " -Xfatbin=-compress-all")
endif()

if(SUMAC_CUDA_REPORT)
    find_program(PYTHON3 python3 REQUIRED)
    set(CMAKE_CUDA_COMPILER_LAUNCHER ${PYTHON3};-B;${PROJECT_SOURCE_DIR}/tools/check-kernels.py;--record)
    string(APPEND CMAKE_CUDA_FLAGS " -Xptxas=-v")
endif()

include(${CMAKE_CURRENT_LIST_DIR}/CudaSources.cmake)
sumac_cuda_sources(engine_sources cuda "${SUMAC_BUILT_CURVES}" ${SUMAC_CUDA_NAMED_PLANS})
if(SUMAC_CUDA_NAMED_PLANS) # the library has named plans in this case
    file(GLOB plan_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/plans/*.c)
    list(APPEND engine_sources ${plan_sources})
endif()
# The engine needs its own copy, because the library does not export these functions.
list(APPEND engine_sources ${PROJECT_SOURCE_DIR}/src/base/refusal.c)
add_library(sumac_cuda SHARED ${engine_sources})
target_include_directories(sumac_cuda PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
set_target_properties(sumac_cuda PROPERTIES
    CUDA_RUNTIME_LIBRARY Static LINKER_LANGUAGE CUDA LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
# -s removes the names of the runtime's internals and of kernel launches, which are a quarter of the host's code.
target_link_options(sumac_cuda PRIVATE -Wl,--no-undefined -s)
add_dependencies(sumac_engines sumac_cuda)
install(TARGETS sumac_cuda LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})

# Tests that call the runtime link this library. FindCUDAToolkit is not used, because the version in CMake 3.25 does not know
# CUDA 13.
find_library(SUMAC_CUDART cudart_static HINTS ${CMAKE_CUDA_HOST_IMPLICIT_LINK_DIRECTORIES} REQUIRED)
add_library(sumac_cuda_runtime INTERFACE)
target_include_directories(sumac_cuda_runtime SYSTEM INTERFACE ${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES})
target_link_libraries(sumac_cuda_runtime INTERFACE ${SUMAC_CUDART} Threads::Threads ${CMAKE_DL_LIBS} rt)

# These benchmarks are for a machine with a GPU. They are not part of the default build.
add_executable(bench_cuda_msm EXCLUDE_FROM_ALL bench/bench_cuda_msm.cu)
target_link_libraries(bench_cuda_msm PRIVATE sumac_internal)
set_target_properties(bench_cuda_msm PROPERTIES
    CUDA_RUNTIME_LIBRARY Static RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
add_executable(bench_cuda_gather EXCLUDE_FROM_ALL bench/bench_cuda_gather.cu)
set_target_properties(bench_cuda_gather PROPERTIES
    CUDA_RUNTIME_LIBRARY Static RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
foreach(curve ${SUMAC_BUILT_CURVES})
    set(target bench_cuda_field_${curve})
    add_executable(${target} EXCLUDE_FROM_ALL bench/bench_cuda_field.cu bench/bench_cuda_field_host.c)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
    target_compile_definitions(${target} PRIVATE SUMAC_CURVE_HEADER="curves/generated/${curve}.h")
    target_link_libraries(${target} PRIVATE sumac_internal)
    set_target_properties(${target} PROPERTIES
        CUDA_RUNTIME_LIBRARY Static RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
endforeach()
# This target compiles only the CUDA sources of these programs. It does not build the library with which they are linked.
list(GET SUMAC_BUILT_CURVES 0 curve)
add_library(bench_cuda_objects OBJECT EXCLUDE_FROM_ALL
    bench/bench_cuda_msm.cu bench/bench_cuda_gather.cu bench/bench_cuda_field.cu)
target_include_directories(bench_cuda_objects PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
target_compile_definitions(bench_cuda_objects PRIVATE SUMAC_CURVE_HEADER="curves/generated/${curve}.h")
