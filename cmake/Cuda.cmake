# The CUDA engine is a shared object of its own, which the library loads when it is asked for.
if(SUMAC_CUDA AND NOT CMAKE_CUDA_COMPILER)
    find_program(SUMAC_NVCC nvcc HINTS ENV CUDA_HOME PATHS /usr/local/cuda PATH_SUFFIXES bin)
    if(NOT SUMAC_NVCC)
        message(STATUS "nvcc not found: the CUDA engine is not built")
    endif()
endif()
